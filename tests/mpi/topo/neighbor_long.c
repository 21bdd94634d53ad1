/* Long blocks to many neighbours: more messages than are under way at a time, none of which may wait for another in a circle. */
#include "neighbors.h"

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    struct edges e = edges_dist_graph();
    int length = CHECK_SMALL ? 1000 : np > 16 ? 3000 : 100000; /* the messages are more instead */
    size_t block = (size_t)length;
    unsigned char *out = check_alloc(block * (size_t)e.out), *in = check_alloc(block * (size_t)e.in);
    for (int i = 0; i < e.out; i++) {
        fill_bytes(out + (size_t)i * block, block, 100 * me + i);
    }
    CHECK_OK(MPI_Neighbor_alltoall(out, length, MPI_BYTE, in, length, MPI_BYTE, e.comm));
    for (int i = 0; i < e.in; i++) {
        long wrong = wrong_byte(in + (size_t)i * block, block, 100 * e.source[i] + e.slot[i]);
        CHECK(wrong < 0, "edge %d from %d, byte %ld", i, e.source[i], wrong);
    }
    MPI_Comm_free(&e.comm);
    free(out);
    free(in);
    return check_finish();
}
