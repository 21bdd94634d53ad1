/* icoll_c.c: nonblocking collectives with counts of type MPI_Count (MPI 5.0, section 6.12). */
#include "coll_args.h"

#pragma weak MPI_Ibcast_c = PMPI_Ibcast_c
int PMPI_Ibcast_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ibcast_c");
    const struct buffer b = api_buffer(buffer, count, datatype);
    return api_do_bcast(r, &b, root, comm, api_launch_start, request);
}

#pragma weak MPI_Igather_c = PMPI_Igather_c
int PMPI_Igather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                   MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Igather_c");
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_buffer(recvbuf, recvcount, recvtype);
    return api_do_rooted(r, COLL_GATHER, &send, &recv, root, comm, api_launch_start, request);
}

#pragma weak MPI_Igatherv_c = PMPI_Igatherv_c
int PMPI_Igatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                    const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, int root,
                    MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Igatherv_c");
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_parts_c(recvbuf, recvcounts, displs, recvtype);
    return api_do_rooted(r, COLL_GATHERV, &send, &recv, root, comm, api_launch_start, request);
}

#pragma weak MPI_Iscatter_c = PMPI_Iscatter_c
int PMPI_Iscatter_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                    MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Iscatter_c");
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_buffer(recvbuf, recvcount, recvtype);
    return api_do_rooted(r, COLL_SCATTER, &send, &recv, root, comm, api_launch_start, request);
}

#pragma weak MPI_Iscatterv_c = PMPI_Iscatterv_c
int PMPI_Iscatterv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[], MPI_Datatype sendtype,
                     void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                     MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Iscatterv_c");
    const struct buffer send = api_parts_c(sendbuf, sendcounts, displs, sendtype);
    const struct buffer recv = api_buffer(recvbuf, recvcount, recvtype);
    return api_do_rooted(r, COLL_SCATTERV, &send, &recv, root, comm, api_launch_start, request);
}

#pragma weak MPI_Iallgather_c = PMPI_Iallgather_c
int PMPI_Iallgather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                      MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Iallgather_c");
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_buffer(recvbuf, recvcount, recvtype);
    return api_do_all(r, COLL_ALLGATHER, &send, &recv, comm, api_launch_start, request);
}

#pragma weak MPI_Iallgatherv_c = PMPI_Iallgatherv_c
int PMPI_Iallgatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                       const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm,
                       MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Iallgatherv_c");
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_parts_c(recvbuf, recvcounts, displs, recvtype);
    return api_do_all(r, COLL_ALLGATHERV, &send, &recv, comm, api_launch_start, request);
}

#pragma weak MPI_Ialltoall_c = PMPI_Ialltoall_c
int PMPI_Ialltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                     MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ialltoall_c");
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_buffer(recvbuf, recvcount, recvtype);
    return api_do_all(r, COLL_ALLTOALL, &send, &recv, comm, api_launch_start, request);
}

#pragma weak MPI_Ialltoallv_c = PMPI_Ialltoallv_c
int PMPI_Ialltoallv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                      MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                      MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ialltoallv_c");
    const struct buffer send = api_parts_c(sendbuf, sendcounts, sdispls, sendtype);
    const struct buffer recv = api_parts_c(recvbuf, recvcounts, rdispls, recvtype);
    return api_do_all(r, COLL_ALLTOALLV, &send, &recv, comm, api_launch_start, request);
}

#pragma weak MPI_Ialltoallw_c = PMPI_Ialltoallw_c
int PMPI_Ialltoallw_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                      const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
                      const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ialltoallw_c");
    const struct buffer send = api_typed(api_parts_c(sendbuf, sendcounts, sdispls, MPI_DATATYPE_NULL), sendtypes);
    const struct buffer recv = api_typed(api_parts_c(recvbuf, recvcounts, rdispls, MPI_DATATYPE_NULL), recvtypes);
    return api_do_all(r, COLL_ALLTOALLW, &send, &recv, comm, api_launch_start, request);
}
