/* init.c: the start and the end of the library (MPI 5.0, section 11.2). */
#include "finish.h"
#include "state.h"

static int thread_level(int required) { return required < MPI_THREAD_SERIALIZED ? required : MPI_THREAD_SERIALIZED; }

/* The levels of the ABI are multiples of 1024, the rank keeps a byte. */
enum { THREAD_UNIT = MPI_THREAD_FUNNELED };

static int init(const char *call, int *argc, char ***argv, int level)
{
    struct rank *r = rank_self();
    r->call = call;
    if (!SMALL && r->state == RANK_RUNNING)
        return api_error(r, NULL, mpico_fault(r, MPI_ERR_OTHER, "MPI is initialised already"));
    if (r->state != RANK_BEFORE)
        api_refuse(r, call);
    if (mpico_rank_init(r, &mpico_machine, argc, argv))
        mpico_machine.halt(r, MPI_ERR_OTHER, "the library could not start");
    r->call = call;
    struct api *api = mpico_heap_alloc(&r->heap, sizeof *api);
    if (!api)
        mpico_machine.halt(r, MPI_ERR_NO_MEM, "no memory");
    *api = (struct api){.main_thread = rank_thread()};
    list_init(&api->errhandlers);
    r->api = api;
    r->thread = (uint8_t)(level / THREAD_UNIT);
    return MPI_SUCCESS;
}

#pragma weak MPI_Init = PMPI_Init
int PMPI_Init(int *argc, char ***argv) { return init("MPI_Init", argc, argv, MPI_THREAD_SINGLE); }

#pragma weak MPI_Init_thread = PMPI_Init_thread
int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    int level = thread_level(required), e = init("MPI_Init_thread", argc, argv, level);
    if (!e)
        *provided = level;
    return e;
}

#pragma weak MPI_Query_thread = PMPI_Query_thread
int PMPI_Query_thread(int *provided)
{
    struct rank *r = api_enter("MPI_Query_thread");
    *provided = r->thread * THREAD_UNIT;
    return MPI_SUCCESS;
}

#pragma weak MPI_Is_thread_main = PMPI_Is_thread_main
int PMPI_Is_thread_main(int *flag)
{
    struct rank *r = api_enter("MPI_Is_thread_main");
    *flag = api_state(r)->main_thread == rank_thread();
    return MPI_SUCCESS;
}

/* ---- The end ---- */

#pragma weak MPI_Finalize = PMPI_Finalize
int PMPI_Finalize(void)
{
    struct rank *r = api_enter("MPI_Finalize");
    struct api *api = api_state(r);
    if (api->flush)
        api->flush(r);
    if (api->finish_detached)
        api->finish_detached(r);
    int e = PMPI_Barrier(MPI_COMM_WORLD);
    r->call = "MPI_Finalize";
    uint32_t idle = 0;
    while (r->unsent_count) /* answers to others, when the wire is full */
        mpico_wait_turn(r, &idle, NULL, 0);
    if (api_say_leaks && r->settings.checking && r->machine->say)
        api_say_leaks(r);
    mpico_rank_fini(r);
    return e;
}

#pragma weak MPI_Initialized = PMPI_Initialized
int PMPI_Initialized(int *flag)
{
    *flag = rank_self()->state != RANK_BEFORE;
    return MPI_SUCCESS;
}

#pragma weak MPI_Finalized = PMPI_Finalized
int PMPI_Finalized(int *flag)
{
    *flag = rank_self()->state == RANK_FINALIZED;
    return MPI_SUCCESS;
}
