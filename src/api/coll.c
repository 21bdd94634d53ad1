/* coll.c: the blocking collectives that a network may do by itself (MPI 5.0, chapter 6), and their like. Each
 * says how its arguments form a call; checking them is in coll_args.c, the work below src/coll/coll.h.
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
    const struct buffer b = api_buffer(buffer, count, datatype);
    int e = api_coll_bcast(r, &x, &b, root, comm, &c);
    return api_coll_run(r, c, &x, e);
}

#pragma weak MPI_Gather = PMPI_Gather
int PMPI_Gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Gather");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_buffer(recvbuf, recvcount, recvtype);
    int e = api_coll_rooted(r, &x, COLL_GATHER, &send, &recv, root, comm, &c);
    return api_coll_run(r, c, &x, e);
}

#pragma weak MPI_Scatter = PMPI_Scatter
int PMPI_Scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                 MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Scatter");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_buffer(recvbuf, recvcount, recvtype);
    int e = api_coll_rooted(r, &x, COLL_SCATTER, &send, &recv, root, comm, &c);
    return api_coll_run(r, c, &x, e);
}

#pragma weak MPI_Allgather = PMPI_Allgather
int PMPI_Allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Allgather");
    struct comm *c = NULL;
    struct coll_call x;
    const struct buffer send = api_buffer(sendbuf, sendcount, sendtype);
    const struct buffer recv = api_buffer(recvbuf, recvcount, recvtype);
    int e = api_coll_all(r, &x, COLL_ALLGATHER, &send, &recv, comm, &c);
    return api_coll_run(r, c, &x, e);
}
