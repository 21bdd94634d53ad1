/* comm_split.c: a communicator for each color (MPI 5.0, section 7.4.2). */
#include "../coll/inner.h"
#include "comm.h"

/* An insertion keeps equal keys in the order of their ranks. */
struct group *comm_chosen(struct rank *r, const struct comm *worlds, const struct choice *all, int color, int *order)
{
    int size = 0;
    for (int i = 0; i < worlds->size; i++) {
        if (all[i].color != color)
            continue;
        int at = size++;
        for (; at > 0 && all[order[at - 1]].key > all[i].key; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    struct group *g = mpico_group_alloc(r, size);
    if (!g)
        return NULL;
    for (int i = 0; i < size; i++)
        g->list[i] = comm_world(worlds, order[i]);
    return mpico_group_seal(r, g);
}

static int split(struct rank *r, struct comm *c, struct choice mine, struct choice *all, struct comm **made)
{
    uint32_t id;
    all[c->rank] = mine;
    int e = mpico_inner_allgather(r, c, all, sizeof *all);
    if (e || (e = comm_agree(r, c, &id)))
        return e;
    if (mine.color == MPI_UNDEFINED) {
        mpico_comm_id_give(r, id);
        return MPI_SUCCESS;
    }
    struct group *g = comm_chosen(r, c, all, mine.color, (int *)(void *)(all + c->size));
    e = comm_make(r, c, g, NULL, id, made);
    if (g)
        mpico_group_release(r, g);
    return e;
}

int comm_split(struct rank *r, struct comm *c, struct choice mine, struct comm **made)
{
    if (!SMALL && c->local)
        return comm_split_inter(r, c, mine, made);
    struct choice *all = mpico_heap_alloc(&r->heap, (size_t)c->size * (sizeof *all + sizeof(int)));
    if (!all)
        return mpico_fault(r, MPI_ERR_NO_MEM, "no memory for %d colors", c->size);
    int e = split(r, c, mine, all, made);
    mpico_heap_free(&r->heap, all);
    return e;
}

#pragma weak MPI_Comm_split = PMPI_Comm_split
int PMPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *newcomm)
{
    struct rank *r = api_enter("MPI_Comm_split");
    struct comm *c = NULL, *made = NULL;
    int e;
    if ((e = SMALL ? check_intra(r, comm, &c) : check_comm(r, comm, &c)) || (e = check_pointer(r, newcomm, "newcomm")))
        return api_error(r, c, e);
    if (color < 0 && color != MPI_UNDEFINED)
        return api_error(r, c, mpico_fault(r, MPI_ERR_ARG, "color: %d is negative and not MPI_UNDEFINED", color));
    if ((e = comm_split(r, c, (struct choice){color, key}, &made)))
        return api_error(r, c, e);
    *newcomm = comm_handle_or_null(made);
    return MPI_SUCCESS;
}
