/* Neighbourhood collectives in all forms, on grids (also of one and two to a dimension), graphs, distributed graphs: every block comes
 * from the right place of the right neighbour, and blocks of nobody stay.
 */
#include "neighbors.h"

enum { COUNT = 3, UNTOUCHED = -7, FORMS = 6 };

/* A form of the calls: blocking, nonblocking, persistent; each with int and with MPI_Count. */
static MPI_Request started;
static int form;

static void end(int e)
{
    CHECK_OK(e);
    if (form >= 4) {
        CHECK_OK(MPI_Start(&started));
    }
    if (form >= 2) {
        CHECK_OK(MPI_Wait(&started, MPI_STATUS_IGNORE));
    }
}

/* Once more, from other data, where the call can be started again. */
static int again(void)
{
    if (form < 4) {
        return 0;
    }
    CHECK_OK(MPI_Start(&started));
    CHECK_OK(MPI_Wait(&started, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Request_free(&started));
    return 1;
}

/* The arguments of a form stand in these. */
static int send_counts[MOST], recv_counts[MOST], send_displs[MOST], recv_displs[MOST];
static MPI_Count wide_send_counts[MOST], wide_recv_counts[MOST];
static MPI_Aint wide_send_displs[MOST], wide_recv_displs[MOST], send_bytes[MOST], recv_bytes[MOST];
static MPI_Datatype types[MOST];
static int out[COUNT * MOST], in[COUNT * MOST];

/* An edge's length is known at both its ends; the places are in the opposite order. */
static int length(int from, int to) { return from < 0 || to < 0 ? COUNT : 1 + (from + 2 * to) % COUNT; }

static void arguments(const struct edges *e)
{
    for (int i = 0; i < e->out; i++) {
        wide_send_counts[i] = send_counts[i] = length(me, e->destination[i]);
        wide_send_displs[i] = send_displs[i] = COUNT * (e->out - 1 - i);
        send_bytes[i] = send_displs[i] * (MPI_Aint)sizeof(int);
    }
    for (int i = 0; i < e->in; i++) {
        wide_recv_counts[i] = recv_counts[i] = length(e->source[i], me);
        wide_recv_displs[i] = recv_displs[i] = COUNT * (e->in - 1 - i);
        recv_bytes[i] = recv_displs[i] * (MPI_Aint)sizeof(int);
    }
    for (int i = 0; i < MOST; i++) {
        types[i] = MPI_INT;
    }
}

static int value(int seed, int from, int slot, int k) { return seed + 10000 * from + 10 * slot + k; }

/* `reversed`: places in opposite order, lengths by length(). `slots`: each block is another. */
static void fill(const struct edges *e, int seed, int reversed)
{
    for (int i = 0; i < e->out; i++) {
        for (int k = 0; k < COUNT; k++) {
            out[COUNT * (reversed ? e->out - 1 - i : i) + k] = value(seed, me, i, k);
        }
    }
    for (int i = 0; i < COUNT * MOST; i++) {
        in[i] = UNTOUCHED;
    }
}

static void verify(const struct edges *e, int seed, int reversed, int slots, const char *what)
{
    for (int i = 0; i < e->in; i++) {
        const int *block = in + COUNT * (reversed ? e->in - 1 - i : i);
        int len = reversed ? length(e->source[i], me) : COUNT;
        for (int k = 0; k < COUNT; k++) {
            int wanted = value(seed, e->source[i], slots ? e->slot[i] : 0, k);
            if (e->source[i] < 0 || k >= len) {
                wanted = UNTOUCHED;
            }
            CHECK(block[k] == wanted, "%s, form %d, edge %d of %d from %d: %d, wanted %d", what, form, i, e->in,
                  e->source[i], block[k], wanted);
        }
    }
}

static void allgather(const struct edges *e)
{
    MPI_Comm c = e->comm;
    fill(e, 1, 0);
    for (int k = 0; k < COUNT; k++) {
        out[k] = value(1, me, 0, k);
    }
    int code = form == 0   ? MPI_Neighbor_allgather(out, COUNT, MPI_INT, in, COUNT, MPI_INT, c)
               : form == 1 ? MPI_Neighbor_allgather_c(out, COUNT, MPI_INT, in, COUNT, MPI_INT, c)
               : form == 2 ? MPI_Ineighbor_allgather(out, COUNT, MPI_INT, in, COUNT, MPI_INT, c, &started)
               : form == 3 ? MPI_Ineighbor_allgather_c(out, COUNT, MPI_INT, in, COUNT, MPI_INT, c, &started)
               : form == 4
                   ? MPI_Neighbor_allgather_init(out, COUNT, MPI_INT, in, COUNT, MPI_INT, c, MPI_INFO_NULL, &started)
                   : MPI_Neighbor_allgather_init_c(out, COUNT, MPI_INT, in, COUNT, MPI_INT, c, MPI_INFO_NULL, &started);
    end(code);
    verify(e, 1, 0, 0, "allgather");
    for (int k = 0; k < COUNT; k++) {
        out[k] = value(2, me, 0, k);
    }
    if (again()) {
        verify(e, 2, 0, 0, "allgather again");
    }
}

static void allgatherv(const struct edges *e)
{
    const int *n = recv_counts, *d = recv_displs;
    const MPI_Count *wn = wide_recv_counts;
    const MPI_Aint *wd = wide_recv_displs;
    MPI_Comm c = e->comm;
    int fixed[MOST];
    MPI_Count wide_fixed[MOST];
    for (int i = 0; i < MOST; i++) {
        wide_fixed[i] = fixed[i] = COUNT;
    }
    n = fixed;
    wn = wide_fixed;
    fill(e, 3, 0);
    for (int k = 0; k < COUNT; k++) {
        out[k] = value(3, me, 0, k);
    }
    int code =
        form == 0   ? MPI_Neighbor_allgatherv(out, COUNT, MPI_INT, in, n, d, MPI_INT, c)
        : form == 1 ? MPI_Neighbor_allgatherv_c(out, COUNT, MPI_INT, in, wn, wd, MPI_INT, c)
        : form == 2 ? MPI_Ineighbor_allgatherv(out, COUNT, MPI_INT, in, n, d, MPI_INT, c, &started)
        : form == 3 ? MPI_Ineighbor_allgatherv_c(out, COUNT, MPI_INT, in, wn, wd, MPI_INT, c, &started)
        : form == 4
            ? MPI_Neighbor_allgatherv_init(out, COUNT, MPI_INT, in, n, d, MPI_INT, c, MPI_INFO_NULL, &started)
            : MPI_Neighbor_allgatherv_init_c(out, COUNT, MPI_INT, in, wn, wd, MPI_INT, c, MPI_INFO_NULL, &started);
    end(code);
    for (int i = 0; i < e->in; i++) {
        for (int k = 0; k < COUNT; k++) {
            int got = in[recv_displs[i] + k], wanted = e->source[i] < 0 ? UNTOUCHED : value(3, e->source[i], 0, k);
            CHECK(got == wanted, "allgatherv, form %d, edge %d: %d, wanted %d", form, i, got, wanted);
        }
    }
    again();
}

static void alltoall(const struct edges *e)
{
    MPI_Comm c = e->comm;
    fill(e, 4, 0);
    int code = form == 0   ? MPI_Neighbor_alltoall(out, COUNT, MPI_INT, in, COUNT, MPI_INT, c)
               : form == 1 ? MPI_Neighbor_alltoall_c(out, COUNT, MPI_INT, in, COUNT, MPI_INT, c)
               : form == 2 ? MPI_Ineighbor_alltoall(out, COUNT, MPI_INT, in, COUNT, MPI_INT, c, &started)
               : form == 3 ? MPI_Ineighbor_alltoall_c(out, COUNT, MPI_INT, in, COUNT, MPI_INT, c, &started)
               : form == 4
                   ? MPI_Neighbor_alltoall_init(out, COUNT, MPI_INT, in, COUNT, MPI_INT, c, MPI_INFO_NULL, &started)
                   : MPI_Neighbor_alltoall_init_c(out, COUNT, MPI_INT, in, COUNT, MPI_INT, c, MPI_INFO_NULL, &started);
    end(code);
    verify(e, 4, 0, 1, "alltoall");
    fill(e, 5, 0);
    if (again()) {
        verify(e, 5, 0, 1, "alltoall again");
    }
}

static void alltoallv(const struct edges *e)
{
    const int *n = send_counts, *d = send_displs, *m = recv_counts, *f = recv_displs;
    const MPI_Count *wn = wide_send_counts, *wm = wide_recv_counts;
    const MPI_Aint *wd = wide_send_displs, *wf = wide_recv_displs;
    const MPI_Datatype t = MPI_INT;
    MPI_Comm c = e->comm;
    fill(e, 6, 1);
    int code = form == 0   ? MPI_Neighbor_alltoallv(out, n, d, t, in, m, f, t, c)
               : form == 1 ? MPI_Neighbor_alltoallv_c(out, wn, wd, t, in, wm, wf, t, c)
               : form == 2 ? MPI_Ineighbor_alltoallv(out, n, d, t, in, m, f, t, c, &started)
               : form == 3 ? MPI_Ineighbor_alltoallv_c(out, wn, wd, t, in, wm, wf, t, c, &started)
               : form == 4 ? MPI_Neighbor_alltoallv_init(out, n, d, t, in, m, f, t, c, MPI_INFO_NULL, &started)
                           : MPI_Neighbor_alltoallv_init_c(out, wn, wd, t, in, wm, wf, t, c, MPI_INFO_NULL, &started);
    end(code);
    verify(e, 6, 1, 1, "alltoallv");
    fill(e, 7, 1);
    if (again()) {
        verify(e, 7, 1, 1, "alltoallv again");
    }
}

/* `bottom`: displacements are addresses. */
static void alltoallw(const struct edges *e, int bottom)
{
    const int *n = send_counts, *m = recv_counts;
    const MPI_Count *wn = wide_send_counts, *wm = wide_recv_counts;
    const MPI_Datatype *t = types;
    MPI_Aint d[MOST], f[MOST];
    void *from = bottom ? MPI_BOTTOM : out, *to = bottom ? MPI_BOTTOM : in;
    MPI_Comm c = e->comm;
    for (int i = 0; i < MOST; i++) {
        d[i] = send_bytes[i] + (bottom ? (MPI_Aint)(intptr_t)out : 0);
        f[i] = recv_bytes[i] + (bottom ? (MPI_Aint)(intptr_t)in : 0);
    }
    fill(e, 8, 1);
    int code = form == 0   ? MPI_Neighbor_alltoallw(from, n, d, t, to, m, f, t, c)
               : form == 1 ? MPI_Neighbor_alltoallw_c(from, wn, d, t, to, wm, f, t, c)
               : form == 2 ? MPI_Ineighbor_alltoallw(from, n, d, t, to, m, f, t, c, &started)
               : form == 3 ? MPI_Ineighbor_alltoallw_c(from, wn, d, t, to, wm, f, t, c, &started)
               : form == 4 ? MPI_Neighbor_alltoallw_init(from, n, d, t, to, m, f, t, c, MPI_INFO_NULL, &started)
                           : MPI_Neighbor_alltoallw_init_c(from, wn, d, t, to, wm, f, t, c, MPI_INFO_NULL, &started);
    end(code);
    verify(e, 8, 1, 1, "alltoallw");
    fill(e, 9, 1);
    if (again()) {
        verify(e, 9, 1, 1, "alltoallw again");
    }
}

static void check_topology(struct edges e)
{
    arguments(&e);
    for (form = 0; form<FORMS; form += np> 16 ? 5 : 1) { /* many ranks share a processor */
        allgather(&e);
        allgatherv(&e);
        alltoall(&e);
        alltoallv(&e);
        alltoallw(&e, 0);
        alltoallw(&e, 1);
    }
    MPI_Comm_free(&e.comm);
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    for (int ndims = 1; ndims <= (np > 16 ? 2 : 4); ndims++) {
        check_topology(edges_cart(ndims, 0));
        check_topology(edges_cart(ndims, 1));
    }
    if (np <= 32) {
        check_topology(edges_graph());
    }
    check_topology(edges_dist_graph());
    return check_finish();
}
