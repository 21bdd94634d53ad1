/* MPI_Alltoallw with a datatype of its own for each pair of ranks, and the nonblocking v- and w-forms, all at once. */
#include "check.h"

enum { RANKS = 64, ROOM = 4096 }; /* of at most so many ranks */

static const MPI_Datatype kinds[] = {MPI_BYTE, MPI_SHORT, MPI_INT, MPI_DOUBLE};
static const int sizes[] = {1, 2, 4, 8};

static int kind_of(int a, int b) { return (a * 3 + b) % 4; }
static int length_of(int a, int b) { return (a + b) % 4 == 3 ? 0 : (a * 7 + b * 5) % 60; }

static void check_pieces(const char *what, const unsigned char *in, const int *lengths, int seed)
{
    for (int r = 0; r < np; r++) {
        long wrong = wrong_byte(in + r * ROOM, (size_t)lengths[r], r * 19 + me + seed);
        CHECK(wrong < 0, "%s: from %d: byte %ld of %d", what, r, wrong, lengths[r]);
        for (int i = lengths[r]; i < ROOM; i++)
            CHECK(in[r * ROOM + i] == 0xEE, "%s: from %d: byte %d was written", what, r, i);
    }
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    CHECK(np <= RANKS, "%d ranks: the arrays are of %d", np, RANKS);
    unsigned char *out = check_alloc(RANKS * ROOM), *in[3];
    int send_counts[RANKS], recv_counts[RANKS], displs[RANKS], send_bytes[RANKS], recv_bytes[RANKS];
    MPI_Datatype send_types[RANKS], recv_types[RANKS];
    for (int scale = 1; scale <= 8; scale += 7) {
        for (int r = 0; r < np; r++) {
            int to = kind_of(me, r), from = kind_of(r, me);
            send_types[r] = kinds[to];
            recv_types[r] = kinds[from];
            send_counts[r] = length_of(me, r) * scale;
            recv_counts[r] = length_of(r, me) * scale;
            send_bytes[r] = send_counts[r] * sizes[to];
            recv_bytes[r] = recv_counts[r] * sizes[from];
            displs[r] = r * ROOM;
            fill_bytes(out + r * ROOM, ROOM, me * 19 + r + scale);
        }
        for (int i = 0; i < 3; i++) {
            in[i] = check_alloc(RANKS * ROOM);
            memset(in[i], 0xEE, RANKS * ROOM);
        }
        MPI_Request q[2];
        MPI_Ialltoallw(out, send_counts, displs, send_types, in[0], recv_counts, displs, recv_types, MPI_COMM_WORLD,
                       &q[0]);
        MPI_Ialltoallv(out, send_bytes, displs, MPI_BYTE, in[1], recv_bytes, displs, MPI_BYTE, MPI_COMM_WORLD, &q[1]);
        MPI_Alltoallw(out, send_counts, displs, send_types, in[2], recv_counts, displs, recv_types, MPI_COMM_WORLD);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
        check_pieces("ialltoallw", in[0], recv_bytes, scale);
        check_pieces("ialltoallv", in[1], recv_bytes, scale);
        check_pieces("alltoallw", in[2], recv_bytes, scale);
        for (int i = 0; i < 3; i++)
            free(in[i]);
    }
    free(out);
    return check_finish();
}
