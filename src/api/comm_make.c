/* comm_make.c: a new communicator's identifier, and the communicator. All who may be members take part in choosing it, so that
 * groups that come out of one split may share it: no message passes between them.
 */
#include "../coll/agree.h"
#include "../core/held.h"
#include "comm.h"

static int agree(struct agreement *a, int e, uint32_t *id)
{
    if (!e)
        e = mpico_agree(a);
    if (!e)
        *id = a->id;
    return e;
}

int comm_agree(struct rank *r, struct comm *c, uint32_t *id)
{
    struct agreement a;
    return agree(&a, mpico_agree_members(&a, r, c), id);
}

/* The members' ranks in the carrier. */
static void ranks_in(const struct group *carrier, const struct group *g, int *rank)
{
    for (int i = 0; i < g->size; i++)
        rank[i] = mpico_group_find(carrier, group_world(g, i));
}

int comm_agree_groups(struct rank *r, struct comm *carrier, const struct group *g, const struct group *other, int tag,
                      uint32_t *id)
{
    int others = other ? other->size : 0, size = g->size + others;
    int *peer = mpico_heap_alloc(&r->heap, (size_t)size * sizeof *peer);
    const struct group *in = mpico_comm_group(r, carrier);
    if (!peer || !in) {
        mpico_heap_free(&r->heap, peer);
        return mpico_fault(r, MPI_ERR_NO_MEM, "no memory for %d ranks", size);
    }
    /* Both groups count in the same order: first comes the one whose first member has the lower rank in the job. */
    int second = others && group_world(other, 0) < group_world(g, 0);
    ranks_in(in, g, peer + (second ? others : 0));
    if (others)
        ranks_in(in, other, peer + (second ? 0 : g->size));
    struct agreement a = {
        .rank = r, .comm = carrier, .peer = peer, .self = g->self + (second ? others : 0), .size = size, .tag = tag};
    return agree(&a, 0, id);
}

int comm_make(struct rank *r, const struct comm *parent, struct group *local, struct group *remote, uint32_t id,
              struct comm **made)
{
    struct comm *c = NULL;
    if (local)
        c = remote ? mpico_comm_alloc_inter(r, local, remote, id) : mpico_comm_alloc(r, local, id);
    if (!c) {
        mpico_comm_id_give(r, id);
        return mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a communicator");
    }
    c->errhandler = parent->errhandler;
    c->session = parent->session;
    held_add(r, HELD_COMM, c);
    *made = c;
    return MPI_SUCCESS;
}

int check_subgroup(struct rank *r, struct comm *c, const struct group *g)
{
    const struct group *all = mpico_comm_group(r, comm_own(c));
    for (int i = 0; all && i < g->size; i++)
        if (mpico_group_find(all, group_world(g, i)) < 0)
            return mpico_fault(r, MPI_ERR_GROUP, "group: its member %d is not in the communicator of %d ranks", i,
                               all->size);
    return all ? MPI_SUCCESS : mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a group");
}

int check_intra(struct rank *r, MPI_Comm handle, struct comm **comm)
{
    int e = check_comm(r, handle, comm);
    return !e && (*comm)->local ? mpico_fault(r, MPI_ERR_COMM, "comm: is an intercommunicator") : e;
}
