/* schedule.c: running a program of steps.
 *
 * `first` is the end of the finished prefix, `open` the end of the started one. Rounds are prefixes,
 * so that "all earlier rounds are done" is one comparison, and a scan from `open` ends at the first step
 * of a round that may not start yet. A finished message only marks its step and puts the schedule into the
 * rank's ready list: steps start from the loop in advance(), never from inside another's completion.
 */
#include "schedule.h"

#include "../core/protocol.h"
#include "../core/rank.h"
#include "../cost.h"
#include "mpi.h"
#include "op.h"

enum {
    SLOTS_MAX = 64, /* messages of one collective under way; more wait their turn */
    ALL_MESSAGES = 1 << STEP_SEND | 1 << STEP_RECV
};

/* The sentence of a message's error; those of checks are there already. */
static void say(struct schedule *s, const struct request *q)
{
    struct rank *r = s->owner;
    if (s->error == MPI_ERR_TRUNCATE)
        mpico_fault(r, s->error, "data truncated: rank %d sent %z bytes, the buffer holds %z", q->source, q->sent_bytes,
                    q->bytes);
    else if (s->error == MPI_ERR_PROC_ABORTED)
        mpico_fault(r, s->error, "%s", r->lost_why);
    else if (s->error == MPI_ERR_NO_MEM)
        mpico_fault(r, s->error, "no memory for the messages of the collective");
}

static void finish(struct schedule *s)
{
    struct rank *r = s->owner;
    struct request *q = s->request;
    q->extra = NULL;
    q->error = s->error;
    say(s, q);
    list_remove(&s->ready);
    if (s->op)
        mpico_op_release(r, s->op);
    if (!s->kept)
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
    s->unsettled |= q->kind == REQUEST_RECV && q->received > 0;
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
    st->slot = (uint8_t)(slot - s->slot);
    st->state = STEP_UNDER_WAY;
    /* The own group's communicator has a sequence of tags of its own, for the collectives within it. */
    struct comm *comm = st->local ? s->comm->local : s->comm;
    uint32_t context = st->local ? comm_context(comm) : comm_coll_context(comm);
    if (st->kind == STEP_SEND)
        mpico_send_init(q, st->from, st->count, st->type, st->peer, s->tag, comm, context, SEND_STANDARD);
    else
        mpico_recv_init(q, st->to, st->count, st->type, st->peer, s->tag, comm, context);
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
    if (st->kind == STEP_COPY || st->kind == STEP_COPY_ASIDE)
        copy(st);
    else if (st->kind == STEP_REDUCE)
        mpico_op_apply(s->op, st->type, st->from, st->to, st->count);
    s->locals--;
    step_done(s, st);
    /* A check stands at the end of a round of its own: nothing is under way. */
    int e = st->kind == STEP_CHECK ? s->check(s) : 0;
    if (e)
        drop_rest(s, e);
}

/* A step that reads data waits for the copies that put it there. */
static void settle(struct schedule *s, const struct step *st)
{
    cost(COST_STEP, 1);
    if (s->unsettled && st->kind != STEP_RECV && st->kind != STEP_COPY_ASIDE) {
        mpico_cost_settle();
        s->unsettled = 0;
    }
    s->unsettled |= st->kind == STEP_COPY;
}

/* One pass over the steps that may start now. */
static void pass(struct schedule *s)
{
    unsigned held = 0; /* a bit a kind: one of it waits, so later ones do */
    for (uint32_t i = s->open; i < s->count && s->step[i].wait <= s->first; i++) {
        if (held == ALL_MESSAGES && s->locals == 0)
            break; /* whatever follows is a message, and waits */
        struct step *st = &s->step[i];
        if (st->state != STEP_WAITS)
            continue;
        int message = st->kind == STEP_SEND || st->kind == STEP_RECV;
        if ((held >> st->kind & 1) || (st->after >= 0 && s->step[st->after].state != STEP_DONE) ||
            (message && !s->free_slot)) {
            held |= message ? 1u << st->kind : 0;
            continue;
        }
        settle(s, st);
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

static void request_begin(struct schedule *s, struct request *q)
{
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
}

/* All steps, whatever the last run has left. */
static void begin(struct schedule *s)
{
    s->first = s->open = s->done = s->locals = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        s->step[i].state = STEP_WAITS;
        s->locals += s->step[i].kind != STEP_SEND && s->step[i].kind != STEP_RECV;
    }
}

static void prepare(struct schedule *s, struct request *q)
{
    if (s->tag < 0)
        s->tag = comm_coll_tag(s->comm);
    if (s->request) { /* again */
        s->count = s->all;
        s->error = 0;
    }
    s->all = s->count;
    request_begin(s, q);
    if (s->op)
        mpico_op_keep(s->op);
    if (!s->error && s->widest && !s->slot)
        slots_init(s);
    begin(s);
    /* Without memory nothing was sent: the peers' part of this collective will not come about. */
    if (s->error)
        s->count = 0;
}

void mpico_schedule_start(struct schedule *s, struct request *q)
{
    prepare(s, q);
    advance(s);
}

void mpico_schedule_start_soon(struct schedule *s, struct request *q)
{
    prepare(s, q);
    list_append(&s->owner->schedules, &s->ready);
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

const struct upper mpico_schedule_upper = {.progress = mpico_schedules_progress, .waiting = mpico_schedule_waiting};

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
