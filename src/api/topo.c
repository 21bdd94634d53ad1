/* topo.c: what all topologies share. */
#include "topo.h"

#include <string.h>

enum { ROOM_BYTES = 16 << 10, ROOM_EACH = 512 };

static size_t entries(int kind, int n, int m, int weighted)
{
    size_t one = kind == MPI_CART ? 2 * (size_t)n : (size_t)n + (size_t)m;
    return weighted ? 2 * one : one;
}

static size_t bytes(const struct topology *t)
{
    return sizeof *t + entries(t->kind, t->n, t->m, t->weighted) * sizeof(int);
}

struct topology *api_topo_alloc(struct rank *r, int kind, int n, int m, int weighted)
{
    const struct topology head = {.kind = kind, .n = n, .m = m, .weighted = weighted};
    struct topology *t = mpico_heap_alloc(&r->heap, bytes(&head));
    if (t)
        *t = head;
    else
        mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a topology");
    return t;
}

int api_topo_copy(struct rank *r, const struct comm *from, struct comm *to)
{
    const struct topology *t = from->topology;
    to->topology = api_topo_alloc(r, t->kind, t->n, t->m, t->weighted);
    if (!to->topology)
        return MPI_ERR_NO_MEM;
    memcpy(to->topology, t, bytes(t));
    return MPI_SUCCESS;
}

int check_topo_parent(struct rank *r, MPI_Comm handle, struct comm **comm)
{
    int e = check_comm(r, handle, comm);
    return !e && (*comm)->local ? mpico_fault(r, MPI_ERR_COMM, "comm: is an intercommunicator") : e;
}

int check_topo(struct rank *r, MPI_Comm handle, int kind, struct comm **comm, const struct topology **topology)
{
    int e = check_comm(r, handle, comm);
    if (e)
        return e;
    const struct topology *t = (*comm)->topology;
    *topology = t;
    if (!t || (kind && t->kind != kind))
        return mpico_fault(r, MPI_ERR_TOPOLOGY, "comm: has no %stopology",
                           kind == MPI_CART         ? "Cartesian "
                           : kind == MPI_GRAPH      ? "graph "
                           : kind == MPI_DIST_GRAPH ? "distributed graph "
                                                    : "");
    return MPI_SUCCESS;
}

int api_topo_room(struct rank *r, const struct comm *c)
{
    void *room = mpico_heap_alloc(&r->heap, ROOM_BYTES + (size_t)c->size * ROOM_EACH);
    mpico_heap_free(&r->heap, room);
    return room ? MPI_SUCCESS : mpico_fault(r, MPI_ERR_NO_MEM, "no memory for messages among %d ranks", c->size);
}

int api_topo_make(struct rank *r, struct comm *old, struct topology *t, int color, int rank, MPI_Comm *newcomm)
{
    const char *call = r->call;
    struct comm *c = NULL;
    int e;
    if (!SMALL && (e = topo_agree(r, old, api_topo_room(r, old)))) {
        mpico_heap_free(&r->heap, t);
        return api_error(r, old, e);
    }
    e = PMPI_Comm_split(api_comm_handle(old), color < 0 ? MPI_UNDEFINED : color, rank, newcomm);
    r->call = call;
    if (!e && color >= 0)
        c = api_comm(r, *newcomm);
    if (c)
        c->topology = t;
    else
        mpico_heap_free(&r->heap, t);
    return e;
}

#pragma weak MPI_Topo_test = PMPI_Topo_test
int PMPI_Topo_test(MPI_Comm comm, int *status)
{
    struct rank *r = api_enter("MPI_Topo_test");
    struct comm *c = NULL;
    int e;
    if ((e = check_comm(r, comm, &c)) || (e = check_pointer(r, status, "status")))
        return api_error(r, c, e);
    *status = c->topology ? c->topology->kind : MPI_UNDEFINED;
    return MPI_SUCCESS;
}
