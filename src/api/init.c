/* init.c: the start and the end of the library (MPI 5.0, section 11.2). */
#include "../base/text.h"
#include "finish.h"
#include "state.h"

enum { LINE_MAX = 200 };

static int thread_level(int required) { return required < MPI_THREAD_SERIALIZED ? required : MPI_THREAD_SERIALIZED; }

/* The levels of the ABI are multiples of 1024, the rank keeps a byte. */
enum { THREAD_UNIT = MPI_THREAD_FUNNELED };

static int init(const char *call, int *argc, char ***argv, int level)
{
    struct rank *r = rank_self();
    r->call = call;
    if (r->state == RANK_RUNNING)
        return api_error(r, NULL, mpico_fault(r, MPI_ERR_OTHER, "MPI is initialised already"));
    if (r->state == RANK_FINALIZED)
        api_refuse(r, call);
    if (mpico_rank_init(r, &mpico_machine, argc, argv))
        mpico_machine.halt(r, MPI_ERR_OTHER, "the library could not start");
    r->call = call;
    struct api *api = mpico_heap_alloc(&r->heap, sizeof *api);
    if (!api)
        mpico_machine.halt(r, MPI_ERR_NO_MEM, "MPI_Init: no memory");
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

/* Requests that were freed while under way are still the program's messages. */
static struct request *detached_send(const struct rank *r)
{
    for (const struct list *l = r->requests.next; l != &r->requests; l = l->next) {
        struct request *q = list_entry(l, struct request, all);
        if (q->flags & REQUEST_DETACHED && q->kind == REQUEST_SEND)
            return q;
    }
    return NULL;
}

static void finish_detached_sends(struct rank *r)
{
    uint32_t idle = 0;
    for (struct request *q; (q = detached_send(r));) {
        struct request *const waited[1] = {q};
        mpico_wait_turn(r, &idle, waited, 1);
    }
}

static const char *kind_name(const struct request *q)
{
    switch (q->kind) {
    case REQUEST_RECV:
        return "receive from";
    case REQUEST_COLL:
        return "collective";
    default:
        return "send to";
    }
}

static void say_request(struct rank *r, const struct request *q)
{
    char line[LINE_MAX];
    if (q->kind == REQUEST_COLL)
        mpico_text_format(line, sizeof line, "leak: a request of a collective was never completed");
    else
        mpico_text_format(line, sizeof line, "leak: a request was never %s: %s rank %d, tag %d, %z bytes",
                          q->flags & REQUEST_PERSISTENT ? "freed" : "completed", kind_name(q), q->peer, q->tag,
                          q->bytes);
    r->machine->say(r, line);
}

static void say_leaks(struct rank *r)
{
    if (!r->settings.checking || !r->machine->say)
        return;
    for (struct list *l = r->requests.next; l != &r->requests; l = l->next)
        say_request(r, list_entry(l, struct request, all));
    for (struct list *l = r->comms.next; l != &r->comms; l = l->next) {
        const struct comm *c = list_entry(l, struct comm, all);
        char line[LINE_MAX];
        if (c == r->world || c == r->self)
            continue;
        mpico_text_format(line, sizeof line, "leak: a communicator of %d rank%s was never freed", c->size,
                          c->size == 1 ? "" : "s");
        r->machine->say(r, line);
    }
    for (struct list *l = r->match.arrived.next; l != &r->match.arrived; l = l->next) {
        const struct packet *p = &list_entry(l, struct message, all)->packet;
        char line[LINE_MAX];
        mpico_text_format(line, sizeof line, "leak: a message was never received: from rank %d, tag %d, %z bytes",
                          p->source, p->tag, (size_t)p->length);
        r->machine->say(r, line);
    }
}

#pragma weak MPI_Finalize = PMPI_Finalize
int PMPI_Finalize(void)
{
    struct rank *r = api_enter("MPI_Finalize");
    api_bsend_flush(r);
    finish_detached_sends(r);
    int e = PMPI_Barrier(MPI_COMM_WORLD);
    r->call = "MPI_Finalize";
    uint32_t idle = 0;
    while (r->unsent_count) /* answers to others, when the wire is full */
        mpico_wait_turn(r, &idle, NULL, 0);
    say_leaks(r);
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

#pragma weak MPI_Abort = PMPI_Abort
int PMPI_Abort(MPI_Comm comm, int errorcode)
{
    struct rank *r = api_enter("MPI_Abort");
    char why[LINE_MAX];
    (void)comm; /* a job ends as a whole */
    mpico_text_format(why, sizeof why, "MPI_Abort was called with error code %d", errorcode);
    r->machine->halt(r, errorcode, why);
}
