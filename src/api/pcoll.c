/* pcoll.c: persistent collectives (MPI 5.0, section 6.13): the schedule is built here and started by MPI_Start. The info argument
 * could only hint; that it is one is checked when the schedule is kept.
 */
#include "coll_args.h"

#pragma weak MPI_Barrier_init = PMPI_Barrier_init
int PMPI_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Barrier_init");
    r->hints = info;
    return api_do_barrier(r, comm, api_launch_keep, request);
}

#pragma weak MPI_Bcast_init = PMPI_Bcast_init
int PMPI_Bcast_init(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info,
                    MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Bcast_init");
    const struct buffer b = api_buffer(buffer, count, datatype);
    r->hints = info;
    return api_do_bcast(r, &b, root, comm, api_launch_keep, request);
}

#pragma weak MPI_Gather_init = PMPI_Gather_init
int PMPI_Gather_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                     MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Gather_init");
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_buffer(recvbuf, recvcount, recvtype);
    r->hints = info;
    return api_do_rooted(r, COLL_GATHER, &send, &recv, root, comm, api_launch_keep, request);
}

#pragma weak MPI_Gatherv_init = PMPI_Gatherv_init
int PMPI_Gatherv_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                      const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                      MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Gatherv_init");
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_parts(recvbuf, recvcounts, displs, recvtype);
    r->hints = info;
    return api_do_rooted(r, COLL_GATHERV, &send, &recv, root, comm, api_launch_keep, request);
}

#pragma weak MPI_Scatter_init = PMPI_Scatter_init
int PMPI_Scatter_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                      MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Scatter_init");
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_buffer(recvbuf, recvcount, recvtype);
    r->hints = info;
    return api_do_rooted(r, COLL_SCATTER, &send, &recv, root, comm, api_launch_keep, request);
}

#pragma weak MPI_Scatterv_init = PMPI_Scatterv_init
int PMPI_Scatterv_init(const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
                       void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                       MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Scatterv_init");
    const struct buffer send = api_parts(sendbuf, sendcounts, displs, sendtype);
    const struct buffer recv = api_buffer(recvbuf, recvcount, recvtype);
    r->hints = info;
    return api_do_rooted(r, COLL_SCATTERV, &send, &recv, root, comm, api_launch_keep, request);
}

#pragma weak MPI_Allgather_init = PMPI_Allgather_init
int PMPI_Allgather_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                        MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Allgather_init");
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_buffer(recvbuf, recvcount, recvtype);
    r->hints = info;
    return api_do_all(r, COLL_ALLGATHER, &send, &recv, comm, api_launch_keep, request);
}

#pragma weak MPI_Allgatherv_init = PMPI_Allgatherv_init
int PMPI_Allgatherv_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                         const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm,
                         MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Allgatherv_init");
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_parts(recvbuf, recvcounts, displs, recvtype);
    r->hints = info;
    return api_do_all(r, COLL_ALLGATHERV, &send, &recv, comm, api_launch_keep, request);
}

#pragma weak MPI_Alltoall_init = PMPI_Alltoall_init
int PMPI_Alltoall_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                       MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Alltoall_init");
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_buffer(recvbuf, recvcount, recvtype);
    r->hints = info;
    return api_do_all(r, COLL_ALLTOALL, &send, &recv, comm, api_launch_keep, request);
}

#pragma weak MPI_Alltoallv_init = PMPI_Alltoallv_init
int PMPI_Alltoallv_init(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                        void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                        MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Alltoallv_init");
    const struct buffer send = api_parts(sendbuf, sendcounts, sdispls, sendtype);
    const struct buffer recv = api_parts(recvbuf, recvcounts, rdispls, recvtype);
    r->hints = info;
    return api_do_all(r, COLL_ALLTOALLV, &send, &recv, comm, api_launch_keep, request);
}

#pragma weak MPI_Alltoallw_init = PMPI_Alltoallw_init
int PMPI_Alltoallw_init(const void *sendbuf, const int sendcounts[], const int sdispls[],
                        const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[],
                        const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Alltoallw_init");
    const struct buffer send = api_typed(api_parts(sendbuf, sendcounts, sdispls, MPI_DATATYPE_NULL), sendtypes);
    const struct buffer recv = api_typed(api_parts(recvbuf, recvcounts, rdispls, MPI_DATATYPE_NULL), recvtypes);
    r->hints = info;
    return api_do_all(r, COLL_ALLTOALLW, &send, &recv, comm, api_launch_keep, request);
}
