/* coll_args.c: see coll_args.h. MPI_IN_PLACE ends here: below, it is a flag of the call. */
#include <string.h>

#include "coll_args.h"

static int check_no_alias(struct rank *r, const struct coll_call *x, const struct part send, const struct part recv)
{
    if (x->in_place || send.buf != recv.buf || !send.buf || part_bytes(send) == 0 || part_bytes(recv) == 0)
        return 0;
    return mpico_fault(r, MPI_ERR_BUFFER, "sendbuf and recvbuf are the same memory; say MPI_IN_PLACE");
}

static int one_side(struct rank *r, struct side *side, const struct buffer *b, const char *name)
{
    int e;
    if (b->buf == MPI_IN_PLACE)
        return mpico_fault(r, MPI_ERR_BUFFER, "%s: MPI_IN_PLACE is not for this argument of this rank", name);
    if ((e = check_count(r, b->count, "count")) || (e = check_type(r, b->type, &side->type)))
        return e;
    side->buf = (void *)(uintptr_t)b->buf;
    side->count = (size_t)b->count;
    return check_buffer(r, b->buf, side->count, side->type, name);
}

static int part_types(struct rank *r, struct side *side, const struct buffer *b, int parts)
{
    const struct type **types = mpico_heap_alloc(&r->heap, (size_t)parts * sizeof(struct type *));
    if (!types)
        return mpico_fault(r, MPI_ERR_NO_MEM, "no memory for %d datatypes", parts);
    side->types = types;
    for (int i = 0; i < parts; i++) {
        int e = check_type(r, b->types[i], &types[i]);
        if (e)
            return e;
    }
    side->type = types[0];
    return 0;
}

/* A buffer of one part a rank. */
static int many_sides(struct rank *r, struct side *side, const struct buffer *b, const char *name, int parts)
{
    int e;
    if (!b->counts)
        return mpico_fault(r, MPI_ERR_ARG, "%s: the counts are a null pointer", name);
    if (!b->displs)
        return mpico_fault(r, MPI_ERR_ARG, "%s: the displacements are a null pointer", name);
    if (b->buf == MPI_IN_PLACE)
        return mpico_fault(r, MPI_ERR_BUFFER, "%s: MPI_IN_PLACE is not for this argument of this rank", name);
    if ((e = b->types ? part_types(r, side, b, parts) : check_type(r, b->type, &side->type)))
        return e;
    side->buf = (void *)(uintptr_t)b->buf;
    side->counts = b->counts;
    side->displs = b->displs;
    for (int i = 0; i < parts; i++)
        if ((e = check_count(r, b->counts[i], "counts")) ||
            (e = check_buffer(r, b->buf, (size_t)b->counts[i], side->types ? side->types[i] : side->type, name)))
            return e;
    return 0;
}

static int any_side(struct rank *r, struct side *side, const struct buffer *b, const char *name, int vector, int parts)
{
    return vector ? many_sides(r, side, b, name, parts) : one_side(r, side, b, name);
}

static void begin(struct coll_call *x, enum coll what)
{
    memset(x, 0, sizeof *x);
    x->what = what;
    x->send.type = x->recv.type = &mpico_schedule_byte;
}

int api_coll_barrier(struct rank *r, struct coll_call *x, MPI_Comm handle, struct comm **comm)
{
    begin(x, COLL_BARRIER);
    return check_comm(r, handle, comm);
}

int api_coll_bcast(struct rank *r, struct coll_call *x, const struct buffer *b, int root, MPI_Comm handle,
                   struct comm **comm)
{
    int e;
    begin(x, COLL_BCAST);
    x->root = root;
    if ((e = check_comm(r, handle, comm)) || (e = one_side(r, &x->recv, b, "buffer")))
        return e;
    return check_root(r, *comm, root);
}

int api_coll_rooted(struct rank *r, struct coll_call *x, enum coll what, const struct buffer *send,
                    const struct buffer *recv, int root, MPI_Comm handle, struct comm **comm)
{
    int e, gathers = what == COLL_GATHER || what == COLL_GATHERV;
    int vector = what == COLL_GATHERV || what == COLL_SCATTERV;
    begin(x, what);
    x->root = root;
    if ((e = check_comm(r, handle, comm)) || (e = check_root(r, *comm, root)))
        return e;
    /* `one`: the end every rank has; `many`: the end only the root has. */
    struct side *one = gathers ? &x->send : &x->recv, *many = gathers ? &x->recv : &x->send;
    const struct buffer *one_b = gathers ? send : recv, *many_b = gathers ? recv : send;
    const char *one_name = gathers ? "sendbuf" : "recvbuf", *many_name = gathers ? "recvbuf" : "sendbuf";
    int is_root = (*comm)->rank == root;
    x->in_place = is_root && one_b->buf == MPI_IN_PLACE;
    if (!x->in_place && (e = one_side(r, one, one_b, one_name)))
        return e;
    if (!is_root)
        return 0;
    if ((e = any_side(r, many, many_b, many_name, vector, (*comm)->size)))
        return e;
    return check_no_alias(r, x, coll_part(many, root), (struct part){one->buf, one->count, one->type});
}

int api_coll_all(struct rank *r, struct coll_call *x, enum coll what, const struct buffer *send,
                 const struct buffer *recv, MPI_Comm handle, struct comm **comm)
{
    int e, out_vector = what == COLL_ALLTOALLV || what == COLL_ALLTOALLW;
    begin(x, what);
    if ((e = check_comm(r, handle, comm)))
        return e;
    x->in_place = send->buf == MPI_IN_PLACE;
    if (!x->in_place && (e = any_side(r, &x->send, send, "sendbuf", out_vector, (*comm)->size)))
        return e;
    if ((e = any_side(r, &x->recv, recv, "recvbuf", out_vector || what == COLL_ALLGATHERV, (*comm)->size)))
        return e;
    int mine = (*comm)->rank, sides = what != COLL_ALLGATHER && what != COLL_ALLGATHERV;
    struct part out =
        sides && !x->in_place ? coll_part(&x->send, mine) : (struct part){x->send.buf, x->send.count, x->send.type};
    return check_no_alias(r, x, out, coll_part(&x->recv, mine));
}

static int block_counts(struct rank *r, struct coll_call *x, const int *counts, int size)
{
    if (!counts)
        return mpico_fault(r, MPI_ERR_ARG, "recvcounts: is a null pointer");
    x->recv.counts = counts;
    for (int i = 0; i < size; i++) {
        int e = check_count(r, counts[i], "recvcounts");
        if (e)
            return e;
    }
    return 0;
}

int api_coll_reduction(struct rank *r, struct coll_call *x, enum coll what, const void *send, const struct buffer *recv,
                       MPI_Op op, int root, MPI_Comm handle, struct comm **comm)
{
    int e, rooted = what == COLL_REDUCE;
    begin(x, what);
    x->root = root;
    if ((e = check_comm(r, handle, comm)) || (rooted && (e = check_root(r, *comm, root))))
        return e;
    int has_result = !rooted || (*comm)->rank == root;
    x->in_place = has_result && send == MPI_IN_PLACE;
    if (!x->in_place && send == MPI_IN_PLACE)
        return mpico_fault(r, MPI_ERR_BUFFER, "sendbuf: MPI_IN_PLACE is for the root only");
    if ((e = check_count(r, recv->count, "count")) || (e = check_type(r, recv->type, &x->recv.type)) ||
        (e = check_op(r, op, x->recv.type, &x->op)))
        return e;
    if (what == COLL_REDUCE_SCATTER && (e = block_counts(r, x, recv->counts, (*comm)->size)))
        return e;
    x->recv.count = x->send.count = (size_t)recv->count;
    x->send.type = x->recv.type;
    x->recv.buf = has_result ? (void *)(uintptr_t)recv->buf : NULL;
    x->send.buf = x->in_place ? NULL : (void *)(uintptr_t)send;
    size_t mine = x->recv.counts ? (size_t)x->recv.counts[(*comm)->rank] : x->recv.count;
    if (recv->buf == MPI_IN_PLACE && has_result)
        return mpico_fault(r, MPI_ERR_BUFFER, "recvbuf: MPI_IN_PLACE belongs into sendbuf");
    if ((has_result && (e = check_buffer(r, x->recv.buf, mine, x->recv.type, "recvbuf"))) ||
        (!x->in_place && (e = check_buffer(r, send, mine, x->recv.type, "sendbuf"))))
        return e;
    return check_no_alias(r, x, (struct part){x->send.buf, mine, x->recv.type},
                          (struct part){x->recv.buf, mine, x->recv.type});
}

/* The tables of types were made here; the steps hold the types themselves. */
static void end(struct rank *r, struct coll_call *x)
{
    mpico_heap_free(&r->heap, (void *)(uintptr_t)x->send.types);
    mpico_heap_free(&r->heap, (void *)(uintptr_t)x->recv.types);
}

int api_coll_run(struct rank *r, struct comm *comm, struct coll_call *x, int e)
{
    struct request q;
    if (!e)
        e = mpico_coll_run(r, comm, x, &q);
    if (comm)
        end(r, x);
    return e ? api_error(r, comm, e) : MPI_SUCCESS;
}

static int start(struct rank *r, struct comm *comm, struct coll_call *x, MPI_Request *request)
{
    if (!request)
        return mpico_fault(r, MPI_ERR_ARG, "request: is a null pointer");
    struct request *q = mpico_request_alloc(r);
    if (!q)
        return mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a request");
    int e = mpico_coll_start(r, comm, x, q);
    if (e) {
        mpico_request_free(r, q);
        return e;
    }
    api_request_own(q);
    *request = api_request_handle(q);
    return 0;
}

int api_coll_start(struct rank *r, struct comm *comm, struct coll_call *x, MPI_Request *request, int e)
{
    if (!e)
        e = start(r, comm, x, request);
    if (comm)
        end(r, x);
    return e ? api_error(r, comm, e) : MPI_SUCCESS;
}
