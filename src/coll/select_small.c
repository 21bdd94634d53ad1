/* select_small.c: in place of select.c in small builds: one algorithm a collective, the shortest, so that the others are not linked. */
#include "select.h"

#include "../core/rank.h"
#include "mpi.h"
#include "op.h"

/* In the order of ranks, then to all. */
static void allreduce(struct schedule *s, const struct coll_call *call)
{
    mpico_reduce_linear(s, call);
    mpico_schedule_round(s);
    mpico_bcast_binomial(s, call);
}

static coll_build *const builders[COLLS] = {
    [COLL_BARRIER] = mpico_barrier_dissemination,
    [COLL_BCAST] = mpico_bcast_binomial,
    [COLL_GATHER] = mpico_gather_linear,
    [COLL_GATHERV] = mpico_gather_linear,
    [COLL_SCATTER] = mpico_scatter_linear,
    [COLL_SCATTERV] = mpico_scatter_linear,
    [COLL_ALLGATHER] = mpico_allgather_linear,
    [COLL_ALLGATHERV] = mpico_allgather_linear,
    [COLL_ALLTOALL] = mpico_alltoall_linear,
    [COLL_ALLTOALLV] = mpico_alltoall_linear,
    [COLL_ALLTOALLW] = mpico_alltoall_linear,
    [COLL_REDUCE] = mpico_reduce_linear,
    [COLL_ALLREDUCE] = allreduce,
    [COLL_REDUCE_SCATTER] = mpico_reduce_scatter_linear,
    [COLL_REDUCE_SCATTER_BLOCK] = mpico_reduce_scatter_linear,
    [COLL_SCAN] = mpico_scan_linear,
    [COLL_EXSCAN] = mpico_scan_linear,
};

const char *mpico_coll_name(enum coll what)
{
    (void)what;
    return "the collective";
}

coll_build *mpico_coll_builder(const struct schedule *s, const struct coll_call *call, const struct algorithm *forced)
{
    (void)s, (void)forced;
    return builders[call->what];
}

/* There is nothing to choose. */
int mpico_coll_force(struct rank *r, const char *text)
{
    return *text ? mpico_fault(r, MPI_ERR_ARG, "each collective has one algorithm") : 0;
}
