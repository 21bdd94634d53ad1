/* rank.c: the life of a rank: placed by its port, given MPI_COMM_WORLD and MPI_COMM_SELF, ended. */
#include "rank.h"

#include <string.h>

#include "mpi.h"
#include "threads.h"

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
    if (!SMALL && !r->route && (r->links || first > 0 || last < r->world_size - 1))
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

/* The communicators that every job has; they live as long as the rank. */
static void first_comms(struct rank *r)
{
    for (int id = 0; id < 2; id++) {
        struct comm *c = &r->first_comms[id];
        int alone = id == 1;
        c->magic = COMM_MAGIC;
        c->id = (uint32_t)id;
        c->refs = 1;
        c->rank = alone ? 0 : r->world_rank;
        c->size = alone ? 1 : r->world_size;
        c->first = alone ? r->world_rank : 0;
        c->list = NULL;
        c->group = NULL;
        c->local = NULL;
        c->whole = c->in_order = c->size == r->world_size;
        c->coll_seq = 0;
        c->errhandler = (uintptr_t)(!SMALL && r->settings.errors_return ? MPI_ERRORS_RETURN : MPI_ERRORS_ARE_FATAL);
        c->handle = alone ? (uintptr_t)MPI_COMM_SELF : (uintptr_t)MPI_COMM_WORLD;
        list_append(&r->comms, &c->all);
    }
    r->world = &r->first_comms[0];
    r->self = &r->first_comms[1];
    r->comm_ids[0] &= ~(uint64_t)3;
}

int mpico_rank_settle(struct rank *r, const struct machine *machine)
{
    if (r->settled)
        return 0;
    r->settings = (struct settings){.eager_bytes = SIZE_MAX, .single_copy = 1};
    int e = !SMALL && machine->settings ? machine->settings(&r->settings) : 0;
    r->settled = e == 0;
    return e;
}

int mpico_rank_init(struct rank *r, const struct machine *machine, int *argc, char ***argv)
{
    if (r->machine != machine) /* it may be there before (threads.h) */
        r->machine = machine;
    int e = mpico_rank_settle(r, machine);
    if (!SMALL && e)
        return e;
    r->note = &r->private_note;
    r->busy_with = -1;
    lists_init(r);
    memset(r->comm_ids, 0xff, sizeof r->comm_ids);
    e = machine->start(r, argc, argv);
    if (e)
        return e;
    for (struct link *l = r->links; l; l = l->next)
        short_max(r, l);
    first_comms(r);
    return 0;
}

void mpico_rank_fini(struct rank *r)
{
    rank_enter(r, RANK_FINALIZED);
    note_state(r->note, NOTE_FINALIZED);
    r->machine->stop(r);
}
