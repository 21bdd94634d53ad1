/* rank.c: the life of a rank: placed by its port, given MPI_COMM_WORLD and MPI_COMM_SELF, ended. */
#include "rank.h"

#include <string.h>

#include "mpi.h"

int mpico_rank_place(struct rank *r, int world_rank, int world_size, void *arena, size_t bytes)
{
    r->world_rank = world_rank;
    r->world_size = world_size;
    mpico_heap_init(&r->heap, arena, bytes);
    return mpico_match_init(r);
}

/* The way to each rank, once there is more than one. */
static struct link **route_alloc(struct rank *r)
{
    struct link **route = mpico_heap_alloc(&r->heap, (size_t)r->world_size * sizeof *route);
    if (!route)
        r->machine->halt(r, 1, "MPI_Init: no memory for the ways to all ranks");
    for (int i = 0; i < r->world_size; i++)
        route[i] = r->links;
    return route;
}

void mpico_rank_attach(struct rank *r, struct link *link, int first, int last)
{
    int serves_all = first == 0 && last == r->world_size - 1;
    if (!SMALL && !r->route && (r->links || !serves_all))
        r->route = route_alloc(r);
    link->rank = r;
    link->next = r->links;
    r->links = link;
    r->wants |= link->ops->want != NULL;
    for (int i = first; !SMALL && i <= last && r->route; i++)
        r->route[i] = link;
}

static void lists_init(struct rank *r)
{
    list_init(&r->requests);
    list_init(&r->request_pool);
    list_init(&r->comms);
    list_init(&r->schedules);
    list_init(&r->bsends);
    if (!SMALL) {
        list_init(&r->streams);
        list_init(&r->streams_kept);
    }
    for (int i = 0; i < UNSENT_BUCKETS; i++)
        list_init(&r->unsent[i]);
}

/* Up to which length a message is one packet that leaves at once, without a request. */
static void short_max(const struct rank *r, struct link *link)
{
    size_t most = link->mtu < link->eager_max_bytes ? link->mtu : link->eager_max_bytes;
    link->short_max_bytes = r->settings.eager_bytes < most ? r->settings.eager_bytes : most;
    if (!SMALL && link->ops->lend)
        link->short_max_bytes = 0;
    if (SMALL && link->eager_max_bytes > link->mtu)
        link->eager_max_bytes = link->mtu;
}

/* The communicator of consecutive ranks that every job has; it lives as long as the rank. */
static struct comm *first_comm(struct rank *r, uint32_t id, int first, int size, uintptr_t handle)
{
    struct comm *c = &r->first_comms[id];
    *c = (struct comm){.magic = COMM_MAGIC,
                       .id = id,
                       .refs = 1,
                       .rank = r->world_rank - first,
                       .size = size,
                       .first = first,
                       .whole = size == r->world_size,
                       .in_order = size == r->world_size,
                       .errhandler = (uintptr_t)MPI_ERRORS_ARE_FATAL,
                       .handle = handle};
    r->comm_ids[0] &= ~((uint64_t)1 << id);
    list_append(&r->comms, &c->all);
    return c;
}

int mpico_rank_init(struct rank *r, const struct machine *machine, int *argc, char ***argv)
{
    r->machine = machine;
    r->settings = (struct settings){.eager_bytes = SIZE_MAX, .single_copy = 1};
    r->note = &r->private_note;
    r->busy_with = -1;
    lists_init(r);
    memset(r->comm_ids, 0xff, sizeof r->comm_ids);
    int e = machine->start(r, argc, argv);
    if (e)
        return e;
    for (struct link *l = r->links; l; l = l->next)
        short_max(r, l);
    r->world = first_comm(r, 0, 0, r->world_size, (uintptr_t)MPI_COMM_WORLD);
    r->self = first_comm(r, 1, r->world_rank, 1, (uintptr_t)MPI_COMM_SELF);
    r->state = RANK_RUNNING;
    return 0;
}

void mpico_rank_fini(struct rank *r)
{
    r->state = RANK_FINALIZED;
    r->note->state = NOTE_FINALIZED;
    r->machine->stop(r);
}
