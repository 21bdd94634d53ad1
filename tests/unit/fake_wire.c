/* fake_wire.c: see fake_wire.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../src/base/text.h"
#include "../../src/coll/schedule.h"
#include "../../src/core/progress.h"
#include "../../src/core/protocol.h"
#include "fake_wire.h"

enum { ARENA = 1 << 21, MESSAGES = 1 << 12 };

struct world *w;

/* ---- The wire ---- */

struct letter {
    int from, to, tag;
    size_t len;
    char *data;
    struct request *sender; /* NULL: it went at once */
};
static struct {
    struct letter m[MESSAGES];
    int count;
} wire;
static struct request *posted[MESSAGES];
static int posted_count;

uint32_t draw(uint32_t below)
{
    w->random = w->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(w->random >> 33) % below;
}

static void fill(struct request *q, int kind, void *buf, size_t count, const struct type *t, int peer, int tag,
                 struct comm *c)
{
    q->kind = (uint8_t)kind;
    q->buf = buf;
    q->count = count;
    q->type = t;
    q->bytes = count * t->size;
    q->peer = peer;
    q->tag = tag;
    q->comm = c;
    q->flags = 0;
    q->error = 0;
    q->received = 0;
    assert_true(peer >= (kind == REQUEST_SEND ? -1 : 0) && peer < w->size); /* -1: to all others */
}

void mpico_send_init(struct request *q, const void *buf, size_t count, const struct type *t, int dest, int tag,
                     struct comm *c, uint32_t context, enum send_mode mode)
{
    (void)context;
    (void)mode;
    fill(q, REQUEST_SEND, (void *)(uintptr_t)buf, count, t, dest, tag, c);
}

void mpico_recv_init(struct request *q, void *buf, size_t count, const struct type *t, int source, int tag,
                     struct comm *c, uint32_t context)
{
    (void)context;
    fill(q, REQUEST_RECV, buf, count, t, source, tag, c);
}

void mpico_request_done(struct rank *r, struct request *q)
{
    (void)r;
    q->flags |= REQUEST_DONE;
    if (q->on_done)
        q->on_done(q);
}

static void pack_now(struct letter *m, const struct request *q)
{
    m->data = malloc(m->len + 1);
    mpico_type_pack(q->type, q->buf, 0, m->data, m->len);
}

static void send_to_all(struct rank *r, struct request *q)
{
    for (int i = 0; i < w->size; i++) {
        if (i == q->comm->rank)
            continue;
        struct letter *m = &wire.m[wire.count++];
        assert_true(wire.count <= MESSAGES);
        *m = (struct letter){.from = q->comm->rank, .to = i, .tag = q->tag, .len = q->bytes};
        pack_now(m, q);
    }
    mpico_request_done(r, q);
}

void mpico_send_start(struct rank *r, struct request *q)
{
    if (q->peer < 0) {
        send_to_all(r, q);
        return;
    }
    struct letter *m = &wire.m[wire.count++];
    assert_true(wire.count <= MESSAGES);
    *m = (struct letter){.from = q->comm->rank, .to = q->peer, .tag = q->tag, .len = q->bytes};
    if (draw(2)) {
        pack_now(m, q);
        mpico_request_done(r, q);
    } else {
        m->sender = q;
    }
}

void mpico_recv_start(struct rank *r, struct request *q)
{
    (void)r;
    posted[posted_count++] = q;
}

int mpico_fault(struct rank *r, int error_class, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    mpico_text_vformat(r->fault, sizeof r->fault, format, args);
    va_end(args);
    return error_class;
}

void mpico_wait(struct rank *r, struct request *q)
{
    (void)r;
    (void)q;
    fail();
}
int mpico_wait_turn(struct rank *r, uint32_t *idle, struct request *const *list, int requests)
{
    (void)r;
    (void)idle;
    (void)list;
    (void)requests;
    fail();
    return 0;
}
void mpico_wait_over(struct rank *r)
{
    (void)r;
    fail();
}
size_t mpico_send_eager_max(const struct rank *r, const struct link *link)
{
    (void)r;
    return link->eager_max_bytes;
}

/* Give the oldest message of its sender to receive `i`; 0 if there is none. */
static int serve(int i)
{
    /* Of receives that accept the same messages the first posted is served. */
    for (int k = 0; k < i; k++)
        if (posted[k]->comm == posted[i]->comm && posted[k]->peer == posted[i]->peer &&
            posted[k]->tag == posted[i]->tag)
            i = k;
    struct request *q = posted[i];
    int at = 0;
    while (at < wire.count &&
           !(wire.m[at].from == q->peer && wire.m[at].to == q->comm->rank && wire.m[at].tag == q->tag))
        at++;
    if (at == wire.count)
        return 0;
    struct letter m = wire.m[at];
    memmove(&wire.m[at], &wire.m[at + 1], (size_t)(wire.count - at - 1) * sizeof m);
    wire.count--;
    posted[i] = NULL;
    memmove(&posted[i], &posted[i + 1], (size_t)(posted_count - i - 1) * sizeof posted[0]);
    posted_count--;
    if (m.sender)
        pack_now(&m, m.sender);
    size_t len = m.len < q->bytes ? m.len : q->bytes;
    if (m.len > q->bytes) {
        q->error = 15; /* MPI_ERR_TRUNCATE */
        q->source = m.from;
        q->sent_bytes = m.len;
    }
    if (len)
        mpico_type_unpack(q->type, q->buf, 0, m.data, len);
    q->received = len;
    free(m.data);
    if (m.sender)
        mpico_request_done(&w->rank[m.from], m.sender);
    mpico_request_done(&w->rank[m.to], q);
    return 1;
}

void deliver_one(void)
{
    int first = posted_count ? (int)draw((uint32_t)posted_count) : 0;
    int served = 0;
    for (int k = 0; k < posted_count && !served; k++)
        served = serve((first + k) % posted_count);
    assert_true(served); /* otherwise everyone waits for ever */
    for (int i = 0; i < w->size; i++)
        if (!list_empty(&w->rank[i].schedules) && draw(3))
            mpico_schedules_progress(&w->rank[i]);
}

int all_done(void)
{
    int ready = 1;
    for (int i = 0; i < w->size; i++) {
        mpico_schedules_progress(&w->rank[i]);
        ready &= w->request[i].flags & REQUEST_DONE ? 1 : 0;
    }
    return ready;
}

void run_all(void)
{
    while (!all_done())
        deliver_one();
    assert_int_equal(wire.count, 0);
    assert_int_equal(posted_count, 0);
}

void world_start(int size)
{
    w->size = size;
    for (int i = 0; i < size; i++) {
        struct rank *r = &w->rank[i];
        memset(r, 0, sizeof *r);
        void *arena = aligned_alloc(HEAP_BLOCK, ARENA);
        mpico_heap_init(&r->heap, arena, ARENA);
        r->port = arena;
        list_init(&r->schedules);
        w->comm[i] = (struct comm){.refs = 1, .rank = i, .size = size};
        memset(&w->request[i], 0, sizeof w->request[i]);
    }
}

void world_stop(void)
{
    for (int i = 0; i < w->size; i++)
        free(w->rank[i].port);
}

void wire_clear(void) { wire.count = posted_count = 0; }

int wire_letters(void) { return wire.count; }
