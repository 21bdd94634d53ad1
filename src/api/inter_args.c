/* inter_args.c: the arguments of collectives on intercommunicators (MPI 5.0, section 6.2.2). In the root's group the root says
 * MPI_ROOT and the others MPI_PROC_NULL, whose buffers mean nothing; the other group names the root by its rank.
 */
#include "coll_args.h"

static int check_inter_root(struct rank *r, const struct comm *c, int root)
{
    if (root == MPI_ROOT || root == MPI_PROC_NULL || (root >= 0 && root < c->size))
        return 0;
    return mpico_fault(r, MPI_ERR_ROOT,
                       "root: %d is neither a rank of the remote group of %d, nor MPI_ROOT, nor "
                       "MPI_PROC_NULL",
                       root, c->size);
}

int api_inter_bcast(struct rank *r, struct coll_call *x, const struct buffer *b, const struct comm *c)
{
    int e = check_inter_root(r, c, x->root);
    return e || x->root == MPI_PROC_NULL ? e : api_coll_side(r, &x->recv, b, "buffer", 1);
}

int api_inter_rooted(struct rank *r, struct coll_call *x, const struct buffer *send, const struct buffer *recv,
                     const struct comm *c)
{
    int e = check_inter_root(r, c, x->root), root = x->root == MPI_ROOT;
    int sends = root == (x->what == COLL_SCATTER || x->what == COLL_SCATTERV);
    if (e || x->root == MPI_PROC_NULL)
        return e;
    struct buffer b = sends ? *send : *recv;
    if (!root) /* one part, whatever the root has */
        b.sides = NULL;
    return api_coll_side(r, sends ? &x->send : &x->recv, &b, sends ? "sendbuf" : "recvbuf", c->size);
}

static int check_kind(struct rank *r, enum coll what)
{
    if (what != COLL_SCAN && what != COLL_EXSCAN)
        return 0;
    return mpico_fault(r, MPI_ERR_COMM, "comm: is an intercommunicator, whose ranks have no one order to scan");
}

static int check_end(struct rank *r, const void *buf, size_t count, const struct type *t, const char *name)
{
    if (buf == MPI_IN_PLACE)
        return mpico_fault(r, MPI_ERR_BUFFER, "%s: MPI_IN_PLACE is for communicators of one group", name);
    return check_buffer(r, buf, count, t, name);
}

int api_inter_reduction(struct rank *r, struct coll_call *x, const void *send, const struct buffer *recv, MPI_Op op,
                        const struct comm *c)
{
    int e, rooted = x->what == COLL_REDUCE, blocks = x->what >= COLL_REDUCE_SCATTER;
    size_t all = (size_t)recv->count;
    if ((e = check_kind(r, x->what)) || (rooted && (e = check_inter_root(r, c, x->root))))
        return e;
    if (rooted && x->root == MPI_PROC_NULL)
        return 0;
    if ((e = check_count(r, recv->count, "count")) || (e = check_type(r, recv->type, &x->recv.type)) ||
        (e = check_op(r, op, x->recv.type, &x->op)) ||
        (blocks && (e = api_coll_blocks(r, x, recv, c->local->size, &all))))
        return e;
    x->recv.count = x->send.count = (size_t)recv->count;
    x->send.type = x->recv.type;
    x->recv.buf = (void *)(uintptr_t)recv->buf;
    x->send.buf = (void *)(uintptr_t)send;
    size_t mine = side_count(&x->recv, c->rank);
    if (!(rooted && x->root == MPI_ROOT) && (e = check_end(r, send, all, x->recv.type, "sendbuf")))
        return e;
    return rooted && x->root != MPI_ROOT ? 0 : check_end(r, recv->buf, mine, x->recv.type, "recvbuf");
}
