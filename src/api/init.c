/* init.c: the start and the end of the library (MPI 5.0, section 11.2); see start.h. */
#include "attr.h"
#include "finish.h"
#include "start.h"
#include "state.h"

/* The levels of the ABI are multiples of 1024, the rank keeps a byte. */
enum { THREAD_UNIT = MPI_THREAD_FUNNELED };

static void prepare(struct rank *r, const char *call, int *argc, char ***argv)
{
    if (mpico_rank_init(r, &mpico_machine, argc, argv))
        mpico_machine.halt(r, MPI_ERR_OTHER, "the library could not start");
    r->call = call;
    struct api *api = mpico_heap_alloc(&r->heap, sizeof *api);
    if (!api)
        mpico_machine.halt(r, MPI_ERR_NO_MEM, "no memory");
    *api = (struct api){.last_code = MPI_ERR_LASTCODE, .unattached = SMALL ? NULL : r->world};
    list_init(&api->errhandlers);
    r->api = api;
}

void api_enter_slowly(struct rank *r, const char *call)
{
    if (r->state != RANK_RUNNING)
        api_refuse(r, call);
    mpico_lock(r);
}

struct rank *api_enter_seldom(const char *call, const void *site) { return api_enter_here(call, site); }
void api_leave_seldom(struct rank **held) { api_leave_here(held); }

/* Two threads may be the first. */
void api_prepare(struct rank *r, const char *call)
{
    if (RANK_THREADS && mpico_machine.threads) {
        if (!__atomic_load_n(&r->machine, __ATOMIC_RELAXED))
            __atomic_store_n(&r->machine, &mpico_machine, __ATOMIC_RELAXED);
        mpico_lock(r);
    }
    if (!r->api)
        prepare(r, call, NULL, NULL);
}

int api_up(struct rank *r, const char *call, int *argc, char ***argv)
{
    if (!r->api)
        prepare(r, call, argc, argv);
    if (!SMALL && r->state == RANK_FINALIZED) {
        if (!r->machine->away)
            return -1;
        r->machine->away(r, 0);
        note_state(r->note, NOTE_RUNNING);
    }
    rank_enter(r, RANK_RUNNING);
    return 0;
}

int api_thread_level(struct rank *r, int required)
{
    int most = RANK_THREADS && r->machine->threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SERIALIZED;
    int level = required < most ? required : most;
    if (level > r->thread * THREAD_UNIT)
        r->thread = (uint8_t)(level / THREAD_UNIT);
    if (level == MPI_THREAD_MULTIPLE)
        mpico_threads_start(r);
    return level;
}

static int init(const char *call, int *argc, char ***argv)
{
    struct rank *r = rank_self();
    r->call = call;
    int world = r->api ? api_state(r)->world : WORLD_BEFORE;
    if (!SMALL && world == WORLD_UP)
        return api_error(r, NULL, mpico_fault(r, MPI_ERR_OTHER, "MPI is initialised already"));
    if (world != WORLD_BEFORE || api_up(r, call, argc, argv))
        api_refuse(r, call);
    struct api *api = api_state(r);
    api->world = WORLD_UP;
    api->main_thread = rank_thread();
    if (argc && argv) {
        api->argc = *argc;
        api->argv = *argv;
    }
    return MPI_SUCCESS;
}

#pragma weak MPI_Init = PMPI_Init
int PMPI_Init(int *argc, char ***argv) { return init("MPI_Init", argc, argv); }

#pragma weak MPI_Init_thread = PMPI_Init_thread
int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    int e = init("MPI_Init_thread", argc, argv);
    if (!e)
        *provided = api_thread_level(rank_self(), required);
    return e;
}

#pragma weak MPI_Query_thread = PMPI_Query_thread
int PMPI_Query_thread(int *provided)
{
    struct rank *r = api_enter("MPI_Query_thread");
    int e = SMALL ? MPI_SUCCESS : check_pointer(r, provided, "provided");
    if (e)
        return api_error(r, NULL, e);
    *provided = r->thread * THREAD_UNIT;
    return MPI_SUCCESS;
}

#pragma weak MPI_Is_thread_main = PMPI_Is_thread_main
int PMPI_Is_thread_main(int *flag)
{
    struct rank *r = api_enter("MPI_Is_thread_main");
    int e = SMALL ? MPI_SUCCESS : check_pointer(r, flag, "flag");
    if (e)
        return api_error(r, NULL, e);
    *flag = api_state(r)->main_thread == rank_thread();
    return MPI_SUCCESS;
}

/* ---- The end ---- */

int api_down(struct rank *r)
{
    struct api *api = api_state(r);
    int e = MPI_SUCCESS;
    if (api->flush)
        api->flush(r);
    if (api->finish_detached)
        api->finish_detached(r);
    /* Ranks may open and close sessions without each other, unless a place must leave all together. */
    int together = SMALL || api->world == WORLD_UP || (!api->sessions && !r->machine->away);
    const char *call = r->call;
    if (together)
        e = PMPI_Barrier(MPI_COMM_WORLD);
    r->call = call;
    uint32_t idle = 0;
    while (r->unsent_count) /* answers to others, when the wire is full */
        mpico_wait_turn(r, &idle, NULL, 0);
    return e;
}

#pragma weak MPI_Finalize = PMPI_Finalize
int PMPI_Finalize(void)
{
    struct rank *r = api_enter("MPI_Finalize");
    struct api *api = api_state(r);
    int e = MPI_SUCCESS;
    if (!SMALL && api->world != WORLD_UP)
        api_refuse(r, r->call);
    if (r->self->attributes) /* their functions may still do everything (MPI 5.0, 11.2.4) */
        e = api_attr_drop(r, ATTR_COMM, r->self->handle, &r->self->attributes);
    if (e)
        return api_error(r, NULL, e);
    e = api_down(r);
    if (!SMALL && api_say_leaks && !api->sessions) /* what belongs to a session may still be freed */
        api_say_leaks(r);
    api->world = WORLD_OVER;
    if (SMALL || !api->sessions) /* small builds know one at a time: the world, or a session */
        mpico_rank_fini(r);
    return e;
}

/* May be asked at any time, when there is no error handler yet, or none any more. */
static int world_is(int least, int *flag)
{
    const struct api *api = api_state(rank_self());
    if (!SMALL && !flag)
        return MPI_ERR_ARG;
    *flag = api && api->world >= least;
    return MPI_SUCCESS;
}

#pragma weak MPI_Initialized = PMPI_Initialized
int PMPI_Initialized(int *flag) { return world_is(WORLD_UP, flag); }

#pragma weak MPI_Finalized = PMPI_Finalized
int PMPI_Finalized(int *flag) { return world_is(WORLD_OVER, flag); }
