/* coll_parts.c: blocking collectives in which every pair of ranks has a part, or every rank one of its own length (MPI 5.0,
 * chapter 6).
 */
#include "coll_args.h"

#pragma weak MPI_Gatherv = PMPI_Gatherv
int PMPI_Gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                 const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Gatherv");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer send = {.buf = sendbuf, .count = sendcount, .type = sendtype};
    const struct buffer recv = {
        .buf = recvbuf, .counts = recvcounts, .displs = displs, .sides = api_coll_sides, .type = recvtype};
    int e = api_coll_rooted(r, &x, COLL_GATHERV, &send, &recv, root, comm, &c);
    return api_coll_steps(r, c, &x, e);
}

#pragma weak MPI_Scatterv = PMPI_Scatterv
int PMPI_Scatterv(const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void *recvbuf,
                  int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Scatterv");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer send = {
        .buf = sendbuf, .counts = sendcounts, .displs = displs, .sides = api_coll_sides, .type = sendtype};
    const struct buffer recv = {.buf = recvbuf, .count = recvcount, .type = recvtype};
    int e = api_coll_rooted(r, &x, COLL_SCATTERV, &send, &recv, root, comm, &c);
    return api_coll_steps(r, c, &x, e);
}

#pragma weak MPI_Allgatherv = PMPI_Allgatherv
int PMPI_Allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                    const int displs[], MPI_Datatype recvtype, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Allgatherv");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer send = {.buf = sendbuf, .count = sendcount, .type = sendtype};
    const struct buffer recv = {
        .buf = recvbuf, .counts = recvcounts, .displs = displs, .sides = api_coll_sides, .type = recvtype};
    int e = api_coll_all(r, &x, COLL_ALLGATHERV, &send, &recv, comm, &c);
    return api_coll_steps(r, c, &x, e);
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
    return api_coll_steps(r, c, &x, e);
}

#pragma weak MPI_Alltoallv = PMPI_Alltoallv
int PMPI_Alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                   void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Alltoallv");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer send = {
        .buf = sendbuf, .counts = sendcounts, .displs = sdispls, .sides = api_coll_sides, .type = sendtype};
    const struct buffer recv = {
        .buf = recvbuf, .counts = recvcounts, .displs = rdispls, .sides = api_coll_sides, .type = recvtype};
    int e = api_coll_all(r, &x, COLL_ALLTOALLV, &send, &recv, comm, &c);
    return api_coll_steps(r, c, &x, e);
}

#pragma weak MPI_Alltoallw = PMPI_Alltoallw
int PMPI_Alltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[],
                   void *recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[],
                   MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Alltoallw");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer send = {
        .buf = sendbuf, .counts = sendcounts, .displs = sdispls, .sides = api_coll_sides, .types = sendtypes};
    const struct buffer recv = {
        .buf = recvbuf, .counts = recvcounts, .displs = rdispls, .sides = api_coll_sides, .types = recvtypes};
    int e = api_coll_all(r, &x, COLL_ALLTOALLW, &send, &recv, comm, &c);
    return api_coll_steps(r, c, &x, e);
}
