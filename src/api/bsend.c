/* bsend.c: buffered sends (MPI 5.0, section 3.6). The attached buffer holds segments: a header, which is
 * the send under way, and the packed message behind it. Segments stand in address order in r->bsends; a new
 * one takes the first gap that fits. Invariant: a segment leaves the list when its send is done.
 */
#include <assert.h>
#include <limits.h>

#include "finish.h"
#include "state.h"

struct segment {
    struct list node;
    size_t size; /* header, data, and the rest up to the next segment's alignment */
    struct request send;
};
enum { SEGMENT_ALIGN = 16 };

/* The program counts MPI_BSEND_OVERHEAD a message; aligning the buffer and each segment costs at most
 * one step of alignment each. */
static_assert(sizeof(struct segment) + 2 * SEGMENT_ALIGN <= MPI_BSEND_OVERHEAD, "the promised overhead suffices");

static size_t round_up(size_t n) { return (n + SEGMENT_ALIGN - 1) / SEGMENT_ALIGN * SEGMENT_ALIGN; }

static void segment_done(struct request *q)
{
    struct rank *r = rank_self();
    struct segment *s = q->owner;
    struct comm *comm = q->comm;
    list_remove(&s->node);
    r->bsend_used -= s->size;
    if (q->extra) /* MPI_BUFFER_AUTOMATIC */
        mpico_heap_free(&r->heap, s);
    mpico_comm_release(r, comm);
}

/* The first gap of the attached buffer with room for `size` bytes; NULL if there is none. */
static struct segment *gap(struct rank *r, size_t size)
{
    char *end = r->bsend_buf + r->bsend_size;
    char *at = r->bsend_buf + (round_up((uintptr_t)r->bsend_buf) - (uintptr_t)r->bsend_buf);
    for (struct list *l = r->bsends.next;; l = l->next) {
        char *next = l == &r->bsends ? end : (char *)list_entry(l, struct segment, node);
        if (next >= at && (size_t)(next - at) >= size) {
            struct segment *s = (struct segment *)(void *)at;
            list_append(l, &s->node); /* before l: address order */
            return s;
        }
        if (l == &r->bsends)
            return NULL;
        at = next + list_entry(l, struct segment, node)->size;
    }
}

/* Messages that have left may not have been noticed yet: look before giving up. */
static struct segment *segment_alloc(struct rank *r, size_t size)
{
    struct segment *s = NULL;
    if (r->bsend_automatic) {
        if ((s = mpico_heap_alloc(&r->heap, size)))
            list_append(&r->bsends, &s->node);
    } else if (r->bsend_buf) {
        while (!(s = gap(r, size)) && mpico_progress(r) > 0)
            ;
    }
    if (s) {
        s->size = size;
        r->bsend_used += size;
    }
    return s;
}

int api_bsend(struct rank *r, const void *buf, size_t count, const struct type *type, int dest, int tag,
              struct comm *comm)
{
    if (dest == MPI_PROC_NULL)
        return MPI_SUCCESS;
    size_t bytes = count * type->size;
    struct segment *s = segment_alloc(r, round_up(sizeof *s + bytes));
    if (!s && !r->bsend_buf && !r->bsend_automatic)
        return mpico_fault(r, MPI_ERR_BUFFER, "no buffer is attached (MPI_Buffer_attach)");
    if (!s)
        return mpico_fault(r, MPI_ERR_BUFFER,
                           "no room for a message of %z bytes: the attached buffer of %z bytes has %z in use", bytes,
                           r->bsend_size, r->bsend_used);
    char *copy = (char *)(s + 1);
    if (bytes)
        mpico_type_pack(type, buf, 0, copy, bytes);
    mpico_cost_settle(); /* a link reads the copy */
    s->send.flags = 0;
    mpico_send_init(&s->send, copy, bytes, mpico_type_of((uintptr_t)MPI_BYTE), dest, tag, comm, comm_context(comm),
                    SEND_STANDARD);
    s->send.owner = s;
    api_state(r)->flush = api_bsend_flush;
    s->send.extra = r->bsend_automatic ? s : NULL;
    s->send.on_done = segment_done;
    mpico_comm_keep(comm);
    mpico_send_start(r, &s->send);
    return MPI_SUCCESS;
}

#pragma weak MPI_Bsend = PMPI_Bsend
int PMPI_Bsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Bsend");
    struct comm *c = NULL;
    struct data data = {0};
    int e = check_send(r, buf, count, datatype, dest, tag, comm, &c, &data);
    if (!e)
        e = api_bsend(r, buf, data.count, data.type, dest, tag, c);
    return e ? api_error(r, c, e) : MPI_SUCCESS;
}

void api_bsend_flush(struct rank *r)
{
    uint32_t idle = 0;
    while (!list_empty(&r->bsends)) {
        struct request *const first[1] = {&list_entry(r->bsends.next, struct segment, node)->send};
        mpico_wait_turn(r, &idle, first, 1);
    }
}

static int attach(struct rank *r, void *buffer, MPI_Count size)
{
    if (r->bsend_buf || r->bsend_automatic)
        return api_error(r, NULL, mpico_fault(r, MPI_ERR_BUFFER, "buffer: another one is attached already"));
    if (buffer == MPI_BUFFER_AUTOMATIC) {
        r->bsend_automatic = 1;
        return MPI_SUCCESS;
    }
    if (size < 0)
        return api_error(r, NULL, mpico_fault(r, MPI_ERR_ARG, "size: %l is negative", (long long)size));
    int e = check_pointer(r, buffer, "buffer");
    if (e)
        return api_error(r, NULL, e);
    r->bsend_buf = buffer;
    r->bsend_size = (size_t)size;
    return MPI_SUCCESS;
}

/* The buffer, once its messages have left; nothing if none is attached. */
static int detach(struct rank *r, void *buffer_addr, MPI_Count *size)
{
    int e = check_pointer(r, buffer_addr, "buffer_addr");
    if (e)
        return api_error(r, NULL, e);
    api_bsend_flush(r);
    *(void **)buffer_addr = r->bsend_automatic ? MPI_BUFFER_AUTOMATIC : r->bsend_buf;
    *size = (MPI_Count)r->bsend_size;
    r->bsend_buf = NULL;
    r->bsend_size = 0;
    r->bsend_automatic = 0;
    return MPI_SUCCESS;
}

#pragma weak MPI_Buffer_attach = PMPI_Buffer_attach
int PMPI_Buffer_attach(void *buffer, int size) { return attach(api_enter("MPI_Buffer_attach"), buffer, size); }

#pragma weak MPI_Buffer_detach = PMPI_Buffer_detach
int PMPI_Buffer_detach(void *buffer_addr, int *size)
{
    struct rank *r = api_enter("MPI_Buffer_detach");
    MPI_Count bytes = 0;
    int e = check_pointer(r, size, "size");
    if (e)
        return api_error(r, NULL, e);
    if ((e = detach(r, buffer_addr, &bytes)))
        return e;
    *size = bytes > INT_MAX ? INT_MAX : (int)bytes;
    return MPI_SUCCESS;
}

#pragma weak MPI_Buffer_flush = PMPI_Buffer_flush
int PMPI_Buffer_flush(void)
{
    api_bsend_flush(api_enter("MPI_Buffer_flush"));
    return MPI_SUCCESS;
}
