/* coll.c: blocking collectives (MPI 5.0, chapter 6). Each says how its arguments form a call; checking them is
 * in coll_args.c, the work below src/coll/coll.h.
 */
#include "coll_args.h"

#pragma weak MPI_Barrier = PMPI_Barrier
int PMPI_Barrier(MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Barrier");
    struct comm *c = NULL;
    struct coll_call x;
    int e = api_coll_barrier(r, &x, comm, &c);
    return api_coll_run(r, c, &x, e);
}

#pragma weak MPI_Bcast = PMPI_Bcast
int PMPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Bcast");
    struct comm *c = NULL;
    struct coll_call x;
    int e = api_coll_bcast(r, &x, &(struct buffer){.buf = buffer, .count = count, .type = datatype}, root, comm, &c);
    return api_coll_run(r, c, &x, e);
}

#pragma weak MPI_Gather = PMPI_Gather
int PMPI_Gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Gather");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer send = {.buf = sendbuf, .count = sendcount, .type = sendtype};
    const struct buffer recv = {.buf = recvbuf, .count = recvcount, .type = recvtype};
    int e = api_coll_rooted(r, &x, COLL_GATHER, &send, &recv, root, comm, &c);
    return api_coll_run(r, c, &x, e);
}

#pragma weak MPI_Gatherv = PMPI_Gatherv
int PMPI_Gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                 const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Gatherv");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer send = {.buf = sendbuf, .count = sendcount, .type = sendtype};
    const struct buffer recv = {.buf = recvbuf, .counts = recvcounts, .displs = displs, .type = recvtype};
    int e = api_coll_rooted(r, &x, COLL_GATHERV, &send, &recv, root, comm, &c);
    return api_coll_run(r, c, &x, e);
}

#pragma weak MPI_Scatter = PMPI_Scatter
int PMPI_Scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                 MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Scatter");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer send = {.buf = sendbuf, .count = sendcount, .type = sendtype};
    const struct buffer recv = {.buf = recvbuf, .count = recvcount, .type = recvtype};
    int e = api_coll_rooted(r, &x, COLL_SCATTER, &send, &recv, root, comm, &c);
    return api_coll_run(r, c, &x, e);
}

#pragma weak MPI_Scatterv = PMPI_Scatterv
int PMPI_Scatterv(const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void *recvbuf,
                  int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Scatterv");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer send = {.buf = sendbuf, .counts = sendcounts, .displs = displs, .type = sendtype};
    const struct buffer recv = {.buf = recvbuf, .count = recvcount, .type = recvtype};
    int e = api_coll_rooted(r, &x, COLL_SCATTERV, &send, &recv, root, comm, &c);
    return api_coll_run(r, c, &x, e);
}

#pragma weak MPI_Allgather = PMPI_Allgather
int PMPI_Allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Allgather");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer send = {.buf = sendbuf, .count = sendcount, .type = sendtype};
    const struct buffer recv = {.buf = recvbuf, .count = recvcount, .type = recvtype};
    int e = api_coll_all(r, &x, COLL_ALLGATHER, &send, &recv, comm, &c);
    return api_coll_run(r, c, &x, e);
}

#pragma weak MPI_Allgatherv = PMPI_Allgatherv
int PMPI_Allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                    const int displs[], MPI_Datatype recvtype, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Allgatherv");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer send = {.buf = sendbuf, .count = sendcount, .type = sendtype};
    const struct buffer recv = {.buf = recvbuf, .counts = recvcounts, .displs = displs, .type = recvtype};
    int e = api_coll_all(r, &x, COLL_ALLGATHERV, &send, &recv, comm, &c);
    return api_coll_run(r, c, &x, e);
}

#pragma weak MPI_Alltoall = PMPI_Alltoall
int PMPI_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                  MPI_Datatype recvtype, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Alltoall");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer send = {.buf = sendbuf, .count = sendcount, .type = sendtype};
    const struct buffer recv = {.buf = recvbuf, .count = recvcount, .type = recvtype};
    int e = api_coll_all(r, &x, COLL_ALLTOALL, &send, &recv, comm, &c);
    return api_coll_run(r, c, &x, e);
}

#pragma weak MPI_Alltoallv = PMPI_Alltoallv
int PMPI_Alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                   void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Alltoallv");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer send = {.buf = sendbuf, .counts = sendcounts, .displs = sdispls, .type = sendtype};
    const struct buffer recv = {.buf = recvbuf, .counts = recvcounts, .displs = rdispls, .type = recvtype};
    int e = api_coll_all(r, &x, COLL_ALLTOALLV, &send, &recv, comm, &c);
    return api_coll_run(r, c, &x, e);
}

#pragma weak MPI_Alltoallw = PMPI_Alltoallw
int PMPI_Alltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[],
                   void *recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[],
                   MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Alltoallw");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer send = {.buf = sendbuf, .counts = sendcounts, .displs = sdispls, .types = sendtypes};
    const struct buffer recv = {.buf = recvbuf, .counts = recvcounts, .displs = rdispls, .types = recvtypes};
    int e = api_coll_all(r, &x, COLL_ALLTOALLW, &send, &recv, comm, &c);
    return api_coll_run(r, c, &x, e);
}

#pragma weak MPI_Reduce = PMPI_Reduce
int PMPI_Reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Reduce");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer recv = {.buf = recvbuf, .count = count, .type = datatype};
    int e = api_coll_reduction(r, &x, COLL_REDUCE, sendbuf, &recv, op, root, comm, &c);
    return api_coll_run(r, c, &x, e);
}

#pragma weak MPI_Allreduce = PMPI_Allreduce
int PMPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Allreduce");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer recv = {.buf = recvbuf, .count = count, .type = datatype};
    int e = api_coll_reduction(r, &x, COLL_ALLREDUCE, sendbuf, &recv, op, 0, comm, &c);
    return api_coll_run(r, c, &x, e);
}

#pragma weak MPI_Scan = PMPI_Scan
int PMPI_Scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Scan");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer recv = {.buf = recvbuf, .count = count, .type = datatype};
    int e = api_coll_reduction(r, &x, COLL_SCAN, sendbuf, &recv, op, 0, comm, &c);
    return api_coll_run(r, c, &x, e);
}

#pragma weak MPI_Exscan = PMPI_Exscan
int PMPI_Exscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Exscan");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer recv = {.buf = recvbuf, .count = count, .type = datatype};
    int e = api_coll_reduction(r, &x, COLL_EXSCAN, sendbuf, &recv, op, 0, comm, &c);
    return api_coll_run(r, c, &x, e);
}

#pragma weak MPI_Reduce_scatter = PMPI_Reduce_scatter
int PMPI_Reduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op,
                        MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Reduce_scatter");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer recv = {.buf = recvbuf, .counts = recvcounts, .type = datatype};
    int e = api_coll_reduction(r, &x, COLL_REDUCE_SCATTER, sendbuf, &recv, op, 0, comm, &c);
    return api_coll_run(r, c, &x, e);
}

#pragma weak MPI_Reduce_scatter_block = PMPI_Reduce_scatter_block
int PMPI_Reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                              MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Reduce_scatter_block");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer recv = {.buf = recvbuf, .count = recvcount, .type = datatype};
    int e = api_coll_reduction(r, &x, COLL_REDUCE_SCATTER_BLOCK, sendbuf, &recv, op, 0, comm, &c);
    return api_coll_run(r, c, &x, e);
}
