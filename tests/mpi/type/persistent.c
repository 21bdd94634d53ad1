/* Persistent requests, buffered sends, probes and Sendrecv_replace with types that are freed as soon as they were named. */
#include "../check.h"

enum { N = CHECK_SMALL ? 400 : 4000 };
static int out[3 * N], in[3 * N];

static MPI_Datatype every_third(int n)
{
    MPI_Datatype t;
    MPI_Type_vector(n, 1, 3, MPI_INT, &t);
    MPI_Type_commit(&t);
    return t;
}

static void check_in(int n, int from, int round)
{
    for (int i = 0; i < 3 * n; i++)
        CHECK(in[i] == (i % 3 ? -1 : from * 10000 + i + round), "round %d: place %d is %d", round, i, in[i]);
}

static void persistent(int n)
{
    MPI_Datatype t = every_third(n), u = every_third(n);
    MPI_Request q[2];
    MPI_Send_init(out, 1, t, right_of(me), 1, MPI_COMM_WORLD, &q[0]);
    MPI_Recv_init(in, 1, u, left_of(me), 1, MPI_COMM_WORLD, &q[1]);
    MPI_Type_free(&t);
    MPI_Type_free(&u);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 3 * n; i++) {
            in[i] = -1;
            out[i] = me * 10000 + i + round;
        }
        MPI_Startall(2, q);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
        check_in(n, left_of(me), round);
    }
    MPI_Request_free(&q[0]);
    MPI_Request_free(&q[1]);
}

static void buffered(int n)
{
    MPI_Datatype t = every_third(n), u = every_third(n);
    int bytes = 0;
    MPI_Pack_size(1, t, MPI_COMM_WORLD, &bytes);
    char *buffer = check_alloc((size_t)bytes + MPI_BSEND_OVERHEAD);
    MPI_Buffer_attach(buffer, bytes + MPI_BSEND_OVERHEAD);
    for (int i = 0; i < 3 * n; i++) {
        in[i] = -1;
        out[i] = me * 10000 + i;
    }
    MPI_Bsend(out, 1, t, right_of(me), 2, MPI_COMM_WORLD);
    MPI_Type_free(&t);
    memset(out, 0, sizeof out);
    MPI_Message m;
    MPI_Mprobe(left_of(me), 2, MPI_COMM_WORLD, &m, MPI_STATUS_IGNORE);
    MPI_Request q;
    MPI_Imrecv(in, 1, u, &m, &q);
    MPI_Type_free(&u);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    check_in(n, left_of(me), 0);
    MPI_Buffer_detach(&buffer, &bytes);
    free(buffer);
}

static void replace(int n)
{
    MPI_Datatype t = every_third(n);
    MPI_Request q;
    for (int i = 0; i < 3 * n; i++)
        in[i] = i % 3 ? -1 : me * 10000 + i;
    MPI_Sendrecv_replace(in, 1, t, right_of(me), 3, left_of(me), 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check_in(n, left_of(me), 0);
    MPI_Isendrecv_replace(in, 1, t, left_of(me), 3, right_of(me), 3, MPI_COMM_WORLD, &q);
    MPI_Type_free(&t);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    check_in(n, me, 0);
    MPI_Datatype a = every_third(n), b = every_third(n);
    for (int i = 0; i < 3 * n; i++) {
        in[i] = -1;
        out[i] = me * 10000 + i;
    }
    MPI_Isendrecv(out, 1, a, right_of(me), 3, in, 1, b, left_of(me), 3, MPI_COMM_WORLD, &q);
    MPI_Type_free(&a);
    MPI_Type_free(&b);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    check_in(n, left_of(me), 0);
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    for (int n = 5; n <= N; n *= 28) {
        persistent(n);
        buffered(n);
        replace(n);
    }
    persistent(N);
    return check_finish();
}
