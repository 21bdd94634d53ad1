/* icoll.c: nonblocking collectives (MPI 5.0, section 6.12): the calls of coll.c, started instead of run. */
#include "coll_args.h"

#pragma weak MPI_Ibarrier = PMPI_Ibarrier
int PMPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ibarrier");
    return api_do_barrier(r, comm, api_launch_start, request);
}

#pragma weak MPI_Ibcast = PMPI_Ibcast
int PMPI_Ibcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ibcast");
    const struct buffer b = api_buffer(buffer, count, datatype);
    return api_do_bcast(r, &b, root, comm, api_launch_start, request);
}

#pragma weak MPI_Igather = PMPI_Igather
int PMPI_Igather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                 MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Igather");
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_buffer(recvbuf, recvcount, recvtype);
    return api_do_rooted(r, COLL_GATHER, &send, &recv, root, comm, api_launch_start, request);
}

#pragma weak MPI_Igatherv = PMPI_Igatherv
int PMPI_Igatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                  const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Igatherv");
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_parts(recvbuf, recvcounts, displs, recvtype);
    return api_do_rooted(r, COLL_GATHERV, &send, &recv, root, comm, api_launch_start, request);
}

#pragma weak MPI_Iscatter = PMPI_Iscatter
int PMPI_Iscatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                  MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Iscatter");
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_buffer(recvbuf, recvcount, recvtype);
    return api_do_rooted(r, COLL_SCATTER, &send, &recv, root, comm, api_launch_start, request);
}

#pragma weak MPI_Iscatterv = PMPI_Iscatterv
int PMPI_Iscatterv(const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
                   void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Iscatterv");
    const struct buffer send = api_parts(sendbuf, sendcounts, displs, sendtype);
    const struct buffer recv = api_buffer(recvbuf, recvcount, recvtype);
    return api_do_rooted(r, COLL_SCATTERV, &send, &recv, root, comm, api_launch_start, request);
}

#pragma weak MPI_Iallgather = PMPI_Iallgather
int PMPI_Iallgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                    MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Iallgather");
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_buffer(recvbuf, recvcount, recvtype);
    return api_do_all(r, COLL_ALLGATHER, &send, &recv, comm, api_launch_start, request);
}

#pragma weak MPI_Iallgatherv = PMPI_Iallgatherv
int PMPI_Iallgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                     const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Iallgatherv");
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_parts(recvbuf, recvcounts, displs, recvtype);
    return api_do_all(r, COLL_ALLGATHERV, &send, &recv, comm, api_launch_start, request);
}

#pragma weak MPI_Ialltoall = PMPI_Ialltoall
int PMPI_Ialltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ialltoall");
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_buffer(recvbuf, recvcount, recvtype);
    return api_do_all(r, COLL_ALLTOALL, &send, &recv, comm, api_launch_start, request);
}

#pragma weak MPI_Ialltoallv = PMPI_Ialltoallv
int PMPI_Ialltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                    void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                    MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ialltoallv");
    const struct buffer send = api_parts(sendbuf, sendcounts, sdispls, sendtype);
    const struct buffer recv = api_parts(recvbuf, recvcounts, rdispls, recvtype);
    return api_do_all(r, COLL_ALLTOALLV, &send, &recv, comm, api_launch_start, request);
}

#pragma weak MPI_Ialltoallw = PMPI_Ialltoallw
int PMPI_Ialltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[],
                    void *recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[],
                    MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ialltoallw");
    const struct buffer send = api_typed(api_parts(sendbuf, sendcounts, sdispls, MPI_DATATYPE_NULL), sendtypes);
    const struct buffer recv = api_typed(api_parts(recvbuf, recvcounts, rdispls, MPI_DATATYPE_NULL), recvtypes);
    return api_do_all(r, COLL_ALLTOALLW, &send, &recv, comm, api_launch_start, request);
}
