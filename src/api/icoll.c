/* icoll.c: nonblocking collectives (MPI 5.0, section 6.12): the calls of coll.c, started instead of run. */
#include "coll_args.h"

#pragma weak MPI_Ibarrier = PMPI_Ibarrier
int PMPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ibarrier");
    struct comm *c = NULL;
    struct coll_call x;
    int e = api_coll_barrier(r, &x, comm, &c);
    return api_coll_start(r, c, &x, request, e);
}

#pragma weak MPI_Ibcast = PMPI_Ibcast
int PMPI_Ibcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ibcast");
    struct comm *c = NULL;
    struct coll_call x;
    int e = api_coll_bcast(r, &x, &(struct buffer){.buf = buffer, .count = count, .type = datatype}, root, comm, &c);
    return api_coll_start(r, c, &x, request, e);
}

#pragma weak MPI_Igather = PMPI_Igather
int PMPI_Igather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                 MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Igather");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer send = {.buf = sendbuf, .count = sendcount, .type = sendtype};
    const struct buffer recv = {.buf = recvbuf, .count = recvcount, .type = recvtype};
    int e = api_coll_rooted(r, &x, COLL_GATHER, &send, &recv, root, comm, &c);
    return api_coll_start(r, c, &x, request, e);
}

#pragma weak MPI_Igatherv = PMPI_Igatherv
int PMPI_Igatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                  const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Igatherv");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer send = {.buf = sendbuf, .count = sendcount, .type = sendtype};
    const struct buffer recv = {
        .buf = recvbuf, .counts = recvcounts, .displs = displs, .sides = api_coll_sides, .type = recvtype};
    int e = api_coll_rooted(r, &x, COLL_GATHERV, &send, &recv, root, comm, &c);
    return api_coll_start(r, c, &x, request, e);
}

#pragma weak MPI_Iscatter = PMPI_Iscatter
int PMPI_Iscatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                  MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Iscatter");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer send = {.buf = sendbuf, .count = sendcount, .type = sendtype};
    const struct buffer recv = {.buf = recvbuf, .count = recvcount, .type = recvtype};
    int e = api_coll_rooted(r, &x, COLL_SCATTER, &send, &recv, root, comm, &c);
    return api_coll_start(r, c, &x, request, e);
}

#pragma weak MPI_Iscatterv = PMPI_Iscatterv
int PMPI_Iscatterv(const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
                   void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Iscatterv");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer send = {
        .buf = sendbuf, .counts = sendcounts, .displs = displs, .sides = api_coll_sides, .type = sendtype};
    const struct buffer recv = {.buf = recvbuf, .count = recvcount, .type = recvtype};
    int e = api_coll_rooted(r, &x, COLL_SCATTERV, &send, &recv, root, comm, &c);
    return api_coll_start(r, c, &x, request, e);
}

#pragma weak MPI_Iallgather = PMPI_Iallgather
int PMPI_Iallgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                    MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Iallgather");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer send = {.buf = sendbuf, .count = sendcount, .type = sendtype};
    const struct buffer recv = {.buf = recvbuf, .count = recvcount, .type = recvtype};
    int e = api_coll_all(r, &x, COLL_ALLGATHER, &send, &recv, comm, &c);
    return api_coll_start(r, c, &x, request, e);
}

#pragma weak MPI_Iallgatherv = PMPI_Iallgatherv
int PMPI_Iallgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                     const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Iallgatherv");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer send = {.buf = sendbuf, .count = sendcount, .type = sendtype};
    const struct buffer recv = {
        .buf = recvbuf, .counts = recvcounts, .displs = displs, .sides = api_coll_sides, .type = recvtype};
    int e = api_coll_all(r, &x, COLL_ALLGATHERV, &send, &recv, comm, &c);
    return api_coll_start(r, c, &x, request, e);
}

#pragma weak MPI_Ialltoall = PMPI_Ialltoall
int PMPI_Ialltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ialltoall");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer send = {.buf = sendbuf, .count = sendcount, .type = sendtype};
    const struct buffer recv = {.buf = recvbuf, .count = recvcount, .type = recvtype};
    int e = api_coll_all(r, &x, COLL_ALLTOALL, &send, &recv, comm, &c);
    return api_coll_start(r, c, &x, request, e);
}

#pragma weak MPI_Ialltoallv = PMPI_Ialltoallv
int PMPI_Ialltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                    void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                    MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ialltoallv");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer send = {
        .buf = sendbuf, .counts = sendcounts, .displs = sdispls, .sides = api_coll_sides, .type = sendtype};
    const struct buffer recv = {
        .buf = recvbuf, .counts = recvcounts, .displs = rdispls, .sides = api_coll_sides, .type = recvtype};
    int e = api_coll_all(r, &x, COLL_ALLTOALLV, &send, &recv, comm, &c);
    return api_coll_start(r, c, &x, request, e);
}

#pragma weak MPI_Ialltoallw = PMPI_Ialltoallw
int PMPI_Ialltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[],
                    void *recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[],
                    MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ialltoallw");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer send = {
        .buf = sendbuf, .counts = sendcounts, .displs = sdispls, .sides = api_coll_sides, .types = sendtypes};
    const struct buffer recv = {
        .buf = recvbuf, .counts = recvcounts, .displs = rdispls, .sides = api_coll_sides, .types = recvtypes};
    int e = api_coll_all(r, &x, COLL_ALLTOALLW, &send, &recv, comm, &c);
    return api_coll_start(r, c, &x, request, e);
}

#pragma weak MPI_Ireduce = PMPI_Ireduce
int PMPI_Ireduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                 MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ireduce");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer recv = {.buf = recvbuf, .count = count, .type = datatype};
    int e = api_coll_reduction(r, &x, COLL_REDUCE, sendbuf, &recv, op, root, comm, &c);
    return api_coll_start(r, c, &x, request, e);
}

#pragma weak MPI_Iallreduce = PMPI_Iallreduce
int PMPI_Iallreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                    MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Iallreduce");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer recv = {.buf = recvbuf, .count = count, .type = datatype};
    int e = api_coll_reduction(r, &x, COLL_ALLREDUCE, sendbuf, &recv, op, 0, comm, &c);
    return api_coll_start(r, c, &x, request, e);
}

#pragma weak MPI_Iscan = PMPI_Iscan
int PMPI_Iscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
               MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Iscan");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer recv = {.buf = recvbuf, .count = count, .type = datatype};
    int e = api_coll_reduction(r, &x, COLL_SCAN, sendbuf, &recv, op, 0, comm, &c);
    return api_coll_start(r, c, &x, request, e);
}

#pragma weak MPI_Iexscan = PMPI_Iexscan
int PMPI_Iexscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                 MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Iexscan");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer recv = {.buf = recvbuf, .count = count, .type = datatype};
    int e = api_coll_reduction(r, &x, COLL_EXSCAN, sendbuf, &recv, op, 0, comm, &c);
    return api_coll_start(r, c, &x, request, e);
}

#pragma weak MPI_Ireduce_scatter = PMPI_Ireduce_scatter
int PMPI_Ireduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op,
                         MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ireduce_scatter");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer recv = {.buf = recvbuf, .counts = recvcounts, .type = datatype};
    int e = api_coll_reduction(r, &x, COLL_REDUCE_SCATTER, sendbuf, &recv, op, 0, comm, &c);
    return api_coll_start(r, c, &x, request, e);
}

#pragma weak MPI_Ireduce_scatter_block = PMPI_Ireduce_scatter_block
int PMPI_Ireduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                               MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ireduce_scatter_block");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer recv = {.buf = recvbuf, .count = recvcount, .type = datatype};
    int e = api_coll_reduction(r, &x, COLL_REDUCE_SCATTER_BLOCK, sendbuf, &recv, op, 0, comm, &c);
    return api_coll_start(r, c, &x, request, e);
}
