/* relay.c: frames from link to link of a ring, and to the rank.
 *
 * A frame goes to the right until it is where it belongs, or until the link to the right is cut: there it turns round and goes to
 * the left. The two ways of one pair of ranks can be under way at once when a link has just been cut: what crossed it before,
 * and what has turned. So frames of a pair are numbered; the destination takes them in order, and once each.
 *
 * No deadlock: a node begins to send a frame of its own only where that leaves a slot free of those between the neighbour on its
 * left and the one on its right, so that not all slots of the ring are full (see ring.h, the bubble condition). Once
 * the ring is cut, ways have ends, and frames that wait at the destination for their predecessors are moved out of the slots.
 */
#include "relay.h"

#include <string.h>

#include "../base/heap.h"
#include "../cost.h"
#include "relay_parts.h"

enum { FRAME_LEAST = RELAY_HEAD + sizeof(struct packet) };

/* give() has a frame whose predecessor has not come. */
enum { EARLY = MPICO_AGAIN + 1 };

uint32_t mpico_relay_now(const struct relay *g) { return (uint32_t)(g->link.rank->machine->now() >> 20); }

static struct relay *relay_of(struct link *link) { return (struct relay *)(void *)link; }

static const struct relay_head *head_of(const uint8_t *frame) { return (const struct relay_head *)(const void *)frame; }

/* A frame that a node of this ring has sent, to any of its nodes. */
static int sane(const struct relay *g, const uint8_t *f, size_t len)
{
    const struct relay_head *h = head_of(f);
    unsigned size = (unsigned)g->size;
    size_t least = h->kind == RELAY_PACKET ? FRAME_LEAST : h->kind == RELAY_MARK ? relay_mark_bytes(g) : SIZE_MAX;
    return len >= least && h->dest < size && h->source < size;
}

static int is_mine(const struct relay *g, const uint8_t *f) { return head_of(f)->dest == (unsigned)g->rank; }

/* ---- On their way ---- */

int mpico_relay_pass(struct relay *g, struct hop *to, const uint8_t *f, size_t len)
{
    struct relay_head h = *head_of(f);
    if (!to || h.hops++ >= 2 * g->size) {
        g->dropped++;
        return 0;
    }
    cost(COST_ROUTE, 1);
    return mpico_hop_send(to, &h, sizeof h, f + sizeof h, len - sizeof h);
}

/* Where frames go that go to the right. */
static struct hop *onward(struct relay *g) { return g->right.state == HOP_CUT ? mpico_relay_turn_round(g) : &g->right; }

/* Frames that came over `from` go on, in order; those for this rank stay for poll(), and those of the start for start(). How many
 * have gone. */
static int forward(struct relay *g, struct hop *from, struct hop *to)
{
    int gone = 0;
    size_t len;
    const uint8_t *f;
    for (unsigned i = 0; g->stage != STAGE_STARTING && (f = mpico_hop_peek(from, i, &len)) != NULL;) {
        if (!sane(g, f, len)) {
            g->damaged += head_of(f)->kind != RELAY_GO; /* the start signal comes back to rank 0 */
        } else if (is_mine(g, f)) {
            if (g->stage == STAGE_RUNNING) {
                i++;
                continue;
            }
        } else if (mpico_relay_pass(g, to, f, len)) {
            break;
        }
        mpico_hop_take(from, i);
        gone++;
    }
    return gone;
}

/* Both links, and then both ways: what either has acknowledged is room for what has come over the other. */
static int pass(struct relay *g, uint32_t now)
{
    int moved = mpico_hop_turn(&g->left, now);
    mpico_relay_gossip(g);
    moved += mpico_hop_turn(&g->right, now);
    moved += forward(g, &g->left, onward(g));
    return moved + forward(g, &g->right, relay_backward(g));
}

/* How many are inside, more or fewer: an interrupt may come between any two instructions, and what is done inside stays inside. */
static inline void enter(struct relay *g, int busy)
{
    g->busy = busy;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
static inline void leave(struct relay *g, int busy)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    g->busy = busy;
}

int mpico_relay_turn(struct relay *g, uint32_t now)
{
    if (g->busy || g->size == 1)
        return 0;
    enter(g, 1);
    int moved = pass(g, now);
    if (moved) { /* out with what has been forwarded, and with the news of room */
        moved += pass(g, now);
        g->cramped = 0;
    }
    leave(g, 0);
    return moved;
}

/* ---- Sending ---- */

/* Room for a frame that waits outside of the slots; NULL: none. Filled before anybody looks. */
static uint8_t *keep(struct relay *g, size_t len)
{
    struct relay_kept **at = &g->kept, *k = mpico_heap_alloc(&g->link.rank->heap, sizeof *k + len);
    if (!k)
        return NULL;
    k->next = NULL;
    k->len = len;
    while (*at)
        at = &(*at)->next;
    *at = k;
    return k->frame;
}

/* Where a frame of this node's own may be made: g->to sends it on, NULL: it is at its end. Where nobody can be reached it is lost, as on
 * the way: core keeps what its link does not take. The slots of the link to the right hold nothing any more then. */
static uint8_t *room(struct relay *g, int dest, size_t len)
{
    size_t other;
    g->to = NULL;
    if (dest == g->rank)
        return keep(g, len);
    g->to = onward(g);
    if (!g->to)
        return g->right.memory;
    /* Not into the last slot while frames come that may need it. */
    if (mpico_hop_room(g->to) < 2 && mpico_hop_peek(&g->left, 0, &other))
        return NULL;
    return mpico_hop_slot(g->to, len);
}

uint8_t *mpico_relay_begin(struct relay *g, int dest, enum relay_kind kind, size_t len)
{
    enter(g, g->busy + 1); /* core may send when a packet arrives */
    uint8_t *f = room(g, dest, RELAY_HEAD + len);
    if (!f) {
        leave(g, g->busy - 1);
        return NULL;
    }
    cost(COST_COPY, RELAY_HEAD);
    *(struct relay_head *)(void *)f = (struct relay_head){
        .dest = (uint16_t)dest, .source = (uint16_t)g->rank, .kind = (uint8_t)kind, .number = g->sent[dest]++};
    return f + RELAY_HEAD;
}

void mpico_relay_end(struct relay *g)
{
    if (g->to) {
        hop_filled(g->to);
        /* Only now: a turn in vain could make the very room that the caller then waits for, and does not hear of. */
        mpico_hop_turn(g->to, mpico_relay_now(g));
    }
    leave(g, g->busy - 1);
}

static void *relay_reserve(struct link *link, int dest, const struct packet *p, size_t len)
{
    uint8_t *f = mpico_relay_begin(relay_of(link), dest, RELAY_PACKET, sizeof *p + len);
    if (!f)
        return NULL;
    cost(COST_COPY, sizeof *p);
    return (uint8_t *)memcpy(f, p, sizeof *p) + sizeof *p;
}

static void relay_commit(struct link *link, int dest, const struct packet *p, size_t len)
{
    (void)dest;
    (void)p;
    (void)len;
    mpico_relay_end(relay_of(link));
}

static int relay_send(struct link *link, int dest, const struct packet *p, const void *payload, size_t len)
{
    void *room = relay_reserve(link, dest, p, len);
    if (!room)
        return MPICO_AGAIN;
    cost(COST_COPY, len);
    if (len)
        memcpy(room, payload, len);
    relay_commit(link, dest, p, len);
    return 0;
}

/* ---- Receiving ---- */

/* A frame for this rank: 0 it is done with; MPICO_AGAIN; EARLY. */
static int give(struct relay *g, const uint8_t *f, size_t len)
{
    const struct relay_head *h = head_of(f);
    uint16_t *got = &g->sent[(unsigned)g->size + h->source];
    int16_t early = (int16_t)(uint16_t)(h->number - *got);
    int e = 0;
    if (rank_has_lost(g->link.rank, h->source))
        return 0;
    if (early < 0) {
        g->duplicates++;
        return 0;
    }
    if (early > 0)
        return mpico_relay_gap(g, h->source, *got) ? 0 : EARLY;
    if (h->kind == RELAY_MARK)
        e = mpico_relay_marked(g, h);
    else
        e = mpico_arrive(g->link.rank, (int)h->source, (const struct packet *)(const void *)(f + sizeof *h),
                         f + FRAME_LEAST, len - FRAME_LEAST);
    if (e == MPICO_AGAIN)
        return e;
    g->damaged += e < 0;
    ++*got;
    return 0;
}

static int keep_copy(struct relay *g, const uint8_t *f, size_t len)
{
    uint8_t *copy = keep(g, len);
    if (!copy)
        return MPICO_AGAIN;
    memcpy(copy, f, len);
    return 0;
}

/* Only a frame that has turned round can overtake; one that comes from the left is early when core has put off its predecessor. */
static int give_from(struct relay *g, struct hop *from)
{
    size_t len;
    const uint8_t *f;
    for (unsigned i = 0; (f = mpico_hop_peek(from, i, &len)) != NULL; i++) {
        if (!sane(g, f, len) || !is_mine(g, f))
            continue;
        int e = give(g, f, len);
        if (e == EARLY && from == &g->right)
            g->full |= e = keep_copy(g, f, len);
        if (e)
            continue;
        mpico_hop_take(from, i);
        return 1;
    }
    return 0;
}

static int give_kept(struct relay *g)
{
    for (struct relay_kept **at = &g->kept; *at; at = &(*at)->next)
        if (give(g, (*at)->frame, (*at)->len) == 0) {
            struct relay_kept *k = *at;
            *at = k->next;
            mpico_heap_free(&g->link.rank->heap, k);
            return 1;
        }
    return 0;
}

static int relay_poll(struct link *link, int from, int budget)
{
    struct relay *g = relay_of(link);
    int n = 0;
    (void)from;
    mpico_relay_turn(g, mpico_relay_now(g));
    if (g->size > 1) {
        mpico_relay_report(g);
        mpico_relay_listen(g);
    }
    enter(g, 1);
    while (n < budget && (give_kept(g) || give_from(g, &g->left) || give_from(g, &g->right)))
        n++;
    leave(g, 0);
    return n;
}

const struct link_ops mpico_relay_ops = {
    .send = relay_send, .reserve = relay_reserve, .commit = relay_commit, .poll = relay_poll};
