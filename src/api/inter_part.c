/* inter_part.c: intercommunicators over parts of both groups of one (MPI 5.0, section 7.4.2). */
#include "../coll/inner.h"
#include "inter.h"

/* A part without members on one side is no intercommunicator. */
static int make(struct rank *r, struct comm *c, struct group *local, struct group *remote, struct comm **made)
{
    uint32_t id;
    int e = comm_agree(r, c, &id);
    if (e)
        return e;
    if (local && local->self >= 0 && remote && remote->size > 0)
        return comm_make(r, c, local, remote, id, made);
    mpico_comm_id_give(r, id);
    return MPI_SUCCESS;
}

int comm_create_inter(struct rank *r, struct comm *c, struct group *local, struct comm **made)
{
    struct group *remote = NULL;
    struct bridge b = inter_bridge(c);
    int e = inter_exchange_group(r, &b, local, &remote);
    if (!e) {
        e = make(r, c, local, remote, made);
        mpico_group_release(r, remote);
    }
    return e;
}

/* The choices of both sides: of the own one, then of the other. */
static int choices(struct rank *r, struct comm *c, struct choice mine, struct choice *all)
{
    int own = c->local->size;
    struct bridge b = inter_bridge(c);
    all[c->rank] = mine;
    int e = mpico_inner_allgather(r, c->local, all, sizeof *all);
    return e ? e : inter_exchange(r, &b, all, (size_t)own * sizeof *all, all + own, (size_t)c->size * sizeof *all);
}

static int split(struct rank *r, struct comm *c, struct choice mine, struct choice *all, struct comm **made)
{
    int own = c->local->size, *order = (int *)(void *)(all + own + c->size), none = mine.color == MPI_UNDEFINED;
    int e = choices(r, c, mine, all);
    if (e)
        return e;
    struct group *local = none ? NULL : comm_chosen(r, c->local, all, mine.color, order);
    struct group *remote = none ? NULL : comm_chosen(r, c, all + own, mine.color, order);
    e = make(r, c, local, remote, made);
    if (local)
        mpico_group_release(r, local);
    if (remote)
        mpico_group_release(r, remote);
    return e;
}

int comm_split_inter(struct rank *r, struct comm *c, struct choice mine, struct comm **made)
{
    size_t members = (size_t)c->local->size + (size_t)c->size;
    struct choice *all = mpico_heap_alloc(&r->heap, members * (sizeof *all + sizeof(int)));
    if (!all)
        return mpico_fault(r, MPI_ERR_NO_MEM, "no memory for %z colors", members);
    int e = split(r, c, mine, all, made);
    mpico_heap_free(&r->heap, all);
    return e;
}
