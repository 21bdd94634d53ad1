/* coll.c: the blocking collectives of which the library has a plain form, too (MPI 5.0, chapter 6; src/coll/run_small.c). Each
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
