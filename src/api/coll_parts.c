/* coll_parts.c: blocking collectives in which every pair of ranks has a part, or every rank one of its own length (MPI 5.0,
 * chapter 6).
 */
#include "coll_args.h"

#pragma weak MPI_Gatherv = PMPI_Gatherv
int PMPI_Gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                 const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Gatherv");
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_parts(recvbuf, recvcounts, displs, recvtype);
    return api_do_rooted(r, COLL_GATHERV, &send, &recv, root, comm, api_launch_run, NULL);
}

#pragma weak MPI_Scatterv = PMPI_Scatterv
int PMPI_Scatterv(const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void *recvbuf,
                  int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Scatterv");
    const struct buffer send = api_parts(sendbuf, sendcounts, displs, sendtype);
    const struct buffer recv = api_buffer(recvbuf, recvcount, recvtype);
    return api_do_rooted(r, COLL_SCATTERV, &send, &recv, root, comm, api_launch_run, NULL);
}

#pragma weak MPI_Allgatherv = PMPI_Allgatherv
int PMPI_Allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                    const int displs[], MPI_Datatype recvtype, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Allgatherv");
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_parts(recvbuf, recvcounts, displs, recvtype);
    return api_do_all(r, COLL_ALLGATHERV, &send, &recv, comm, api_launch_run, NULL);
}

#pragma weak MPI_Alltoall = PMPI_Alltoall
int PMPI_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                  MPI_Datatype recvtype, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Alltoall");
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_buffer(recvbuf, recvcount, recvtype);
    return api_do_all(r, COLL_ALLTOALL, &send, &recv, comm, api_launch_run, NULL);
}

#pragma weak MPI_Alltoallv = PMPI_Alltoallv
int PMPI_Alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                   void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Alltoallv");
    const struct buffer send = api_parts(sendbuf, sendcounts, sdispls, sendtype);
    const struct buffer recv = api_parts(recvbuf, recvcounts, rdispls, recvtype);
    return api_do_all(r, COLL_ALLTOALLV, &send, &recv, comm, api_launch_run, NULL);
}

#pragma weak MPI_Alltoallw = PMPI_Alltoallw
int PMPI_Alltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[],
                   void *recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[],
                   MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Alltoallw");
    const struct buffer send = api_typed(api_parts(sendbuf, sendcounts, sdispls, MPI_DATATYPE_NULL), sendtypes);
    const struct buffer recv = api_typed(api_parts(recvbuf, recvcounts, rdispls, MPI_DATATYPE_NULL), recvtypes);
    return api_do_all(r, COLL_ALLTOALLW, &send, &recv, comm, api_launch_run, NULL);
}
