/* price.c: see price.h. Actions are taken in the order of their starting times: the rank that can act first does. An action occupies a
 * processor: the start of a send, a copy, the end of a receive.
 *
 * Ranks that share a processor have it in turn, always in the same order, and give it up where they would wait: each turn costs a change, also
 * one in which there is nothing to do. So a message for the next rank in turn is met early and one for the last rank late,
 * which is what tells algorithms apart there.
 */
#include "price.h"

#include <string.h>

static const uint64_t never = UINT64_MAX;

enum { STEP_WAITS, STEP_POSTED, STEP_OVER };

struct state {
    uint64_t begin;
    uint64_t at;      /* POSTED: when; OVER: when it was done */
    uint64_t here;    /* of a posted receive: when its message is there; 0: not known yet */
    uint32_t partner; /* of a receive: the send that it meets, by number of all steps */
    uint32_t owner;   /* rank */
    uint8_t is;
};

struct actor {
    uint64_t time;   /* its last action ended */
    uint64_t sent;   /* its last send began, and a gap on */
    uint64_t next;   /* it can act; `never`: it waits for another */
    uint64_t round;  /* the steps that the present round waits for were done */
    uint64_t prefix; /* those before `first` were */
    uint32_t base;   /* number of its first step */
    uint32_t first;  /* every step below is over */
    uint32_t choice; /* the step it would act on */
};

/* Rank i is on processor i modulo their number. */
struct processor {
    uint64_t free;
    int turn; /* whose it is, among its ranks */
};

struct market {
    const struct model *model;
    const struct price_program *program;
    int ranks, processors, calls;
    struct wires *wires;
    struct state *state;
    struct actor *actor;
    struct processor *processor;
    uint32_t *queue; /* of each sender: how many of its steps have been looked through for the receiver at hand */
};

static size_t up(size_t bytes) { return (bytes + 7) & ~(size_t)7; }

size_t mpico_price_bytes(int ranks, size_t steps)
{
    size_t n = (size_t)ranks;
    return up(steps * sizeof(struct state)) + up(n * sizeof(struct actor)) + up(n * sizeof(struct processor)) +
           up(n * sizeof(uint32_t));
}

/* ---- Which send a receive meets ---- */

/* Steps are numbered through all calls of a rank. */
static uint32_t steps_of(const struct market *m, int rank) { return m->program[rank].count * (uint32_t)m->calls; }
static const struct price_step *step_at(const struct market *m, int rank, uint32_t i)
{
    return &m->program[rank].step[i % m->program[rank].count];
}
/* The step that a step's `wait` and `after` count from. */
static uint32_t call_of(const struct market *m, int rank, uint32_t i) { return i - i % m->program[rank].count; }

/* The next send of `from` to `to` from its step `*i` on, whose number is returned; -1: there is none. */
static int64_t next_send(const struct market *m, int from, int to, uint32_t *i)
{
    while (*i < steps_of(m, from)) {
        const struct price_step *s = step_at(m, from, (*i)++);
        if (s->kind == PRICE_SEND && (s->peer == to || (s->peer < 0 && from != to)))
            return (int64_t)m->actor[from].base + *i - 1;
    }
    return -1;
}

static int meet_rank(struct market *m, int to)
{
    memset(m->queue, 0, (size_t)m->ranks * sizeof *m->queue);
    for (uint32_t i = 0; i < steps_of(m, to); i++) {
        const struct price_step *s = step_at(m, to, i);
        if (s->kind != PRICE_RECV)
            continue;
        int64_t send = next_send(m, s->peer, to, &m->queue[s->peer]);
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
    return step_at(m, rank, number - m->actor[rank].base);
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

/* When a step that has not begun may; `never`: what it comes after is not done. */
static uint64_t due(const struct market *m, int rank, uint32_t i)
{
    const struct actor *a = &m->actor[rank];
    const struct price_step *s = step_at(m, rank, i);
    const struct state *after = s->after >= 0 ? &m->state[a->base + call_of(m, rank, i) + (uint32_t)s->after] : NULL;
    if (after && after->is != STEP_OVER)
        return never;
    uint64_t at = after && after->at > a->round ? after->at : a->round;
    return s->kind == PRICE_SEND && at < a->sent ? a->sent : at;
}

/* A rank looks at its steps in order, as the engine does: what may start goes before what has arrived. */
static void look(struct market *m, int rank)
{
    struct actor *a = &m->actor[rank];
    unsigned held = 0;
    a->next = never;
    for (uint32_t i = a->first; i < steps_of(m, rank); i++) {
        const struct price_step *s = step_at(m, rank, i);
        struct state *state = &m->state[a->base + i];
        uint64_t at = never;
        if (call_of(m, rank, i) + s->wait > a->first)
            break;
        if (state->is == STEP_POSTED && s->kind == PRICE_RECV) {
            at = arrival(m, rank, state);
        } else if (state->is == STEP_WAITS && !(held >> s->kind & 1)) {
            at = due(m, rank, i);
            held |= s->kind == PRICE_SEND || s->kind == PRICE_RECV ? 1u << s->kind : 0;
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
    int rank = (int)state->owner;
    uint32_t all = steps_of(m, rank);
    state->is = STEP_OVER;
    state->at = at;
    while (a->first < all && m->state[a->base + a->first].is == STEP_OVER) {
        uint64_t done = m->state[a->base + a->first].at;
        if (done > a->prefix)
            a->prefix = done;
        a->first++;
        if (a->first < all && call_of(m, rank, a->first) + step_at(m, rank, a->first)->wait == a->first)
            a->round = a->prefix;
    }
}

/* How many ranks are on a processor. */
static int sharing(const struct market *m, int processor) { return (m->ranks - 1 - processor) / m->processors + 1; }

/* When the rank's action would begin: in the first of its turns that is not too early. */
static uint64_t start_of(const struct market *m, int rank)
{
    const struct processor *p = &m->processor[rank % m->processors];
    uint64_t next = m->actor[rank].next;
    int n = sharing(m, rank % m->processors);
    uint64_t ahead = (uint64_t)((rank / m->processors - p->turn + n) % n), cycle = (uint64_t)n * m->model->change;
    uint64_t turn = p->free + ahead * m->model->change;
    if (n == 1 || cycle == 0)
        return next > p->free ? next : p->free;
    return next <= turn ? turn : turn + (next - turn + cycle - 1) / cycle * cycle;
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

/* The sender of a rendezvous copies, too, where it waits on a processor of its own. */
static int helped(const struct market *m, const struct price_step *s, uint32_t partner, uint64_t start)
{
    const struct state *send = &m->state[partner];
    return model_segment(m->model, s->bytes)->copiers > 1 && m->processors >= m->ranks && send->is == STEP_POSTED &&
           m->actor[send->owner].next > start;
}

/* A message has come: its receive ends, and with it a send by rendezvous. */
static void receive(struct market *m, int rank, uint64_t start)
{
    struct actor *a = &m->actor[rank];
    uint32_t number = a->base + a->choice, partner = m->state[number].partner;
    const struct price_step *s = step_at(m, rank, a->choice);
    struct actor *sender = &m->actor[m->state[partner].owner];
    uint64_t time = work(m, s, 1);
    if (helped(m, s, partner, start)) {
        time -= s->bytes * model_segment(m->model, s->bytes)->recv_byte / 2;
        sender->time = start + time;
    }
    a->time = start + time;
    over(m, number, a->time);
    if (m->state[partner].is == STEP_POSTED) {
        over(m, partner, a->time);
        look(m, (int)m->state[partner].owner);
    }
}

/* Any other step. */
static void begin(struct market *m, int rank, uint64_t start)
{
    struct actor *a = &m->actor[rank];
    const struct price_step *s = step_at(m, rank, a->choice);
    struct state *state = &m->state[a->base + a->choice];
    int asks = s->kind == PRICE_SEND && s->peer >= 0 && model_segment(m->model, s->bytes)->rendezvous;
    state->begin = start;
    a->time = start + work(m, s, 0);
    if (s->kind == PRICE_SEND)
        a->sent = start + m->model->gap;
    if (s->kind != PRICE_RECV && !asks) {
        over(m, a->base + a->choice, a->time);
        return;
    }
    state->is = STEP_POSTED;
    state->at = a->time;
}

static void act(struct market *m, int rank)
{
    struct actor *a = &m->actor[rank];
    const struct price_step *s = step_at(m, rank, a->choice);
    uint64_t start = start_of(m, rank);
    if (m->state[a->base + a->choice].is == STEP_POSTED)
        receive(m, rank, start);
    else
        begin(m, rank, start);
    m->processor[rank % m->processors] = (struct processor){a->time, rank / m->processors};
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
    for (int i = 0; i < m->processors; i++)
        m->processor[i].turn = i % sharing(m, i); /* ranks do not begin as if they had agreed */
    for (int i = 0; i < m->ranks; i++) {
        m->actor[i].base = base;
        for (uint32_t k = 0; k < steps_of(m, i); k++)
            m->state[base + k].owner = (uint32_t)i;
        base += steps_of(m, i);
    }
}

static int first_to_act(const struct market *m)
{
    int first = -1;
    uint64_t earliest = never;
    for (int i = 0; i < m->ranks; i++) {
        uint64_t start = m->actor[i].next == never ? never : start_of(m, i);
        if (start < earliest) {
            earliest = start;
            first = i;
        }
    }
    return first;
}

uint64_t mpico_price(const struct model *model, const struct price_program *program, int ranks, int calls,
                     struct wires *wires, void *memory)
{
    struct market m = {.model = model, .program = program, .ranks = ranks, .calls = calls, .wires = wires};
    size_t steps = 0;
    uint64_t last = 0;
    for (int i = 0; i < ranks; i++)
        steps += program[i].count;
    m.processors = model->processors < (uint64_t)ranks ? (int)model->processors : ranks;
    lay_out(&m, steps * (size_t)calls, memory);
    for (int i = 0; i < ranks; i++)
        if (meet_rank(&m, i))
            return never;
    for (int i = 0; i < ranks; i++)
        look(&m, i);
    for (int i; (i = first_to_act(&m)) >= 0;)
        act(&m, i);
    for (int i = 0; i < ranks; i++) {
        if (m.actor[i].first < steps_of(&m, i))
            return never;
        last = m.actor[i].prefix > last ? m.actor[i].prefix : last;
    }
    return last / (uint64_t)calls;
}

struct price_times mpico_price_times(const void *memory, size_t step)
{
    const struct state *state = memory; /* lay_out: the states come first */
    return (struct price_times){state[step].begin, state[step].at};
}
