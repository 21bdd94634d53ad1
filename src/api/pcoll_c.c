/* pcoll_c.c: persistent collectives with counts of type MPI_Count (MPI 5.0, section 6.13). */
#include "coll_args.h"

#pragma weak MPI_Bcast_init_c = PMPI_Bcast_init_c
int PMPI_Bcast_init_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info,
                      MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Bcast_init_c");
    const struct buffer b = api_buffer(buffer, count, datatype);
    r->hints = info;
    return api_do_bcast(r, &b, root, comm, api_launch_keep, request);
}

#pragma weak MPI_Gather_init_c = PMPI_Gather_init_c
int PMPI_Gather_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                       MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                       MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Gather_init_c");
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_buffer(recvbuf, recvcount, recvtype);
    r->hints = info;
    return api_do_rooted(r, COLL_GATHER, &send, &recv, root, comm, api_launch_keep, request);
}

#pragma weak MPI_Gatherv_init_c = PMPI_Gatherv_init_c
int PMPI_Gatherv_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                        const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, int root,
                        MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Gatherv_init_c");
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_parts_c(recvbuf, recvcounts, displs, recvtype);
    r->hints = info;
    return api_do_rooted(r, COLL_GATHERV, &send, &recv, root, comm, api_launch_keep, request);
}

#pragma weak MPI_Scatter_init_c = PMPI_Scatter_init_c
int PMPI_Scatter_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                        MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                        MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Scatter_init_c");
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_buffer(recvbuf, recvcount, recvtype);
    r->hints = info;
    return api_do_rooted(r, COLL_SCATTER, &send, &recv, root, comm, api_launch_keep, request);
}

#pragma weak MPI_Scatterv_init_c = PMPI_Scatterv_init_c
int PMPI_Scatterv_init_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                         MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root,
                         MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Scatterv_init_c");
    const struct buffer send = api_parts_c(sendbuf, sendcounts, displs, sendtype);
    const struct buffer recv = api_buffer(recvbuf, recvcount, recvtype);
    r->hints = info;
    return api_do_rooted(r, COLL_SCATTERV, &send, &recv, root, comm, api_launch_keep, request);
}

#pragma weak MPI_Allgather_init_c = PMPI_Allgather_init_c
int PMPI_Allgather_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                          MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                          MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Allgather_init_c");
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_buffer(recvbuf, recvcount, recvtype);
    r->hints = info;
    return api_do_all(r, COLL_ALLGATHER, &send, &recv, comm, api_launch_keep, request);
}

#pragma weak MPI_Allgatherv_init_c = PMPI_Allgatherv_init_c
int PMPI_Allgatherv_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                           const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm,
                           MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Allgatherv_init_c");
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_parts_c(recvbuf, recvcounts, displs, recvtype);
    r->hints = info;
    return api_do_all(r, COLL_ALLGATHERV, &send, &recv, comm, api_launch_keep, request);
}

#pragma weak MPI_Alltoall_init_c = PMPI_Alltoall_init_c
int PMPI_Alltoall_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                         MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Alltoall_init_c");
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_buffer(recvbuf, recvcount, recvtype);
    r->hints = info;
    return api_do_all(r, COLL_ALLTOALL, &send, &recv, comm, api_launch_keep, request);
}

#pragma weak MPI_Alltoallv_init_c = PMPI_Alltoallv_init_c
int PMPI_Alltoallv_init_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                          MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                          MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Alltoallv_init_c");
    const struct buffer send = api_parts_c(sendbuf, sendcounts, sdispls, sendtype);
    const struct buffer recv = api_parts_c(recvbuf, recvcounts, rdispls, recvtype);
    r->hints = info;
    return api_do_all(r, COLL_ALLTOALLV, &send, &recv, comm, api_launch_keep, request);
}

#pragma weak MPI_Alltoallw_init_c = PMPI_Alltoallw_init_c
int PMPI_Alltoallw_init_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                          const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
                          const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
                          MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Alltoallw_init_c");
    const struct buffer send = api_typed(api_parts_c(sendbuf, sendcounts, sdispls, MPI_DATATYPE_NULL), sendtypes);
    const struct buffer recv = api_typed(api_parts_c(recvbuf, recvcounts, rdispls, MPI_DATATYPE_NULL), recvtypes);
    r->hints = info;
    return api_do_all(r, COLL_ALLTOALLW, &send, &recv, comm, api_launch_keep, request);
}
