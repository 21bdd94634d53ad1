/* Of nothing the datatype may be MPI_DATATYPE_NULL, in messages and collectives: ranks that take no part say so. Checking mode, which
 * keeps to the standard, refuses it.
 */
#include "check.h"

static int checking;

/* Every rank's call has the same result. */
#define NOTHING(call) CHECK_CLASS(call, checking ? MPI_ERR_TYPE : MPI_SUCCESS)

static void messages(void)
{
    MPI_Request q[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status s;
    int n = -1;
    NOTHING(MPI_Isend(NULL, 0, MPI_DATATYPE_NULL, me, 1, MPI_COMM_WORLD, &q[0]));
    NOTHING(MPI_Irecv(NULL, 0, MPI_DATATYPE_NULL, me, 1, MPI_COMM_WORLD, &q[1]));
    CHECK_OK(MPI_Waitall(2, q, MPI_STATUSES_IGNORE));
    NOTHING(MPI_Sendrecv(NULL, 0, MPI_DATATYPE_NULL, me, 2, NULL, 0, MPI_DATATYPE_NULL, me, 2, MPI_COMM_WORLD, &s));
    if (!checking) {
        CHECK_OK(MPI_Get_count(&s, MPI_INT, &n));
        CHECK(n == 0, "%d elements", n);
    }
    CHECK_CLASS(MPI_Send(&n, 1, MPI_DATATYPE_NULL, me, 1, MPI_COMM_WORLD), MPI_ERR_TYPE);
}

/* Rank 0 sends to all others a number, who send nothing: each says so of the other parts. */
static void of_each(void)
{
    int *counts = check_alloc((size_t)np * sizeof(int)), *none = check_alloc((size_t)np * sizeof(int));
    int *displs = check_alloc((size_t)np * sizeof(int)), *data = check_alloc((size_t)np * sizeof(int)), in = -1;
    MPI_Datatype *to = check_alloc((size_t)np * sizeof *to), *from = check_alloc((size_t)np * sizeof *from);
    for (int i = 0; i < np; i++) {
        none[i] = displs[i] = 0;
        counts[i] = i == 0;
        data[i] = 100 + i;
        from[i] = i == 0 ? MPI_INT : MPI_DATATYPE_NULL;
        to[i] = MPI_DATATYPE_NULL;
    }
    if (me == 0 && !checking) { /* rank 0's are all there */
        for (int i = 0; i < np; i++) {
            none[i] = 1;
            displs[i] = i * (int)sizeof(int);
            to[i] = MPI_INT;
        }
    }
    int *at = check_alloc((size_t)np * sizeof(int));
    memset(at, 0, (size_t)np * sizeof(int));
    if (checking)
        counts[0] = 0, from[0] = MPI_DATATYPE_NULL;
    NOTHING(MPI_Alltoallw(data, none, displs, to, &in, counts, at, from, MPI_COMM_WORLD));
    CHECK(checking || in == 100 + me, "%d", in);
    free(counts), free(none), free(displs), free(data), free(to), free(from), free(at);
}

static void collectives(void)
{
    int *zeros = check_alloc((size_t)np * sizeof(int));
    memset(zeros, 0, (size_t)np * sizeof(int));
    MPI_Datatype null = MPI_DATATYPE_NULL;
    NOTHING(MPI_Bcast(NULL, 0, null, 0, MPI_COMM_WORLD));
    NOTHING(MPI_Allgather(NULL, 0, null, NULL, 0, null, MPI_COMM_WORLD));
    NOTHING(MPI_Alltoall(NULL, 0, null, NULL, 0, null, MPI_COMM_WORLD));
    NOTHING(MPI_Alltoallv(NULL, zeros, zeros, null, NULL, zeros, zeros, null, MPI_COMM_WORLD));
    NOTHING(MPI_Allgatherv(NULL, 0, null, NULL, zeros, zeros, null, MPI_COMM_WORLD));
    NOTHING(MPI_Gatherv(NULL, 0, null, NULL, zeros, zeros, null, np - 1, MPI_COMM_WORLD));
    NOTHING(MPI_Scatterv(NULL, zeros, zeros, null, NULL, 0, null, 0, MPI_COMM_WORLD));
    free(zeros);
}

static void neighbors(void)
{
    MPI_Comm ring;
    int x[2] = {0, 0}, y[2] = {0, 0}, zeros[2] = {0, 0}, wrap = 1;
    MPI_Aint places[2] = {0, 0};
    MPI_Datatype nulls[2] = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
    CHECK_OK(MPI_Cart_create(MPI_COMM_WORLD, 1, &np, &wrap, 0, &ring));
    NOTHING(MPI_Neighbor_alltoall(x, 0, MPI_DATATYPE_NULL, y, 0, MPI_DATATYPE_NULL, ring));
    NOTHING(MPI_Neighbor_alltoallw(x, zeros, places, nulls, y, zeros, places, nulls, ring));
    CHECK_OK(MPI_Comm_free(&ring));
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    if (CHECK_SMALL)
        return check_skip(); /* no room to be lenient */
    check_return_errors();
    const char *setting = getenv("MPICO_CHECK");
    checking = setting && atoi(setting);
    messages();
    of_each();
    collectives();
    neighbors();
    return check_finish();
}
