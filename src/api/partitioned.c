/* partitioned.c: making the two ends of a partitioned message (MPI 5.0, chapter 4). See partitioned.h. */
#include "partitioned.h"

#include "state.h"

static int check_partitions(struct rank *r, int partitions, MPI_Count count, MPI_Aint *all)
{
    int e = check_count(r, count, "count");
    if (!e && partitions <= 0)
        e = mpico_fault(r, MPI_ERR_ARG, "partitions: %d, but there must be one at least", partitions);
    if (!e && __builtin_mul_overflow(count, partitions, all))
        e = mpico_fault(r, MPI_ERR_COUNT, "count: %d partitions of %l elements are more than memory can hold",
                        partitions, (long long)count);
    return e;
}

static struct channel *channel_alloc(struct rank *r, size_t partitions, int sends)
{
    struct channel *ch = mpico_heap_alloc(&r->heap, sizeof *ch);
    if (!ch)
        return NULL;
    *ch = (struct channel){.partitions = partitions, .sends = (uint8_t)sends};
    ch->shell = mpico_request_alloc(r);
    ch->part = sends ? mpico_heap_alloc(&r->heap, partitions * sizeof *ch->part) : NULL;
    for (size_t i = 0; ch->part && i < partitions; i++)
        ch->part[i].flags = 0;
    if (ch->shell && (ch->part || !sends))
        return ch;
    if (ch->shell)
        mpico_request_free(r, ch->shell);
    mpico_heap_free(&r->heap, ch->part);
    mpico_heap_free(&r->heap, ch);
    return NULL;
}

/* The first message: of the sender's plan. */
static void meet(struct rank *r, struct channel *ch)
{
    const struct request *shell = ch->shell;
    ch->first.flags = 0;
    if (shell->peer == MPI_PROC_NULL) {
        ch->first.flags = REQUEST_DONE;
        return;
    }
    if (ch->sends)
        mpico_send_init(&ch->first, &ch->plan, sizeof ch->plan, &mpico_type_byte, shell->peer, shell->tag, shell->comm,
                        plan_context(shell->comm), SEND_STANDARD);
    else
        mpico_recv_init(&ch->first, &ch->plan, sizeof ch->plan, &mpico_type_byte, shell->peer, shell->tag, shell->comm,
                        plan_context(shell->comm));
    ch->first.owner = ch;
    ch->first.on_done = api_plan_done;
    list_append(&r->requests, &ch->first.all);
    if (ch->sends)
        mpico_send_start(r, &ch->first);
    else
        mpico_recv_start(r, &ch->first);
}

struct end {
    void *buf;
    int partitions;
    MPI_Count count;
    MPI_Datatype type;
    int peer, tag, sends;
};

static int check_end(struct rank *r, const struct end *x, MPI_Comm handle, struct comm **c, struct data *data)
{
    MPI_Aint all = 0;
    int e;
    if ((e = check_comm(r, handle, c)) || (e = check_hints(r, (MPI_Info)(uintptr_t)r->hints)) ||
        (e = check_partitions(r, x->partitions, x->count, &all)))
        return e;
    if (x->sends)
        return check_send(r, x->buf, all, x->type, x->peer, x->tag, handle, c, data);
    if ((e = check_recv(r, x->buf, all, x->type, x->peer, x->tag, handle, c, data)))
        return e;
    if (x->peer == MPI_ANY_SOURCE || x->tag == MPI_ANY_TAG)
        return mpico_fault(r, x->tag == MPI_ANY_TAG ? MPI_ERR_TAG : MPI_ERR_RANK,
                           "source and tag: a partitioned receive names both, no wildcards");
    return MPI_SUCCESS;
}

static int make(struct rank *r, const struct end *x, MPI_Comm handle, MPI_Request *request)
{
    struct comm *c = NULL;
    struct data data = {0};
    int e;
    if ((e = check_end(r, x, handle, &c, &data)) || (e = check_pointer(r, request, "request")))
        return api_error(r, c, e);
    struct channel *ch = channel_alloc(r, (size_t)x->partitions, x->sends);
    if (!ch)
        return api_error(r, c, mpico_fault(r, MPI_ERR_NO_MEM, "no memory for %d partitions", x->partitions));
    struct request *shell = ch->shell;
    mpico_recv_init(shell, x->buf, data.count, data.type, x->peer, x->tag, c, parts_context(c));
    shell->kind = REQUEST_PARTS;
    shell->mode = (uint8_t)!x->sends;
    shell->flags |= REQUEST_PERSISTENT | REQUEST_SHELL;
    shell->extra = ch;
    shell->on_done = api_parts_done;
    api_request_own(shell);
    ch->bytes = shell->bytes / ch->partitions;
    if (x->sends) {
        struct api *api = api_state(r);
        ch->plan = (struct plan){.parts = x->partitions, .bytes = ch->bytes, .tag = api->part_tags};
        api->part_tags = (api->part_tags + (uint32_t)x->partitions) & PARTS_TAG_MASK;
    }
    meet(r, ch);
    *request = api_request_handle(shell);
    return MPI_SUCCESS;
}

static int psend_init(struct rank *r, const void *buf, int partitions, MPI_Count count, MPI_Datatype type, int dest,
                      int tag, MPI_Comm comm, MPI_Request *request)
{
    struct end x = {(void *)(uintptr_t)buf, partitions, count, type, dest, tag, 1};
    return make(r, &x, comm, request);
}

#pragma weak MPI_Psend_init = PMPI_Psend_init
int PMPI_Psend_init(const void *buf, int partitions, MPI_Count count, MPI_Datatype type, int dest, int tag,
                    MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Psend_init");
    r->hints = info;
    return psend_init(r, buf, partitions, count, type, dest, tag, comm, request);
}

#pragma weak MPI_Psend_init_c = PMPI_Psend_init_c
int PMPI_Psend_init_c(const void *buf, int partitions, MPI_Count count, MPI_Datatype type, int dest, int tag,
                      MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Psend_init_c");
    r->hints = info;
    return psend_init(r, buf, partitions, count, type, dest, tag, comm, request);
}

static int precv_init(struct rank *r, void *buf, int partitions, MPI_Count count, MPI_Datatype type, int source,
                      int tag, MPI_Comm comm, MPI_Request *request)
{
    struct end x = {buf, partitions, count, type, source, tag, 0};
    return make(r, &x, comm, request);
}

#pragma weak MPI_Precv_init = PMPI_Precv_init
int PMPI_Precv_init(void *buf, int partitions, MPI_Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                    MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Precv_init");
    r->hints = info;
    return precv_init(r, buf, partitions, count, type, source, tag, comm, request);
}

#pragma weak MPI_Precv_init_c = PMPI_Precv_init_c
int PMPI_Precv_init_c(void *buf, int partitions, MPI_Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                      MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Precv_init_c");
    r->hints = info;
    return precv_init(r, buf, partitions, count, type, source, tag, comm, request);
}
