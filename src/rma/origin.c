/* origin.c: an operation as messages to its target: usually one; more when it holds more data, or lies in more pieces there, than one
 * message can say.
 */
#include <string.h>

#include "../coll/op.h"
#include "mpi.h"
#include "task.h"

/* Ask and strips, as they stand in a message. */
struct head {
    struct rma_ask ask;
    struct strip strip[RMA_STRIPS];
};

enum { DATA_MOST = RMA_MESSAGE - sizeof(struct head) };

size_t mpico_rma_fill(struct rma_ask *ask, struct strip *strip, const struct rma_call *x, size_t done, size_t most)
{
    size_t bytes = 0, left = x->bytes - done;
    *ask = (struct rma_ask){.kind = (uint8_t)x->kind};
    if (x->op)
        ask->op = (uint8_t)x->op->handle;
    if (x->basic)
        ask->type = (uint16_t)x->basic->handle;
    while (bytes < left && ask->strips < RMA_STRIPS) {
        struct strip *s = &strip[ask->strips];
        size_t room = left - bytes < most - bytes ? left - bytes : most - bytes;
        if (rma_gapped(x->basic))
            mpico_rma_pairs_find(x->there.type, x->basic, done + bytes, room, s);
        else
            mpico_strip_find(x->there.type, done + bytes, left - bytes, s);
        s->offset = (int64_t)((uint64_t)s->offset + x->at);
        if (room < x->unit)
            break;
        bytes += mpico_strip_cut(s, room, x->unit);
        ask->strips++;
    }
    return bytes;
}

void mpico_rma_data(const struct rma_call *x, size_t done, char *out, size_t len)
{
    if (rma_gapped(x->basic)) {
        mpico_rma_pairs_gather(&x->from, x->basic, done, out, len);
        return;
    }
    if (x->kind != RMA_SWAP) {
        mpico_type_pack(x->from.type, x->from.buf, done, out, len);
        return;
    }
    const char *const *values = x->from.buf; /* to compare with, and new */
    memcpy(out, values[0], len);
    memcpy(out + len, values[1], len);
}

static size_t data_bytes(const struct rma_ask *ask, size_t bytes)
{
    return ask->kind == RMA_GET || rma_no_data(ask) ? 0 : ask->kind == RMA_SWAP ? 2 * bytes : bytes;
}

/* Be ready for the answer with these bytes. All of the result at once goes straight to its place. */
static int expect(struct win *w, const struct rma_call *x, struct rma_ask *ask, size_t done, size_t bytes)
{
    int whole = bytes == x->bytes && !rma_gapped(x->basic) &&
                (x->to.type->contiguous || x->to.type->size * x->to.count == bytes);
    struct rma_task *t = mpico_rma_task_open(w, whole ? 0 : bytes, x->target, x->user);
    if (!t)
        return MPI_ERR_NO_MEM;
    ask->answer = mpico_rma_tag(w);
    if (whole) {
        size_t count = x->to.type->contiguous ? bytes : x->to.count;
        mpico_rma_recv(t, x->to.buf, count, x->to.type->contiguous ? &mpico_type_byte : x->to.type, ask->answer);
        return 0;
    }
    t->to = x->to;
    t->at = done;
    t->gapped = rma_gapped(x->basic);
    type_keep(x->to.type);
    t->kept = x->to.type;
    mpico_rma_recv(t, t->more, bytes, &mpico_type_byte, ask->answer);
    return 0;
}

static int ask_for(struct win *w, const struct rma_call *x, const struct head *h, size_t done, size_t bytes)
{
    _Alignas(16) char near[RMA_SHORT];
    struct rank *r = w->rank;
    size_t head = sizeof h->ask + h->ask.strips * sizeof h->strip[0], data = data_bytes(&h->ask, bytes);
    char *message = head + data <= sizeof near ? near : mpico_heap_alloc(&r->heap, head + data);
    if (!message)
        return mpico_fault(r, MPI_ERR_NO_MEM, "no memory for an operation of %z bytes at rank %d", x->bytes, x->target);
    memcpy(message, h, head);
    if (data)
        mpico_rma_data(x, done, message + head, bytes);
    int e = mpico_rma_ask(w, x->target, message, head + data);
    if (message != near)
        mpico_heap_free(&r->heap, message);
    return e;
}

/* The data of a put to one block, as it is. */
static int put_apart(struct win *w, const struct rma_call *x, struct head *h)
{
    struct rma_task *data = mpico_rma_task_open(w, 0, x->target, x->user);
    struct rma_task *end = data ? mpico_rma_task_open(w, sizeof(int32_t), x->target, NULL) : NULL;
    if (data && !end) {
        w->peer[x->target].pending--;
        mpico_rma_task_free(data);
    }
    if (!end)
        return MPI_ERR_NO_MEM;
    h->ask.arg = 1;
    h->ask.answer = mpico_rma_tag(w);
    end->verdict = end->behind = 1;
    w->peer[x->target].behind++;
    mpico_rma_recv(end, end->more, sizeof(int32_t), &mpico_type_byte, h->ask.answer);
    int e = mpico_rma_ask(w, x->target, h, sizeof h->ask + sizeof h->strip[0]);
    int block = x->from.type->contiguous;
    mpico_rma_send(data, x->from.buf, block ? x->bytes : x->from.count, block ? &mpico_type_byte : x->from.type,
                   h->ask.answer | RMA_TAG_DATA);
    return e;
}

static int is_block(const struct rma_ask *ask, const struct strip *s) { return ask->strips == 1 && s->count == 1; }

/* Everything from packed byte `*done` on that one message can ask for. */
static int one_message(struct win *w, const struct rma_call *x, size_t *done)
{
    struct head h;
    int e = 0;
    if (*done == 0 && (x->kind == RMA_GET || (x->kind == RMA_PUT && x->bytes > DATA_MOST))) {
        size_t all = mpico_rma_fill(&h.ask, h.strip, x, 0, x->bytes);
        int block = all == x->bytes && is_block(&h.ask, h.strip);
        if (block && x->kind == RMA_PUT) {
            *done = all;
            return put_apart(w, x, &h);
        }
        if (block && (e = expect(w, x, &h.ask, 0, all)) == 0)
            e = ask_for(w, x, &h, 0, all);
        if (block) {
            *done = all;
            return e;
        }
    }
    size_t bytes = mpico_rma_fill(&h.ask, h.strip, x, *done, x->kind == RMA_GET ? RMA_PIECE : DATA_MOST);
    if (x->to.type)
        e = expect(w, x, &h.ask, *done, bytes);
    if (!e)
        e = ask_for(w, x, &h, *done, bytes);
    *done += bytes;
    return e;
}

int mpico_rma_start(struct win *w, const struct rma_call *x)
{
    struct rma_peer *peer = &w->peer[x->target];
    size_t done = 0;
    int e = 0;
    w->fresh = 0;
    if (peer->local || (w->dynamic && x->target == w->comm->rank))
        return mpico_rma_direct(w, x);
    peer->dirty = 1;
    while (done < x->bytes && !e)
        e = one_message(w, x, &done);
    return e;
}
