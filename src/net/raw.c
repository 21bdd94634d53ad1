/* raw.c: barrier, broadcast and allgather of the ring paper (section 3.2): behind a barrier every node knows what comes
 * over its wire, so data goes without heads.
 *
 * The barrier is a token that goes round twice from node 0: once to see that all have entered, once to say so. On
 * its first round it also learns whether every node is quiet (no send waits, no receive is posted): then no other
 * frame can be on the wires behind it, for it leaves a node after all frames that came there before it (ring_tx.c),
 * and a quiet node sends nothing new. If a node is not, or the calls differ, all hear so in the second round, and
 * use the usual schedule of messages instead.
 */
#include "../cost.h"
#include "ring.h"

enum { PIECE = 2048 };
enum { ROUND_ENTER = 1, ROUND_GO = 2 };

static int last_of(const struct ring *g) { return mpico_ring_right(g) == g->raw.root; }

static void finish(struct ring *g, int result)
{
    g->raw.result = result;
    g->raw.what = 0;
    g->raw.through = 0;
    g->wire->ops->wake(g->wire);
}

/* ---- The token ---- */

static uint64_t mark_of(const struct raw *x)
{
    return (uint64_t)x->what << 56 ^ (uint64_t)(uint32_t)x->root << 40 ^ x->bytes;
}

static void pass(struct ring *g, int round, int quiet)
{
    cost(COST_TOKEN, 1);
    g->raw.token = (uint8_t)round;
    g->raw.token_quiet = (uint8_t)quiet;
    g->discipline->next(g);
}

int mpico_raw_token_due(struct ring *g, struct frame *h)
{
    struct raw *x = &g->raw;
    if (!x->token)
        return 0;
    h->sequence = x->token;
    h->packet.flags = x->token_quiet;
    h->packet.cookie = x->mark;
    x->token = 0;
    x->token_out = 1;
    return 1;
}

static void go(struct ring *g, int quiet)
{
    struct raw *x = &g->raw;
    if (!quiet) {
        finish(g, -1);
    } else if (x->what == DIRECT_BARRIER || x->bytes == 0) {
        finish(g, 0);
    } else {
        x->through = 1; /* the incoming wire is armed by the caller of mpico_raw_token() */
        mpico_ring_kick(g);
    }
}

static void enter_round(struct ring *g, int quiet, uint64_t mark)
{
    struct raw *x = &g->raw;
    quiet = quiet && x->quiet && mark == mark_of(x);
    x->mark = mark;
    pass(g, g->self == 0 ? ROUND_GO : ROUND_ENTER, quiet);
}

void mpico_raw_token(struct ring *g, const struct frame *h)
{
    struct raw *x = &g->raw;
    int quiet = h->packet.flags != 0;
    if (h->sequence == ROUND_GO) {
        if (!x->what || x->through)
            return; /* nobody here has asked: no correct neighbour sends it */
        if (g->self != 0)
            pass(g, ROUND_GO, quiet);
        go(g, quiet);
    } else if (x->what && !x->through) {
        enter_round(g, quiet, h->packet.cookie);
    } else {
        x->held = 1;
        x->token_quiet = (uint8_t)quiet;
        x->mark = h->packet.cookie;
    }
}

int mpico_raw_start(struct link *link, enum direct what, void *buf, size_t bytes, int root, int quiet)
{
    struct ring *g = (struct ring *)(void *)link;
    struct raw *x = &g->raw;
    if (g->size == 1)
        return -1;
    if (what == DIRECT_ALLGATHER)
        cost(COST_BLOCKS, 1);
    g->wire->ops->lock(g->wire);
    uint32_t wanted = g->wanted_any;
    for (int i = 0; i < g->size; i++)
        wanted += g->wanted[i];
    x->what = (uint8_t)what;
    x->buf = buf;
    x->bytes = bytes;
    x->root = root;
    x->received = x->sending = x->sent = 0;
    x->quiet = quiet && !wanted;
    x->result = MPICO_AGAIN;
    if (g->self == 0) {
        x->mark = mark_of(x);
        pass(g, ROUND_ENTER, x->quiet);
    } else if (x->held) {
        x->held = 0;
        enter_round(g, x->token_quiet, x->mark);
    }
    g->wire->ops->unlock(g->wire);
    return 0;
}

int mpico_raw_state(struct link *link)
{
    struct ring *g = (struct ring *)(void *)link;
    g->wire->ops->lock(g->wire);
    int e = g->raw.result;
    g->wire->ops->unlock(g->wire);
    return e;
}

/* ---- The wires ---- */

static size_t least(size_t a, size_t b) { return a < b ? a : b; }
static size_t piece(const struct raw *x, size_t at) { return least(PIECE, x->bytes - at); }
static uint8_t *block(const struct ring *g, size_t step)
{
    size_t owner = ((size_t)(g->self + g->size) - step) % (size_t)g->size;
    return g->raw.buf + owner * g->raw.bytes;
}

static int receives(const struct ring *g)
{
    const struct raw *x = &g->raw;
    if (!x->through)
        return 0;
    if (x->what == DIRECT_BCAST)
        return g->self != x->root && x->received < x->bytes;
    return x->received < (size_t)g->size - 1;
}

int mpico_raw_arm(struct ring *g)
{
    struct raw *x = &g->raw;
    if (!receives(g))
        return 0;
    g->rx = RX_RAW;
    cost(COST_DMA, 1);
    if (x->what == DIRECT_BCAST)
        g->wire->ops->receive(g->wire, x->buf + x->received, piece(x, x->received), 0);
    else
        g->wire->ops->receive(g->wire, block(g, x->received + 1), x->bytes, 0);
    return 1;
}

/* What can be sent now; 0: nothing more will be, SIZE_MAX: later. Of a broadcast bytes, of an allgather blocks. */
static size_t to_send(const struct ring *g)
{
    const struct raw *x = &g->raw;
    if (x->what == DIRECT_BCAST) {
        size_t here = g->self == x->root ? x->bytes : x->received;
        if (last_of(g) || x->sent == x->bytes)
            return 0;
        return x->sent < here ? piece(x, x->sent) : SIZE_MAX;
    }
    if (x->sent == (size_t)g->size - 1)
        return 0;
    return x->sent <= x->received ? 1 : SIZE_MAX;
}

/* Nothing goes over the wire between the token and the last block: the neighbour expects no head. */
int mpico_raw_kick(struct ring *g)
{
    struct raw *x = &g->raw;
    if (!x->through || x->token || x->token_out)
        return 0;
    size_t n = to_send(g);
    if (n == 0 || n == SIZE_MAX)
        return n != 0;
    x->sending = n;
    g->tx = TX_RAW;
    cost(COST_DMA, 1);
    if (x->what == DIRECT_BCAST)
        g->wire->ops->send(g->wire, x->buf + x->sent, n);
    else
        g->wire->ops->send(g->wire, block(g, x->sent), x->bytes);
    return 1;
}

static int complete(const struct ring *g)
{
    const struct raw *x = &g->raw;
    if (x->what == DIRECT_BCAST)
        return (g->self == x->root || x->received == x->bytes) && (last_of(g) || x->sent == x->bytes);
    return x->received == (size_t)g->size - 1 && x->sent == x->received;
}

/* After each block: the wire that others wait for first. */
static void turn(struct ring *g)
{
    int more = receives(g);
    if (complete(g))
        finish(g, 0);
    if (!more)
        mpico_ring_kick(g);
    if (g->rx == RX_IDLE)
        mpico_ring_arm(g);
    mpico_ring_kick(g);
}

void mpico_raw_received(struct ring *g)
{
    struct raw *x = &g->raw;
    x->received += x->what == DIRECT_BCAST ? piece(x, x->received) : 1;
    g->rx = RX_IDLE;
    turn(g);
}

void mpico_raw_sent(struct ring *g)
{
    struct raw *x = &g->raw;
    g->tx = TX_IDLE;
    x->sent += x->sending;
    turn(g);
}
