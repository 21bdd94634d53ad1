/* coll_small.c: in place of coll.c in small builds: the collectives that only move data, as blocking messages, without a
 * schedule. Data goes to the right, one link of a ring of nodes at a time: the broadcast as a chain, cut in pieces so that all
 * links work at once; the allgather as the classic ring. Every rank of a job must come from a small build.
 */
#include "finish.h"

/* One collective of this rank. */
struct plain {
    struct rank *rank;
    struct comm *comm;
    int tag;
    int error;           /* the first; other messages still move, because the peers wait for them */
    struct data out, in; /* of each part */
};

static int left_of(const struct plain *p) { return (p->comm->rank ? p->comm->rank : p->comm->size) - 1; }
static int right_of(const struct plain *p) { return p->comm->rank + 1 < p->comm->size ? p->comm->rank + 1 : 0; }

static void finish(struct plain *p, struct request *q)
{
    mpico_wait(p->rank, q);
    if (q->error && !p->error)
        p->error = api_request_fault(p->rank, q);
}

static void send(struct plain *p, const void *buf, int to)
{
    struct request q;
    q.flags = 0;
    mpico_send_init(&q, buf, p->out.count, p->out.type, to, p->tag, p->comm, comm_coll_context(p->comm), SEND_STANDARD);
    mpico_send_start(p->rank, &q);
    finish(p, &q);
}

static void recv_start(const struct plain *p, struct request *q, void *buf, int from)
{
    q->flags = 0;
    mpico_recv_init(q, buf, p->in.count, p->in.type, from, p->tag, p->comm, comm_coll_context(p->comm));
    mpico_recv_start(p->rank, q);
}

static void recv(struct plain *p, void *buf, int from)
{
    struct request q;
    recv_start(p, &q, buf, from);
    finish(p, &q);
}

static void both(struct plain *p, const void *out, int to, void *in, int from)
{
    struct request q;
    recv_start(p, &q, in, from);
    send(p, out, to);
    finish(p, &q);
}

/* This rank's own part, from one end to the other. */
static void own(struct plain *p, const void *out, void *in)
{
    if (out == in)
        p->error = mpico_fault(p->rank, MPI_ERR_BUFFER, "sendbuf and recvbuf are the same memory; say MPI_IN_PLACE");
    else if (out != MPI_IN_PLACE && in != MPI_IN_PLACE)
        both(p, out, p->comm->rank, in, p->comm->rank);
}

/* The i-th part of a buffer of one part a rank. */
static void *part(const void *buf, const struct data *d, int i)
{
    return (char *)(uintptr_t)buf + (size_t)i * d->count * d->type->extent;
}

/* Enter a collective. 0, or the class of the error. */
static int enter(struct plain *p, const char *call, int root, MPI_Comm comm)
{
    p->rank = api_enter(call);
    p->comm = NULL;
    p->error = check_comm(p->rank, comm, &p->comm);
    if (!p->error) {
        p->tag = comm_coll_tag(p->comm);
        p->error = check_root(p->rank, p->comm, root);
    }
    return p->error;
}

static int leave(struct plain *p) { return p->error ? api_error(p->rank, p->comm, p->error) : MPI_SUCCESS; }

/* Check one end of the call. */
static int data(struct plain *p, struct data *d, const void *buf, int count, MPI_Datatype type)
{
    return p->error = check_data(p->rank, buf, count, type, "buf", d);
}

/* Dissemination: after round k this rank has heard, perhaps through others, of the 2^k ranks before it. */
#pragma weak MPI_Barrier = PMPI_Barrier
int PMPI_Barrier(MPI_Comm comm)
{
    struct plain p;
    if (enter(&p, "MPI_Barrier", 0, comm))
        return leave(&p);
    int rank = p.comm->rank, size = p.comm->size;
    p.out = p.in = (struct data){0, &mpico_type_byte};
    for (int k = 1; k < size; k *= 2)
        both(&p, NULL, (rank + k) % size, NULL, (rank - k + size) % size);
    return leave(&p);
}

#pragma weak MPI_Bcast = PMPI_Bcast
int PMPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
    struct plain p;
    if (enter(&p, "MPI_Bcast", root, comm) || data(&p, &p.in, buffer, count, datatype))
        return leave(&p);
    size_t rest = p.in.count, most = p.in.type == &mpico_type_byte ? p.rank->links->mtu : rest;
    for (char *at = buffer; rest; at += p.in.count * p.in.type->extent, rest -= p.in.count) {
        p.in.count = rest < most ? rest : most;
        p.out = p.in;
        if (p.comm->rank != root)
            recv(&p, at, left_of(&p));
        if (right_of(&p) != root)
            send(&p, at, right_of(&p));
    }
    return leave(&p);
}

#pragma weak MPI_Gather = PMPI_Gather
int PMPI_Gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct plain p;
    if (enter(&p, "MPI_Gather", root, comm))
        return leave(&p);
    int here = p.comm->rank == root;
    if (!(here && sendbuf == MPI_IN_PLACE) && data(&p, &p.out, sendbuf, sendcount, sendtype))
        return leave(&p);
    if (!here)
        send(&p, sendbuf, root);
    else if (!data(&p, &p.in, recvbuf, recvcount, recvtype))
        for (int i = 0; i < p.comm->size; i++) {
            void *at = part(recvbuf, &p.in, i);
            if (i != root)
                recv(&p, at, i);
            else
                own(&p, sendbuf, at);
        }
    return leave(&p);
}

#pragma weak MPI_Scatter = PMPI_Scatter
int PMPI_Scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                 MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct plain p;
    if (enter(&p, "MPI_Scatter", root, comm))
        return leave(&p);
    int here = p.comm->rank == root;
    if (!(here && recvbuf == MPI_IN_PLACE) && data(&p, &p.in, recvbuf, recvcount, recvtype))
        return leave(&p);
    if (!here)
        recv(&p, recvbuf, root);
    else if (!data(&p, &p.out, sendbuf, sendcount, sendtype))
        for (int i = 0; i < p.comm->size; i++) {
            void *at = part(sendbuf, &p.out, i);
            if (i != root)
                send(&p, at, i);
            else
                own(&p, at, recvbuf);
        }
    return leave(&p);
}

#pragma weak MPI_Allgather = PMPI_Allgather
int PMPI_Allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm)
{
    struct plain p;
    if (enter(&p, "MPI_Allgather", 0, comm) || data(&p, &p.in, recvbuf, recvcount, recvtype) ||
        (sendbuf != MPI_IN_PLACE && data(&p, &p.out, sendbuf, sendcount, sendtype)))
        return leave(&p);
    int rank = p.comm->rank, size = p.comm->size;
    own(&p, sendbuf, part(recvbuf, &p.in, rank));
    p.out = p.in;
    for (int from, at = rank; (from = (at + size - 1) % size) != rank; at = from)
        both(&p, part(recvbuf, &p.in, at), right_of(&p), part(recvbuf, &p.in, from), left_of(&p));
    return leave(&p);
}
