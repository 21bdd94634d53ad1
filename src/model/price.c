/* price.c: see price.h. Actions are taken in the order of their starting times: the rank that can act first does, on the processor where
 * it was last, or on the one that is free first, which costs a change. An action occupies a processor: the start of a send, a
 * copy, the end of a receive. Between them a rank waits, and occupies none.
 */
#include "price.h"

#include <string.h>

static const uint64_t never = UINT64_MAX;

enum { STEP_WAITS, STEP_POSTED, STEP_OVER };

struct state {
    uint64_t at;      /* POSTED: when; OVER: when it was done */
    uint64_t here;    /* of a posted receive: when its message is there; 0: not known yet */
    uint32_t partner; /* of a receive: the send that it meets, by number of all steps */
    uint32_t owner;   /* rank */
    uint8_t is;
};

struct actor {
    uint64_t time;      /* its last action ended */
    uint64_t sent;      /* its last send began, and a gap on */
    uint64_t next;      /* it can act; `never`: it waits for another */
    uint64_t round;     /* the steps that the present round waits for were done */
    uint64_t prefix;    /* those before `first` were */
    uint32_t base;      /* number of its first step */
    uint32_t first;     /* every step below is over */
    uint32_t choice;    /* the step it would act on */
    uint32_t processor; /* where it was last */
};

struct processor {
    uint64_t free;
    int last; /* rank; -1: none yet */
};

struct market {
    const struct model *model;
    const struct price_program *program;
    int ranks, processors;
    struct wires *wires;
    struct state *state;
    struct actor *actor;
    struct processor *processor;
    uint32_t *queue; /* of each pair of ranks: how many of its messages have been met */
};

static size_t up(size_t bytes) { return (bytes + 7) & ~(size_t)7; }

size_t mpico_price_bytes(int ranks, size_t steps)
{
    size_t n = (size_t)ranks;
    return up(steps * sizeof(struct state)) + up(n * sizeof(struct actor)) + up(n * sizeof(struct processor)) +
           up(n * sizeof(uint32_t));
}

/* ---- Which send a receive meets ---- */

/* The next send of `from` to `to` from its step `*i` on, whose number is returned; -1: there is none. */
static int64_t next_send(const struct market *m, int from, int to, uint32_t *i)
{
    const struct price_program *p = &m->program[from];
    while (*i < p->count) {
        const struct price_step *s = &p->step[(*i)++];
        if (s->kind == PRICE_SEND && (s->peer == to || (s->peer < 0 && from != to)))
            return (int64_t)m->actor[from].base + *i - 1;
    }
    return -1;
}

static int meet_rank(struct market *m, int to)
{
    const struct price_program *p = &m->program[to];
    memset(m->queue, 0, (size_t)m->ranks * sizeof *m->queue);
    for (uint32_t i = 0; i < p->count; i++) {
        if (p->step[i].kind != PRICE_RECV)
            continue;
        int from = p->step[i].peer;
        int64_t send = next_send(m, from, to, &m->queue[from]);
        if (send < 0)
            return -1;
        m->state[m->actor[to].base + i].partner = (uint32_t)send;
    }
    return 0;
}

/* ---- When a rank can act ---- */

static const struct price_step *step_of(const struct market *m, uint32_t number)
{
    int rank = (int)m->state[number].owner;
    return &m->program[rank].step[number - m->actor[rank].base];
}

/* When the message of a posted receive can be taken; `never`: not sent, or announced, yet. It goes over the wires when this is first known. */
static uint64_t arrival(const struct market *m, int to, struct state *recv)
{
    const struct state *send = &m->state[recv->partner];
    const struct price_step *s = step_of(m, recv->partner);
    const struct model_segment *g = model_segment(m->model, s->bytes);
    if (send->is == STEP_WAITS)
        return never;
    if (recv->here)
        return recv->here;
    uint64_t there = send->at + g->latency, bytes = s->bytes * g->way_byte;
    if (g->rendezvous && there < recv->at)
        there = recv->at;
    recv->here =
        m->wires ? mpico_wires_carry(m->wires, (int)send->owner, to, there, m->model->hop, bytes) : there + bytes;
    return recv->here;
}

/* A rank looks at its steps in order, as the engine does: what may start goes before what has arrived. */
static void look(struct market *m, int rank)
{
    struct actor *a = &m->actor[rank];
    const struct price_program *p = &m->program[rank];
    struct state *state = &m->state[a->base];
    unsigned held = 0;
    a->next = never;
    for (uint32_t i = a->first; i < p->count && p->step[i].wait <= a->first; i++) {
        const struct price_step *s = &p->step[i];
        uint64_t at = never;
        if (state[i].is == STEP_POSTED && s->kind == PRICE_RECV) {
            at = arrival(m, rank, &state[i]);
        } else if (state[i].is == STEP_WAITS && !(held >> s->kind & 1)) {
            const struct state *after = s->after >= 0 ? &state[s->after] : NULL;
            if (!after || after->is == STEP_OVER)
                at = after && after->at > a->round ? after->at : a->round;
            if (at != never && s->kind == PRICE_SEND && at < a->sent)
                at = a->sent;
            if (s->kind == PRICE_SEND || s->kind == PRICE_RECV)
                held |= 1u << s->kind;
        }
        if (at < a->time)
            at = a->time;
        if (at < a->next) {
            a->next = at;
            a->choice = i;
        }
    }
}

/* ---- Acting ---- */

static void over(struct market *m, uint32_t number, uint64_t at)
{
    struct state *state = &m->state[number];
    struct actor *a = &m->actor[state->owner];
    const struct price_program *p = &m->program[state->owner];
    state->is = STEP_OVER;
    state->at = at;
    while (a->first < p->count && m->state[a->base + a->first].is == STEP_OVER) {
        uint64_t done = m->state[a->base + a->first].at;
        if (done > a->prefix)
            a->prefix = done;
        a->first++;
        if (a->first < p->count && p->step[a->first].wait == a->first)
            a->round = a->prefix;
    }
}

/* Where the rank's action would begin first, and when. A rank that goes on where it is pays no change, so it is not put off by
 * those that wait for its processor. */
static struct processor *place(const struct market *m, int rank, uint64_t *start)
{
    const struct actor *a = &m->actor[rank];
    struct processor *best = &m->processor[a->processor];
    for (int i = 0; best->last != rank && i < m->processors; i++)
        if (m->processor[i].free < best->free)
            best = &m->processor[i];
    uint64_t ready = best->free + (best->last != rank && best->last >= 0 ? m->model->change : 0);
    *start = a->next > ready ? a->next : ready;
    return best;
}

/* What the rank's action costs its processor. */
static uint64_t work(const struct market *m, const struct price_step *s, int posted)
{
    const struct model_segment *g = model_segment(m->model, s->bytes);
    switch (s->kind) {
    case PRICE_SEND:
        return m->model->step + g->send + s->bytes * g->send_byte;
    case PRICE_RECV:
        return posted ? g->recv + s->bytes * g->recv_byte : m->model->step;
    case PRICE_COPY:
        return m->model->step + s->bytes * m->model->copy_byte;
    default:
        return m->model->step + s->bytes * m->model->combine_byte;
    }
}

static void act(struct market *m, int rank)
{
    struct actor *a = &m->actor[rank];
    uint32_t number = a->base + a->choice;
    const struct price_step *s = &m->program[rank].step[a->choice];
    struct state *state = &m->state[number];
    uint64_t start;
    struct processor *processor = place(m, rank, &start);
    a->processor = (uint32_t)(processor - m->processor);
    processor->last = rank;
    int posted = state->is == STEP_POSTED;
    uint64_t end = start + work(m, s, posted);
    a->time = processor->free = end;
    if (s->kind == PRICE_SEND)
        a->sent = start + m->model->gap;
    if (s->kind == PRICE_RECV && posted) {
        uint32_t partner = state->partner;
        over(m, number, end);
        if (m->state[partner].is == STEP_POSTED) {
            over(m, partner, end);
            look(m, (int)m->state[partner].owner);
        }
    } else if (s->kind == PRICE_RECV ||
               (s->kind == PRICE_SEND && model_segment(m->model, s->bytes)->rendezvous && s->peer >= 0)) {
        state->is = STEP_POSTED;
        state->at = end;
    } else {
        over(m, number, end);
    }
    look(m, rank);
    if (s->kind == PRICE_SEND)
        for (int i = s->peer < 0 ? 0 : s->peer; i < (s->peer < 0 ? m->ranks : s->peer + 1); i++)
            look(m, i);
}

/* ---- The whole ---- */

static void lay_out(struct market *m, size_t steps, void *memory)
{
    char *at = memory;
    size_t n = (size_t)m->ranks;
    memset(memory, 0, mpico_price_bytes(m->ranks, steps));
    m->state = (struct state *)(void *)at;
    at += up(steps * sizeof(struct state));
    m->actor = (struct actor *)(void *)at;
    at += up(n * sizeof(struct actor));
    m->processor = (struct processor *)(void *)at;
    at += up(n * sizeof(struct processor));
    m->queue = (uint32_t *)(void *)at;
    uint32_t base = 0;
    for (int i = 0; i < m->ranks; i++) {
        m->actor[i].base = base;
        m->actor[i].processor = (uint32_t)(i % m->processors);
        m->processor[i].last = -1;
        for (uint32_t k = 0; k < m->program[i].count; k++)
            m->state[base + k].owner = (uint32_t)i;
        base += m->program[i].count;
    }
}

static int first_to_act(const struct market *m)
{
    int first = -1;
    uint64_t earliest = never, start;
    for (int i = 0; i < m->ranks; i++) {
        if (m->actor[i].next == never)
            continue;
        place(m, i, &start);
        if (start < earliest) {
            earliest = start;
            first = i;
        }
    }
    return first;
}

uint64_t mpico_price(const struct model *model, const struct price_program *program, int ranks, struct wires *wires,
                     void *memory)
{
    struct market m = {.model = model, .program = program, .ranks = ranks, .wires = wires};
    size_t steps = 0;
    for (int i = 0; i < ranks; i++)
        steps += program[i].count;
    m.processors = model->processors < (uint64_t)ranks ? (int)model->processors : ranks;
    lay_out(&m, steps, memory);
    for (int i = 0; i < ranks; i++)
        if (meet_rank(&m, i))
            return never;
    for (int i = 0; i < ranks; i++)
        look(&m, i);
    for (int i; (i = first_to_act(&m)) >= 0;)
        act(&m, i);
    uint64_t last = 0;
    for (int i = 0; i < ranks; i++) {
        if (m.actor[i].first < program[i].count)
            return never;
        last = m.actor[i].prefix > last ? m.actor[i].prefix : last;
    }
    return last;
}
