/* rank.c: the life of a rank: placed by its port, given MPI_COMM_WORLD and MPI_COMM_SELF, ended. */
#include "rank.h"

#include <string.h>

#include "group.h"
#include "mpi.h"

int mpico_rank_place(struct rank *r, int world_rank, int world_size, void *arena, size_t bytes)
{
    r->world_rank = world_rank;
    r->world_size = world_size;
    mpico_heap_init(&r->heap, arena, bytes);
    size_t n = (size_t)world_size;
    r->route = mpico_heap_alloc(&r->heap, n * sizeof *r->route);
    r->unsent = mpico_heap_alloc(&r->heap, n * sizeof *r->unsent);
    if (!r->route || !r->unsent || mpico_match_init(r))
        return -1;
    memset(r->route, 0, n * sizeof *r->route);
    for (size_t i = 0; i < n; i++)
        list_init(&r->unsent[i]);
    return 0;
}

void mpico_rank_attach(struct rank *r, struct link *link, int first, int last)
{
    link->rank = r;
    link->next = r->links;
    r->links = link;
    for (int i = first; i <= last; i++)
        r->route[i] = link;
}

static void lists_init(struct rank *r)
{
    list_init(&r->requests);
    list_init(&r->request_pool);
    list_init(&r->comms);
    list_init(&r->schedules);
    list_init(&r->bsends);
}

static struct comm *comm_over(struct rank *r, int first, int size, uint32_t id, uintptr_t handle)
{
    struct group *g = mpico_group_alloc(r, size);
    if (!g)
        return NULL;
    for (int i = 0; i < size; i++)
        g->world[i] = first + i;
    mpico_group_seal(r, g);
    struct comm *c = mpico_comm_alloc(r, g, id);
    mpico_group_release(r, g);
    if (c) {
        mpico_comm_id_take(r, id);
        c->handle = handle;
    }
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
    r->world = comm_over(r, 0, r->world_size, 0, (uintptr_t)MPI_COMM_WORLD);
    r->self = comm_over(r, r->world_rank, 1, 1, (uintptr_t)MPI_COMM_SELF);
    if (!r->world || !r->self)
        machine->halt(r, 1, "MPI_Init: no memory for the communicators of the job");
    r->state = RANK_RUNNING;
    return 0;
}

void mpico_rank_fini(struct rank *r)
{
    r->state = RANK_FINALIZED;
    r->note->state = NOTE_FINALIZED;
    r->machine->stop(r);
}
