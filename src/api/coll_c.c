/* coll_c.c: blocking collectives with counts of type MPI_Count (MPI 5.0, chapter 6). */
#include "coll_args.h"

#pragma weak MPI_Bcast_c = PMPI_Bcast_c
int PMPI_Bcast_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Bcast_c");
    const struct buffer b = api_buffer(buffer, count, datatype);
    return api_do_bcast(r, &b, root, comm, api_launch_run, NULL);
}

#pragma weak MPI_Gather_c = PMPI_Gather_c
int PMPI_Gather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                  MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Gather_c");
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_buffer(recvbuf, recvcount, recvtype);
    return api_do_rooted(r, COLL_GATHER, &send, &recv, root, comm, api_launch_run, NULL);
}

#pragma weak MPI_Gatherv_c = PMPI_Gatherv_c
int PMPI_Gatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                   const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, int root,
                   MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Gatherv_c");
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_parts_c(recvbuf, recvcounts, displs, recvtype);
    return api_do_rooted(r, COLL_GATHERV, &send, &recv, root, comm, api_launch_run, NULL);
}

#pragma weak MPI_Scatter_c = PMPI_Scatter_c
int PMPI_Scatter_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                   MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Scatter_c");
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_buffer(recvbuf, recvcount, recvtype);
    return api_do_rooted(r, COLL_SCATTER, &send, &recv, root, comm, api_launch_run, NULL);
}

#pragma weak MPI_Scatterv_c = PMPI_Scatterv_c
int PMPI_Scatterv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[], MPI_Datatype sendtype,
                    void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Scatterv_c");
    const struct buffer send = api_parts_c(sendbuf, sendcounts, displs, sendtype);
    const struct buffer recv = api_buffer(recvbuf, recvcount, recvtype);
    return api_do_rooted(r, COLL_SCATTERV, &send, &recv, root, comm, api_launch_run, NULL);
}

#pragma weak MPI_Allgather_c = PMPI_Allgather_c
int PMPI_Allgather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                     MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Allgather_c");
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_buffer(recvbuf, recvcount, recvtype);
    return api_do_all(r, COLL_ALLGATHER, &send, &recv, comm, api_launch_run, NULL);
}

#pragma weak MPI_Allgatherv_c = PMPI_Allgatherv_c
int PMPI_Allgatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                      const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Allgatherv_c");
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_parts_c(recvbuf, recvcounts, displs, recvtype);
    return api_do_all(r, COLL_ALLGATHERV, &send, &recv, comm, api_launch_run, NULL);
}

#pragma weak MPI_Alltoall_c = PMPI_Alltoall_c
int PMPI_Alltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                    MPI_Datatype recvtype, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Alltoall_c");
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_buffer(recvbuf, recvcount, recvtype);
    return api_do_all(r, COLL_ALLTOALL, &send, &recv, comm, api_launch_run, NULL);
}

#pragma weak MPI_Alltoallv_c = PMPI_Alltoallv_c
int PMPI_Alltoallv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], MPI_Datatype sendtype,
                     void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype recvtype,
                     MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Alltoallv_c");
    const struct buffer send = api_parts_c(sendbuf, sendcounts, sdispls, sendtype);
    const struct buffer recv = api_parts_c(recvbuf, recvcounts, rdispls, recvtype);
    return api_do_all(r, COLL_ALLTOALLV, &send, &recv, comm, api_launch_run, NULL);
}

#pragma weak MPI_Alltoallw_c = PMPI_Alltoallw_c
int PMPI_Alltoallw_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                     const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
                     const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Alltoallw_c");
    const struct buffer send = api_typed(api_parts_c(sendbuf, sendcounts, sdispls, MPI_DATATYPE_NULL), sendtypes);
    const struct buffer recv = api_typed(api_parts_c(recvbuf, recvcounts, rdispls, MPI_DATATYPE_NULL), recvtypes);
    return api_do_all(r, COLL_ALLTOALLW, &send, &recv, comm, api_launch_run, NULL);
}
