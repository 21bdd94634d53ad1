/* fake_neighbours.c: messages that can be checked without being kept. */
#include "fake_neighbours.h"

#include <stdlib.h>
#include <string.h>

static uint32_t mix(int side, uint32_t number)
{
    uint32_t x = number * 2u + (uint32_t)side + 1u;
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

/* Short ones, long ones, and everything between. */
size_t message_len(const struct neighbours *n, int side, uint32_t number)
{
    uint32_t x = mix(side, number);
    if (x % 8 == 0)
        return n->slot_bytes;
    return x % 8 < 4 ? (x >> 8) % (n->slot_bytes < 16 ? n->slot_bytes + 1 : 16) : (x >> 8) % (n->slot_bytes + 1);
}

void message_fill(int side, uint32_t number, uint8_t *bytes, size_t len)
{
    uint32_t x = mix(side, number);
    for (size_t i = 0; i < len; i++) {
        x = x * 1664525u + 1013904223u;
        bytes[i] = (x >> 8 & 15) == 0 ? 0xa5 : (uint8_t)(x >> 24); /* many bytes that look like the start of a frame */
    }
}

/* ---- Start and end ---- */

void neighbours_init(struct neighbours *n, uint64_t seed)
{
    memset(n, 0, sizeof *n);
    n->cable = cable_alloc(4096, seed);
    n->times = (struct hop_times){.resend = 10, .heartbeat = 25, .dead = 500};
    n->slots[0] = n->slots[1] = 8;
    n->slot_bytes = 64;
}

void neighbours_open(struct neighbours *n, int side, uint32_t nonce)
{
    struct neighbour *e = &n->end[side];
    unsigned out = n->slots[side], in = n->slots[!side];
    free(e->memory);
    e->memory = malloc(mpico_hop_bytes(out, in, n->slot_bytes));
    if (!e->memory)
        abort();
    e->sent = e->got = e->taken = 0;
    cable_break_off(n->cable, side);
    mpico_hop_open(&e->hop, cable_lane(n->cable, side), e->memory, out, in, n->slot_bytes, nonce, &n->times,
                   n->cable->now);
}

void neighbours_fini(struct neighbours *n)
{
    free(n->end[0].memory);
    free(n->end[1].memory);
    cable_free(n->cable);
}

/* ---- Messages ---- */

static void wrong(struct neighbours *n, const char *what)
{
    if (!n->wrong)
        n->wrong = what;
}

static void send_all(struct neighbours *n, int side)
{
    static uint8_t bytes[1 << 16];
    struct neighbour *e = &n->end[side];
    while (e->sent < e->to_send) {
        size_t len = message_len(n, side, e->sent), head = len < 8 ? len : 8;
        unsigned room = mpico_hop_room(&e->hop);
        message_fill(side, e->sent, bytes, len);
        if (mpico_hop_send(&e->hop, bytes, head, bytes + head, len - head) != 0) {
            if (room)
                wrong(n, "there is room, and a frame is not taken");
            return;
        }
        if (mpico_hop_room(&e->hop) != room - 1)
            wrong(n, "a frame has not taken one slot");
        e->sent++;
    }
}

/* The number of the i-th message that is not taken. */
static uint32_t number_of(const struct neighbour *e, unsigned i)
{
    uint32_t number = e->got;
    for (unsigned mask = e->taken; mask & 1 || i-- > 0; mask >>= 1)
        number++;
    return number;
}

static void mark_taken(struct neighbour *e, uint32_t number)
{
    e->taken |= (uint8_t)(1u << (number - e->got));
    for (; e->taken & 1; e->taken >>= 1)
        e->got++;
}

static int take_one(struct neighbours *n, int side)
{
    static uint8_t expected[1 << 16];
    struct neighbour *e = &n->end[side];
    size_t len;
    unsigned here = 0, i;
    while (here < HOP_SLOTS_MAX + 1 && mpico_hop_peek(&e->hop, here, &len))
        here++;
    if (here == 0)
        return 0;
    if (here > n->slots[!side])
        wrong(n, "more frames have come than there are slots");
    i = n->any_order ? cable_draw(n->cable, here) : 0;
    uint32_t number = number_of(e, i);
    const uint8_t *bytes = mpico_hop_peek(&e->hop, i, &len);
    if (number >= n->end[!side].sent)
        wrong(n, "a frame has come that was not sent");
    if (len != message_len(n, !side, number))
        wrong(n, "a frame of another length has come");
    message_fill(!side, number, expected, len);
    if (memcmp(bytes, expected, len) != 0)
        wrong(n, "other bytes have come");
    mpico_hop_take(&e->hop, i);
    mark_taken(e, number);
    return 1;
}

int neighbours_step(struct neighbours *n)
{
    int moved = 0;
    for (int side = 0; side < 2; side++) {
        struct neighbour *e = &n->end[side];
        if (e->stopped)
            continue;
        send_all(n, side);
        moved += mpico_hop_turn(&e->hop, n->cable->now);
        while (!e->idle && !n->wrong && !(n->any_order && cable_draw(n->cable, 8) == 0) && take_one(n, side))
            moved++;
    }
    n->cable->now++;
    return moved;
}

static int all_got(const struct neighbours *n)
{
    return n->end[0].got >= n->end[1].to_send && n->end[1].got >= n->end[0].to_send;
}

int neighbours_run(struct neighbours *n, uint32_t ticks)
{
    for (; ticks && !n->wrong && !all_got(n); ticks--)
        neighbours_step(n);
    return n->wrong || !all_got(n) ? -1 : 0;
}

int neighbours_meet(struct neighbours *n, uint32_t ticks)
{
    for (; ticks && (n->end[0].hop.state != HOP_OPEN || n->end[1].hop.state != HOP_OPEN); ticks--)
        neighbours_step(n);
    return ticks ? 0 : -1;
}
