/* inter_merge.c: one group of the two of an intercommunicator (MPI 5.0, section 7.6.2). */
#include "inter.h"

/* Where both say the same, the group whose first member has the lower rank in the job comes first. */
static int local_first(struct comm *c, int high, int their_high)
{
    return high != their_high ? !high : comm_world(c->local, 0) < comm_world(c, 0);
}

static struct group *both(struct rank *r, struct comm *c, int own_first)
{
    int own = c->local->size, size = own + c->size;
    struct group *g = mpico_group_alloc(r, size);
    if (!g)
        return NULL;
    for (int i = 0; i < own; i++)
        g->list[own_first ? i : c->size + i] = comm_world(c->local, i);
    for (int i = 0; i < c->size; i++)
        g->list[own_first ? own + i : i] = comm_world(c, i);
    return mpico_group_seal(r, g);
}

static int merge(struct rank *r, struct comm *c, int high, struct comm **made)
{
    /* All of a side say the same; its leader speaks for it, so that both sides see one answer. */
    struct bridge b = inter_bridge(c);
    int their_high = 0, e = inter_exchange(r, &b, &high, sizeof high, &their_high, sizeof high);
    uint32_t id;
    if (e || (e = comm_agree(r, c, &id)))
        return e;
    struct group *g = both(r, c, local_first(c, high, their_high));
    e = comm_make(r, c, g, NULL, id, made);
    if (g)
        mpico_group_release(r, g);
    return e;
}

#pragma weak MPI_Intercomm_merge = PMPI_Intercomm_merge
int PMPI_Intercomm_merge(MPI_Comm intercomm, int high, MPI_Comm *newintracomm)
{
    struct rank *r = api_enter("MPI_Intercomm_merge");
    struct comm *c = NULL, *made = NULL;
    int e;
    if ((e = check_inter(r, intercomm, &c)) || (e = check_pointer(r, newintracomm, "newintracomm")) ||
        (e = merge(r, c, high != 0, &made)))
        return api_error(r, c, e);
    *newintracomm = api_comm_handle(made);
    return MPI_SUCCESS;
}
