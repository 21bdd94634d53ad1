/* bare_coll.c: collectives, as messages between neighbours where that saves hops. All block; MPI_COMM_SELF has nobody to talk to. */
#include <string.h>

#include "bare.h"

static const struct bare_comm *enter(const char *call, MPI_Comm comm, int root)
{
    mpico_bare_enter(call);
    const struct bare_comm *c = mpico_bare_comm(comm);
    mpico_bare_check_rank("root", root, c);
    return c;
}

static void send(const void *buf, size_t bytes, int dest) { mpico_bare_send(buf, bytes, dest, 0, BARE_COLLECTIVES); }

static void recv(void *buf, size_t bytes, int source)
{
    struct bare_announced m = mpico_bare_recv(buf, bytes, &source, 0, BARE_COLLECTIVES);
    if (m.length != bytes)
        mpico_bare_die(MPI_ERR_COUNT, "rank %d gives %z bytes, this one expects %z", source, (size_t)m.length, bytes);
}

/* From neighbour to neighbour, all the way round. */
static void bcast(const struct bare_comm *c, void *buf, size_t bytes, int root)
{
    int right = c->rank + 1 < c->size ? c->rank + 1 : 0, left = (c->rank ? c->rank : c->size) - 1;
    if (c->rank != root)
        recv(buf, bytes, left);
    if (right != root)
        send(buf, bytes, right);
}

/* Its own block, unless it is in place. */
static void own(void *to, const void *from, size_t bytes)
{
    if (from != MPI_IN_PLACE && to != MPI_IN_PLACE && bytes)
        memcpy(to, from, bytes);
}

#pragma weak MPI_Barrier = PMPI_Barrier
int PMPI_Barrier(MPI_Comm comm)
{
    const struct bare_comm *c = enter("MPI_Barrier", comm, 0);
    bcast(c, NULL, 0, 0);           /* the last rank knows that all are here, */
    bcast(c, NULL, 0, c->size - 1); /* and then all do */
    return MPI_SUCCESS;
}

#pragma weak MPI_Bcast = PMPI_Bcast
int PMPI_Bcast(void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    const struct bare_comm *c = enter("MPI_Bcast", comm, root);
    bcast(c, buf, mpico_bare_bytes(buf, count, type), root);
    return MPI_SUCCESS;
}

#pragma weak MPI_Gather = PMPI_Gather
int PMPI_Gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    const struct bare_comm *c = enter("MPI_Gather", comm, root);
    if (c->rank != root) {
        send(sendbuf, mpico_bare_bytes(sendbuf, sendcount, sendtype), root);
        return MPI_SUCCESS;
    }
    size_t block = mpico_bare_bytes(recvbuf, recvcount, recvtype);
    uint8_t *to = recvbuf;
    for (int i = 0; i < c->size; i++, to += block) {
        if (i == root)
            own(to, sendbuf, block);
        else
            recv(to, block, i);
    }
    return MPI_SUCCESS;
}

#pragma weak MPI_Scatter = PMPI_Scatter
int PMPI_Scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                 MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    const struct bare_comm *c = enter("MPI_Scatter", comm, root);
    if (c->rank != root) {
        recv(recvbuf, mpico_bare_bytes(recvbuf, recvcount, recvtype), root);
        return MPI_SUCCESS;
    }
    size_t block = mpico_bare_bytes(sendbuf, sendcount, sendtype);
    const uint8_t *from = sendbuf;
    for (int i = 0; i < c->size; i++, from += block) {
        if (i == root)
            own(recvbuf, from, block);
        else
            send(from, block, i);
    }
    return MPI_SUCCESS;
}

#pragma weak MPI_Allgather = PMPI_Allgather
int PMPI_Allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm)
{
    const struct bare_comm *c = enter("MPI_Allgather", comm, 0);
    size_t block = mpico_bare_bytes(recvbuf, recvcount, recvtype);
    uint8_t *at = recvbuf;
    if (sendbuf != MPI_IN_PLACE && mpico_bare_bytes(sendbuf, sendcount, sendtype) != block)
        mpico_bare_die(MPI_ERR_COUNT, "what is sent is not as long as a block that is received");
    own(at + (size_t)c->rank * block, sendbuf, block);
    for (int root = 0; root < c->size; root++, at += block)
        bcast(c, at, block, root);
    return MPI_SUCCESS;
}
