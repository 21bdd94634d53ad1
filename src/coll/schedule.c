/* schedule.c: building a program of steps, and running it.
 *
 * Running: `first` is the end of the finished prefix, `open` the end of the started one. Rounds are prefixes,
 * so that "all earlier rounds are done" is one comparison, and a scan from `open` ends at the first step
 * of a round that may not start yet. A finished message only marks its step and puts the schedule into the
 * rank's ready list: steps start from the loop in advance(), never from inside another's completion.
 */
#include "schedule.h"

#include <limits.h>
#include <string.h>

#include "../core/protocol.h"
#include "../core/rank.h"
#include "mpi.h"
#include "op.h"
#include "state.h"

enum {
    STEPS_FIRST = 24,   /* room for the steps of a short collective on 128 ranks */
    SLOTS_MAX = 64,     /* messages of one collective under way; more wait their turn */
    PIECE_MIN = 2048,   /* from here on a piece of its own */
    MEMORY_ALIGN = 16,
    TAG_MASK = (1 << 30) - 1
};

struct piece {
    struct piece *next;
    void *memory;
};

static const struct run byte_run = {0, 1};
const struct type mpico_schedule_byte = {.magic = TYPE_MAGIC,
                                         .predefined = 1,
                                         .committed = 1,
                                         .contiguous = 1,
                                         .class = TYPE_BYTES,
                                         .width = 1,
                                         .size = 1,
                                         .extent = 1,
                                         .elements = 1,
                                         .runs = 1,
                                         .run = &byte_run,
                                         .handle = (uintptr_t)MPI_BYTE,
                                         .name = "MPI_BYTE"};

/* ---- Memory ---- */

struct schedule *mpico_schedule_alloc(struct rank *r, struct comm *comm)
{
    char *block = mpico_coll_block_take(r);
    if (!block)
        return NULL;
    struct schedule *s = (struct schedule *)(void *)block;
    memset(s, 0, sizeof *s);
    size_t head = (sizeof *s + MEMORY_ALIGN - 1) & ~(size_t)(MEMORY_ALIGN - 1);
    s->owner = r;
    s->comm = comm;
    s->rank = comm->rank;
    s->size = comm->size;
    s->memory = block + head;
    s->memory_left = COLL_BLOCK - head;
    s->step = mpico_schedule_temp(s, STEPS_FIRST * sizeof *s->step);
    s->room = STEPS_FIRST;
    list_init(&s->ready);
    return s;
}

void mpico_schedule_free(struct schedule *s)
{
    struct rank *r = s->owner;
    while (s->pieces) {
        struct piece *p = s->pieces;
        s->pieces = p->next;
        mpico_heap_free(&r->heap, p->memory);
    }
    mpico_coll_block_give(r, s);
}

static void *cut(struct schedule *s, size_t bytes)
{
    char *at = s->memory;
    s->memory += bytes;
    s->memory_left -= bytes;
    return at;
}

/* A piece of the heap. Its list entry is cut from the block while that lasts, so that a large power of two
 * is not made a little larger, which a buddy heap would double. */
static void *piece(struct schedule *s, size_t bytes)
{
    int inside = s->memory_left >= sizeof(struct piece);
    void *memory = mpico_heap_alloc(&s->owner->heap, inside ? bytes : bytes + MEMORY_ALIGN);
    if (!memory) {
        s->error = MPI_ERR_NO_MEM;
        return NULL;
    }
    static_assert(sizeof(struct piece) <= MEMORY_ALIGN, "a list entry fits before the piece");
    struct piece *p = inside ? cut(s, MEMORY_ALIGN) : memory;
    *p = (struct piece){.next = s->pieces, .memory = memory};
    s->pieces = p;
    return inside ? memory : (char *)memory + MEMORY_ALIGN;
}

void *mpico_schedule_temp(struct schedule *s, size_t bytes)
{
    if (s->error)
        return NULL;
    if (bytes > SIZE_MAX / 2) {
        s->error = MPI_ERR_NO_MEM;
        return NULL;
    }
    bytes = (bytes + MEMORY_ALIGN - 1) & ~(size_t)(MEMORY_ALIGN - 1);
    if ((bytes < PIECE_MIN || s->room == 0) && bytes <= s->memory_left)
        return cut(s, bytes);
    return piece(s, bytes);
}

/* Offsets of runs may be negative (a lower bound below 0): they are differences, kept modulo 2^n. */
void *mpico_schedule_array(struct schedule *s, const struct type *t, size_t count)
{
    if (count == 0 || t->runs == 0)
        return mpico_schedule_temp(s, 1);
    ptrdiff_t low = PTRDIFF_MAX, high = PTRDIFF_MIN;
    for (size_t i = 0; i < t->runs; i++) {
        ptrdiff_t from = (ptrdiff_t)t->run[i].offset, to = from + (ptrdiff_t)t->run[i].len;
        low = from < low ? from : low;
        high = to > high ? to : high;
    }
    /* A negative extent lays the elements out downwards. */
    ptrdiff_t last = (ptrdiff_t)(count - 1) * (ptrdiff_t)t->extent;
    size_t span = (size_t)(high - low) + (size_t)(last < 0 ? -last : last);
    char *at = mpico_schedule_temp(s, span);
    return at ? at - low - (last < 0 ? last : 0) : NULL;
}

/* ---- Building ---- */

static int more(struct schedule *s)
{
    struct step *wider = mpico_schedule_temp(s, 2 * s->room * sizeof *wider);
    if (!wider)
        return -1;
    memcpy(wider, s->step, s->count * sizeof *wider);
    s->step = wider;
    s->room *= 2;
    return 0;
}

static int add(struct schedule *s, struct step step)
{
    if (s->error || (s->count == s->room && more(s)))
        return -1;
    step.wait = s->round;
    step.after = -1;
    s->step[s->count] = step;
    return (int)s->count++;
}

static int add_message(struct schedule *s, struct step step)
{
    if (++s->messages > s->widest)
        s->widest = s->messages;
    return add(s, step);
}

int mpico_schedule_send(struct schedule *s, const void *buf, size_t count, const struct type *t, int peer)
{
    return add_message(s, (struct step){.kind = STEP_SEND, .peer = peer, .from = buf, .count = count, .type = t});
}

int mpico_schedule_recv(struct schedule *s, void *buf, size_t count, const struct type *t, int peer)
{
    return add_message(s, (struct step){.kind = STEP_RECV, .peer = peer, .to = buf, .count = count, .type = t});
}

int mpico_schedule_copy(struct schedule *s, const void *from, size_t count, const struct type *t, void *to,
                        size_t to_count, const struct type *to_type)
{
    if (count * t->size == 0 || (from == to && t == to_type))
        return -1;
    return add(s, (struct step){.kind = STEP_COPY,
                                .peer = -1,
                                .from = from,
                                .count = count,
                                .type = t,
                                .to = to,
                                .to_count = to_count,
                                .to_type = to_type});
}

int mpico_schedule_reduce(struct schedule *s, const void *left, void *right, size_t count, const struct type *t)
{
    if (count == 0)
        return -1;
    return add(s, (struct step){.kind = STEP_REDUCE, .peer = -1, .from = left, .to = right, .count = count, .type = t});
}

int mpico_schedule_check(struct schedule *s, int (*check)(struct schedule *), void *checked)
{
    s->check = check;
    s->checked = checked;
    return add(s, (struct step){.kind = STEP_CHECK, .peer = -1});
}

void mpico_schedule_round(struct schedule *s)
{
    s->round = s->count;
    s->messages = 0;
}

void mpico_schedule_after(struct schedule *s, int step, int after)
{
    if (step >= 0)
        s->step[step].after = after;
}

/* ---- Running ---- */

static void finish(struct schedule *s)
{
    struct rank *r = s->owner;
    struct request *q = s->request;
    q->extra = NULL;
    q->error = s->error;
    if (s->error == MPI_ERR_TRUNCATE)
        mpico_fault(r, s->error, "data truncated: rank %d sent %z bytes, the buffer holds %z", q->source, q->sent_bytes,
                    q->bytes);
    else if (s->error == MPI_ERR_NO_MEM)
        mpico_fault(r, s->error, "no memory for the messages of the collective");
    list_remove(&s->ready);
    if (s->op)
        mpico_op_release(r, s->op);
    mpico_schedule_free(s);
    mpico_request_done(r, q);
}

/* The first failed message speaks for the collective. */
static void note_error(struct schedule *s, const struct request *q)
{
    s->error = q->error;
    s->request->source = q->source;
    s->request->status_tag = q->status_tag;
    s->request->sent_bytes = q->sent_bytes;
    s->request->bytes = q->bytes;
}

static void step_done(struct schedule *s, struct step *st)
{
    st->state = STEP_DONE;
    s->done++;
    while (s->first < s->count && s->step[s->first].state == STEP_DONE)
        s->first++;
}

static void message_done(struct request *q)
{
    struct schedule *s = q->owner;
    struct slot *slot = list_entry(q, struct slot, request);
    if (q->error && !s->error)
        note_error(s, q);
    step_done(s, &s->step[slot->step]);
    slot->next_free = s->free_slot;
    s->free_slot = slot;
    if (!s->advancing && list_empty(&s->ready))
        list_append(&s->owner->schedules, &s->ready);
}

static void start_message(struct schedule *s, struct step *st)
{
    struct slot *slot = s->free_slot;
    struct request *q = &slot->request;
    s->free_slot = slot->next_free;
    slot->step = (uint32_t)(st - s->step);
    st->slot = (uint16_t)(slot - s->slot);
    st->state = STEP_UNDER_WAY;
    uint32_t context = comm_coll_context(s->comm);
    if (st->kind == STEP_SEND)
        mpico_send_init(q, st->from, st->count, st->type, st->peer, s->tag, s->comm, context, SEND_STANDARD);
    else
        mpico_recv_init(q, st->to, st->count, st->type, st->peer, s->tag, s->comm, context);
    q->owner = s;
    q->on_done = message_done;
    if (st->kind == STEP_SEND)
        mpico_send_start(s->owner, q);
    else
        mpico_recv_start(s->owner, q);
}

/* From one typed array to another that holds the same bytes; unlike types meet in packed form. */
static void copy(const struct step *st)
{
    size_t bytes = st->count * st->type->size, limit = st->to_count * st->to_type->size;
    if (bytes > limit)
        bytes = limit;
    if (st->type == st->to_type && bytes == st->count * st->type->size) {
        mpico_type_copy(st->type, st->from, st->to, st->count);
    } else if (st->to_type->contiguous) {
        mpico_type_pack(st->type, st->from, 0, st->to, bytes);
    } else if (st->type->contiguous) {
        mpico_type_unpack(st->to_type, st->to, 0, st->from, bytes);
    } else {
        char packed[512];
        for (size_t at = 0, len; at < bytes; at += len) {
            len = bytes - at < sizeof packed ? bytes - at : sizeof packed;
            mpico_type_pack(st->type, st->from, at, packed, len);
            mpico_type_unpack(st->to_type, st->to, at, packed, len);
        }
    }
}

static void drop_rest(struct schedule *s, int error)
{
    s->error = error;
    s->count = s->first = (uint32_t)s->done;
}

static void run_local(struct schedule *s, struct step *st)
{
    if (st->kind == STEP_COPY)
        copy(st);
    else if (st->kind == STEP_REDUCE)
        mpico_op_apply(s->op, st->type, st->from, st->to, st->count);
    step_done(s, st);
    /* A check stands at the end of a round of its own: nothing is under way. */
    int e = st->kind == STEP_CHECK ? s->check(s) : 0;
    if (e)
        drop_rest(s, e);
}

/* One pass over the steps that may start now. */
static void pass(struct schedule *s)
{
    unsigned held = 0; /* a bit a kind: one of it waits, so later ones do */
    for (uint32_t i = s->open; i < s->count && s->step[i].wait <= s->first; i++) {
        struct step *st = &s->step[i];
        if (st->state != STEP_WAITS)
            continue;
        int message = st->kind == STEP_SEND || st->kind == STEP_RECV;
        if ((held >> st->kind & 1) || (st->after >= 0 && s->step[st->after].state != STEP_DONE) ||
            (message && !s->free_slot)) {
            held |= message ? 1u << st->kind : 0;
            continue;
        }
        if (message)
            start_message(s, st);
        else
            run_local(s, st);
    }
    while (s->open < s->count && s->step[s->open].state != STEP_WAITS)
        s->open++;
}

static void advance(struct schedule *s)
{
    uint32_t before;
    s->advancing = 1;
    do {
        before = s->done;
        pass(s);
    } while (s->done != before && s->open < s->count);
    s->advancing = 0;
    if (s->done >= s->count)
        finish(s);
}

static void slots_init(struct schedule *s)
{
    uint32_t slots = s->widest < SLOTS_MAX ? s->widest : SLOTS_MAX;
    if (slots == 1 && s->count > 1)
        slots = 2;
    s->slot = mpico_schedule_temp(s, slots * sizeof *s->slot);
    s->free_slot = NULL;
    for (uint32_t i = slots; s->slot && i-- > 0;) {
        s->slot[i].request.flags = 0;
        s->slot[i].next_free = s->free_slot;
        s->free_slot = &s->slot[i];
    }
}

void mpico_schedule_start(struct schedule *s, struct request *q)
{
    s->tag = (int)(s->comm->coll_seq++ & TAG_MASK);
    s->request = q;
    q->magic = REQUEST_MAGIC;
    q->kind = REQUEST_COLL;
    q->flags = (uint16_t)((q->flags & ~REQUEST_DONE) | REQUEST_ACTIVE);
    q->comm = s->comm;
    q->context = comm_coll_context(s->comm);
    q->peer = q->peer_world = -1;
    q->source = MPI_ANY_SOURCE;
    q->tag = s->tag;
    q->error = 0;
    q->extra = s;
    if (q->flags & REQUEST_POOLED)
        mpico_comm_keep(s->comm);
    if (s->op)
        mpico_op_keep(s->op);
    if (!s->error && s->widest)
        slots_init(s);
    /* Without memory nothing was sent: the peers' part of this collective will not come about. */
    if (s->error)
        s->count = 0;
    advance(s);
}

int mpico_schedules_progress(struct rank *r)
{
    int advanced = 0;
    while (!list_empty(&r->schedules)) {
        struct schedule *s = list_entry(r->schedules.next, struct schedule, ready);
        list_remove(&s->ready);
        advance(s);
        advanced++;
    }
    return advanced;
}

const struct request *mpico_schedule_waiting(const struct request *q)
{
    const struct schedule *s = q->kind == REQUEST_COLL ? q->extra : NULL;
    const struct request *found = NULL;
    for (uint32_t i = s ? s->first : 0; s && i < s->count; i++) {
        const struct step *st = &s->step[i];
        if (st->state != STEP_UNDER_WAY)
            continue;
        if (!found || st->kind == STEP_RECV)
            found = &s->slot[st->slot].request;
        if (st->kind == STEP_RECV)
            break;
    }
    return found;
}
