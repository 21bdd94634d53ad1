/* fake_lane.c: each direction is a list of pieces, sorted by the time when they come. */
#include "fake_lane.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = 12, TAIL = 4, SYNC = 0xa5, AT_LENGTH = 8 };

struct cable_piece {
    struct cable_piece *next;
    uint32_t due;
    size_t len, taken;
    uint8_t bytes[];
};

uint32_t cable_draw(struct cable *c, uint32_t below)
{
    c->random ^= c->random << 13;
    c->random ^= c->random >> 7;
    c->random ^= c->random << 17;
    return (uint32_t)((c->random >> 32) * below >> 32);
}

static int chance(struct cable *c, uint32_t per_million) { return cable_draw(c, 1000000) < per_million; }

static void random_bytes(struct cable *c, uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        bytes[i] = (uint8_t)cable_draw(c, 256);
}

/* ---- Pieces ---- */

static void add(struct cable *c, struct cable_way *w, const uint8_t *bytes, size_t len, uint32_t late)
{
    struct cable_piece *p = malloc(sizeof *p + len), **at = &w->first;
    if (!p)
        abort();
    p->due = c->now + w->latency + late;
    p->len = len;
    p->taken = 0;
    memcpy(p->bytes, bytes, len);
    while (*at && (int32_t)((*at)->due - p->due) <= 0)
        at = &(*at)->next;
    p->next = *at;
    *at = p;
    w->held += len;
}

static void remove_first(struct cable_way *w)
{
    struct cable_piece *p = w->first;
    w->first = p->next;
    w->held -= p->len;
    free(p);
}

/* ---- Faults ---- */

/* Flip bits, lose or insert bytes, break off. Room for 8 more bytes. The new length. */
static size_t damage(struct cable *c, uint8_t *bytes, size_t len)
{
    size_t at = cable_draw(c, (uint32_t)len), n = 1 + cable_draw(c, 8);
    switch (cable_draw(c, 4)) {
    case 0:
        for (; n; n--)
            bytes[cable_draw(c, (uint32_t)len)] ^= (uint8_t)(1u << cable_draw(c, 8));
        return len;
    case 1:
        n = n < len - at ? n : len - at;
        memmove(bytes + at, bytes + at + n, len - at - n);
        return len - n;
    case 2:
        memmove(bytes + at + n, bytes + at, len - at);
        random_bytes(c, bytes + at, n);
        return len + n;
    default:
        return at;
    }
}

static void carry(struct cable *c, struct cable_way *w, const uint8_t *frame, size_t len)
{
    static uint8_t copy[sizeof w->building + 8];
    uint32_t late = 0;
    if (chance(c, w->faults.drop)) {
        w->dropped++;
        return;
    }
    memcpy(copy, frame, len);
    if (chance(c, w->faults.corrupt)) {
        len = damage(c, copy, len);
        w->corrupted++;
    }
    if (chance(c, w->faults.delay)) {
        late = 5 + cable_draw(c, 40);
        w->delayed++;
    } else if (chance(c, w->faults.reorder)) {
        late = 1 + cable_draw(c, 3);
        w->reordered++;
    }
    add(c, w, copy, len, late);
}

static void whole_frame(struct cable *c, int from)
{
    struct cable_way *w = &c->way[from];
    w->frames++;
    if (w->cut || (c->watch && !c->watch(c, from, w->building, w->built)))
        return;
    if (chance(c, w->faults.noise)) {
        uint8_t noise[32];
        size_t len = 1 + cable_draw(c, sizeof noise);
        random_bytes(c, noise, len);
        add(c, w, noise, len, 0);
        w->noisy++;
    }
    carry(c, w, w->building, w->built);
    if (chance(c, w->faults.duplicate)) {
        carry(c, w, w->building, w->built);
        w->duplicated++;
    }
}

/* ---- The lane ---- */

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* How many more bytes the piece that is being sent needs; what is no frame goes byte by byte. */
static size_t missing(const struct cable_way *w)
{
    if (w->built == 0 || w->building[0] != SYNC)
        return 1 - w->built;
    if (w->built < HEAD)
        return HEAD - w->built;
    size_t len = w->building[AT_LENGTH] | (size_t)w->building[AT_LENGTH + 1] << 8;
    return least(sizeof w->building, HEAD + len + TAIL) - w->built;
}

static size_t rate_left(const struct cable *c, struct cable_way *w)
{
    if (w->rate_tick != c->now)
        w->rate_left = w->rate;
    w->rate_tick = c->now;
    return w->rate_left;
}

static size_t put(struct lane *lane, const void *bytes, size_t len)
{
    struct cable_end *end = (struct cable_end *)(void *)lane;
    struct cable *c = end->cable;
    struct cable_way *w = &c->way[end->side];
    size_t used = w->held + w->built, n = least(len, used < c->capacity ? c->capacity - used : 0);
    if (w->put_max)
        n = least(n, w->put_max);
    if (w->rate)
        n = least(n, rate_left(c, w));
    w->rate_left -= w->rate ? n : 0;
    for (size_t done = 0; done < n;) {
        size_t part = least(n - done, missing(w));
        memcpy(w->building + w->built, (const uint8_t *)bytes + done, part);
        w->built += part;
        done += part;
        if (missing(w) == 0) {
            whole_frame(c, end->side);
            w->built = 0;
        }
    }
    w->bytes += n;
    return n;
}

static size_t babble(struct cable *c, struct cable_way *w, void *bytes, size_t len)
{
    if (w->babble_tick != c->now)
        w->babble_left = w->babble;
    w->babble_tick = c->now;
    len = least(len, w->babble_left);
    w->babble_left -= len;
    random_bytes(c, bytes, len);
    return len;
}

static size_t get(struct lane *lane, void *bytes, size_t len)
{
    struct cable_end *end = (struct cable_end *)(void *)lane;
    struct cable *c = end->cable;
    struct cable_way *w = &c->way[!end->side];
    size_t done = 0;
    if (w->get_max)
        len = least(len, w->get_max);
    while ((w->cut || w->babble) && w->first)
        remove_first(w);
    if (w->babble)
        return babble(c, w, bytes, len);
    while (done < len && w->first && (int32_t)(c->now - w->first->due) >= 0) {
        struct cable_piece *p = w->first;
        size_t n = least(len - done, p->len - p->taken);
        memcpy((uint8_t *)bytes + done, p->bytes + p->taken, n);
        p->taken += n;
        done += n;
        if (p->taken == p->len)
            remove_first(w);
    }
    return done;
}

/* ---- The cable ---- */

struct cable *cable_alloc(size_t capacity, uint64_t seed)
{
    struct cable *c = calloc(1, sizeof *c);
    if (!c)
        abort();
    c->capacity = capacity;
    c->random = seed * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du;
    for (int i = 0; i < 2; i++)
        c->end[i] = (struct cable_end){{put, get}, c, i};
    return c;
}

void cable_free(struct cable *c)
{
    for (int i = 0; i < 2; i++)
        while (c->way[i].first)
            remove_first(&c->way[i]);
    free(c);
}

struct lane *cable_lane(struct cable *c, int side) { return &c->end[side].lane; }

void cable_faults(struct cable *c, struct cable_faults f) { c->way[0].faults = c->way[1].faults = f; }

struct cable_faults cable_all_faults(uint32_t per_million)
{
    uint32_t p = per_million;
    return (struct cable_faults){p, p, p, p, p, p};
}

void cable_cut(struct cable *c) { c->way[0].cut = c->way[1].cut = 1; }

void cable_inject(struct cable *c, int from, const void *bytes, size_t len) { add(c, &c->way[from], bytes, len, 0); }

void cable_break_off(struct cable *c, int side)
{
    struct cable_way *w = &c->way[side];
    if (w->built)
        add(c, w, w->building, w->built, 0);
    w->built = 0;
}
