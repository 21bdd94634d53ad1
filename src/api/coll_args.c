/* coll_args.c: see coll_args.h. MPI_IN_PLACE ends here: below, it is a flag of the call. */
#include <string.h>

#include "coll_args.h"
#include "overlap.h"

/* In checking mode: parts that begin apart and meet. */
static int no_overlap(struct rank *r, const struct part *send, const struct part *recv)
{
    const struct data sent = {send->count, send->type}, received = {recv->count, recv->type};
    if (part_bytes(*send) == 0 || part_bytes(*recv) == 0)
        return 0;
    return check_apart(r, send->buf, &sent, recv->buf, &received);
}

int api_coll_no_alias(struct rank *r, const struct coll_call *x, const struct part send, const struct part recv)
{
    if (x->in_place || !send.buf)
        return 0;
    if (send.buf != recv.buf)
        return !SMALL && __builtin_expect(r->settings.checking, 0) ? no_overlap(r, &send, &recv) : 0;
    if (part_bytes(send) == 0 || part_bytes(recv) == 0)
        return 0;
    return mpico_fault(r, MPI_ERR_BUFFER, "sendbuf and recvbuf are the same memory; say MPI_IN_PLACE");
}

static int one_side(struct rank *r, struct side *side, const struct buffer *b, const char *name)
{
    int e;
    if (b->buf == MPI_IN_PLACE)
        return mpico_fault(r, MPI_ERR_BUFFER, "%s: MPI_IN_PLACE is not for this argument of this rank", name);
    struct data data = {0};
    if ((e = check_data(r, b->buf, b->count, b->type, name, &data)))
        return e;
    *side = (struct side){.buf = (void *)(uintptr_t)b->buf, .count = data.count, .type = data.type};
    return 0;
}

int api_coll_side(struct rank *r, struct side *side, const struct buffer *b, const char *name, int parts)
{
    return b->sides ? b->sides(r, side, b, name, parts) : one_side(r, side, b, name);
}

/* Small builds have collectives within one group only. */
enum { between = !SMALL };

static int no_inter(struct rank *r) { return mpico_fault(r, MPI_ERR_COMM, "comm: is an intercommunicator"); }

void api_coll_begin(struct coll_call *x, enum coll what)
{
    memset(x, 0, sizeof *x);
    x->what = what;
    x->send.type = x->recv.type = &mpico_type_byte;
}

int api_coll_barrier(struct rank *r, struct coll_call *x, MPI_Comm handle, struct comm **comm)
{
    api_coll_begin(x, COLL_BARRIER);
    int e = check_comm(r, handle, comm);
    return !e && !between && (*comm)->local ? no_inter(r) : e;
}

int api_coll_bcast(struct rank *r, struct coll_call *x, const struct buffer *b, int root, MPI_Comm handle,
                   struct comm **comm)
{
    int e;
    api_coll_begin(x, COLL_BCAST);
    x->root = root;
    if ((e = check_comm(r, handle, comm)))
        return e;
    if ((*comm)->local)
        return between ? api_inter_bcast(r, x, b, *comm) : no_inter(r);
    return (e = one_side(r, &x->recv, b, "buffer")) ? e : check_root(r, *comm, root);
}

int api_coll_rooted(struct rank *r, struct coll_call *x, enum coll what, const struct buffer *send,
                    const struct buffer *recv, int root, MPI_Comm handle, struct comm **comm)
{
    int e, gathers = what == COLL_GATHER || what == COLL_GATHERV;
    api_coll_begin(x, what);
    x->root = root;
    if ((e = check_comm(r, handle, comm)))
        return e;
    if ((*comm)->local)
        return between ? api_inter_rooted(r, x, send, recv, *comm) : no_inter(r);
    if ((e = check_root(r, *comm, root)))
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
    if ((e = api_coll_side(r, many, many_b, many_name, (*comm)->size)))
        return e;
    return api_coll_no_alias(r, x, coll_part(many, root), (struct part){one->buf, one->count, one->type});
}

int api_coll_all(struct rank *r, struct coll_call *x, enum coll what, const struct buffer *send,
                 const struct buffer *recv, MPI_Comm handle, struct comm **comm)
{
    int e;
    api_coll_begin(x, what);
    if ((e = check_comm(r, handle, comm)))
        return e;
    x->in_place = send->buf == MPI_IN_PLACE && !(*comm)->local;
    if (!x->in_place && (e = api_coll_side(r, &x->send, send, "sendbuf", (*comm)->size)))
        return e;
    if ((e = api_coll_side(r, &x->recv, recv, "recvbuf", (*comm)->size)))
        return e;
    if ((*comm)->local)
        return between ? 0 : no_inter(r);
    int mine = (*comm)->rank, sides = what != COLL_ALLGATHER && what != COLL_ALLGATHERV;
    struct part out =
        sides && !x->in_place ? coll_part(&x->send, mine) : (struct part){x->send.buf, x->send.count, x->send.type};
    return api_coll_no_alias(r, x, out, coll_part(&x->recv, mine));
}

int api_coll_run(struct rank *r, struct comm *comm, struct coll_call *x, int e)
{
    struct request q;
    if (SMALL) /* no network does it by itself */
        return api_coll_launch(r, comm, x, api_launch_run, NULL, e);
    if (!e)
        e = mpico_coll_run(r, comm, x, &q);
    return e ? api_error(r, comm, e) : MPI_SUCCESS;
}
