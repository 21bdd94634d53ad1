/* bsend.c: buffered sends; see bsend.h. */
#include "bsend.h"

#include <assert.h>

#include "p2p.h"
#include "state.h"

struct segment {
    struct list node;
    size_t size; /* header, data, and the rest up to the next segment's alignment */
    struct bsends *in;
    uint32_t number;
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
    struct bsends *b = s->in;
    struct comm *comm = q->comm;
    uint32_t number = s->number;
    list_remove(&s->node);
    if (!SMALL)
        list_remove(&q->all);
    b->used -= s->size;
    r->bsends_left--;
    if (b->automatic)
        mpico_heap_free(&r->heap, s);
    if (b->left)
        b->left(r, b, number);
    mpico_comm_release(r, comm);
}

/* The first gap of the attached buffer with room for `size` bytes; NULL if there is none. */
static struct segment *gap(struct bsends *b, size_t size)
{
    char *end = b->buf + b->size;
    char *at = b->buf + (round_up((uintptr_t)b->buf) - (uintptr_t)b->buf);
    for (struct list *l = b->segments.next;; l = l->next) {
        char *next = l == &b->segments ? end : (char *)list_entry(l, struct segment, node);
        if (next >= at && (size_t)(next - at) >= size) {
            struct segment *s = (struct segment *)(void *)at;
            list_append(l, &s->node); /* before l: address order */
            return s;
        }
        if (l == &b->segments)
            return NULL;
        at = next + list_entry(l, struct segment, node)->size;
    }
}

/* Messages that have left may not have been noticed yet: look before giving up. */
static struct segment *segment_alloc(struct rank *r, struct bsends *b, size_t size)
{
    struct segment *s = NULL;
    if (b->automatic) {
        if ((s = mpico_heap_alloc(&r->heap, size)))
            list_append(&b->segments, &s->node);
    } else {
        while (!(s = gap(b, size)) && mpico_progress(r) > 0)
            ;
    }
    if (s) {
        s->size = size;
        s->in = b;
        s->number = b->made++;
        b->used += size;
        r->bsends_left++;
    }
    return s;
}

/* The communicator's buffer goes first, then its session's. */
static struct bsends *buffer_for(const struct rank *r, const struct comm *c)
{
    if (c->bsends)
        return c->bsends;
    if (!SMALL && c->session && api_session_bsends && api_session_bsends(c->session))
        return api_session_bsends(c->session);
    return r->bsends;
}

int api_bsend(struct rank *r, const void *buf, size_t count, const struct type *type, int dest, int tag,
              struct comm *comm)
{
    if (dest == MPI_PROC_NULL)
        return MPI_SUCCESS;
    struct bsends *b = buffer_for(r, comm);
    size_t bytes = count * type->size;
    struct segment *s = b ? segment_alloc(r, b, round_up(sizeof *s + bytes)) : NULL;
    if (!b)
        return mpico_fault(r, MPI_ERR_BUFFER, "no buffer is attached (MPI_Buffer_attach)");
    if (!s)
        return mpico_fault(r, MPI_ERR_BUFFER,
                           "no room for a message of %z bytes: the attached buffer of %z bytes has %z in use", bytes,
                           b->size, b->used);
    char *copy = (char *)(s + 1);
    if (bytes)
        mpico_type_pack(type, buf, 0, copy, bytes);
    mpico_cost_settle(); /* a link reads the copy */
    s->send.flags = 0;
    mpico_send_init(&s->send, copy, bytes, &mpico_type_byte, dest, tag, comm, comm_context(comm), SEND_STANDARD);
    s->send.owner = s;
    api_state(r)->flush = api_bsend_flush;
    s->send.on_done = segment_done;
    mpico_comm_keep(comm);
    if (!SMALL) /* there whoever waits for it ends it */
        list_append(&r->requests, &s->send.all);
    mpico_send_start(r, &s->send);
    return MPI_SUCCESS;
}

int api_bsend_now(struct rank *r, const void *buf, MPI_Aint count, MPI_Datatype datatype, int dest, int tag,
                  MPI_Comm handle)
{
    struct comm *c = NULL;
    struct data data = {0};
    int e = check_send(r, buf, count, datatype, dest, tag, handle, &c, &data);
    if (!e)
        e = api_bsend(r, buf, data.count, data.type, dest, tag, c);
    return e ? api_error(r, c, e) : MPI_SUCCESS;
}

#pragma weak MPI_Bsend = PMPI_Bsend
int PMPI_Bsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Bsend");
    return api_bsend_now(r, buf, count, datatype, dest, tag, comm);
}

/* ---- Buffers ---- */

void api_bsends_flush(struct rank *r, const struct bsends *b)
{
    uint32_t idle = 0;
    while (b && !list_empty(&b->segments)) {
        struct request *const first[1] = {&list_entry(b->segments.next, struct segment, node)->send};
        mpico_wait_turn(r, &idle, first, 1);
    }
}

void api_bsend_flush(struct rank *r)
{
    uint32_t idle = 0;
    api_bsends_flush(r, r->bsends);
    while (r->bsends_left)
        mpico_wait_turn(r, &idle, NULL, 0);
}

int api_bsends_attach(struct rank *r, struct bsends **place, void *buffer, MPI_Count size)
{
    int e;
    if (*place)
        return mpico_fault(r, MPI_ERR_BUFFER, "buffer: another one is attached already");
    if (size < 0 && buffer != MPI_BUFFER_AUTOMATIC)
        return mpico_fault(r, MPI_ERR_ARG, "size: %l is negative", (long long)size);
    if ((e = check_pointer(r, buffer, "buffer")))
        return e;
    struct bsends *b = mpico_heap_alloc(&r->heap, sizeof *b);
    if (!b)
        return mpico_fault(r, MPI_ERR_NO_MEM, "no memory to note the buffer");
    int automatic = buffer == MPI_BUFFER_AUTOMATIC;
    *b = (struct bsends){.automatic = (uint8_t)automatic, .buf = buffer, .size = automatic ? 0 : (size_t)size};
    list_init(&b->segments);
    list_init(&b->flushes);
    *place = b;
    return MPI_SUCCESS;
}

int api_bsends_detach(struct rank *r, struct bsends **place, void *buffer_addr, MPI_Count *size)
{
    int e;
    if ((e = check_pointer(r, buffer_addr, "buffer_addr")) || (e = check_pointer(r, size, "size")))
        return e;
    struct bsends *b = *place;
    api_bsends_flush(r, b);
    *(void **)buffer_addr = b ? b->buf : NULL;
    *size = b ? (MPI_Count)b->size : 0;
    mpico_heap_free(&r->heap, b);
    *place = NULL;
    return MPI_SUCCESS;
}

#pragma weak MPI_Buffer_attach = PMPI_Buffer_attach
int PMPI_Buffer_attach(void *buffer, int size)
{
    struct rank *r = api_enter("MPI_Buffer_attach");
    int e = api_bsends_attach(r, &r->bsends, buffer, size);
    return e ? api_error(r, NULL, e) : MPI_SUCCESS;
}

#pragma weak MPI_Buffer_detach = PMPI_Buffer_detach
int PMPI_Buffer_detach(void *buffer_addr, int *size)
{
    struct rank *r = api_enter("MPI_Buffer_detach");
    MPI_Count bytes = 0;
    int e = check_pointer(r, size, "size");
    if (e || (e = api_bsends_detach(r, &r->bsends, buffer_addr, &bytes)))
        return api_error(r, NULL, e);
    *size = bsends_size(bytes);
    return MPI_SUCCESS;
}
