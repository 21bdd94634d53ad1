/* mesh_wormhole_state.c: the memory of the wormhole routers. Tables are as long as they can ever need to be; only the
 * stays, and the heads under way, of which most networks have few at a time, grow with the traffic.
 */
#include "mesh_wormhole.h"

#include <limits.h>
#include <stdlib.h>

enum { STAYS_BLOCK = 256, PENDING_FIRST = 64 };

struct stay_block {
    struct stay_block *next;
    struct stay stay[STAYS_BLOCK];
};

struct stay *wormhole_stay_alloc(struct wormhole *w)
{
    if (!w->spare) {
        struct stay_block *b = mesh_memory(sizeof *b);
        b->next = w->blocks;
        w->blocks = b;
        for (int i = STAYS_BLOCK; i-- > 0;)
            wormhole_stay_free(w, &b->stay[i]);
    }
    struct stay *s = w->spare;
    w->spare = s->next;
    return s;
}

static void pending_grow(struct wormhole *w)
{
    size_t room = w->pending_room ? 2 * w->pending_room : PENDING_FIRST;
    struct pending *bigger = mesh_memory(room * sizeof *bigger);
    for (size_t i = 0; i < w->pending_count; i++)
        bigger[i] = w->pending[(w->pending_first + i) & (w->pending_room - 1)];
    free(w->pending);
    w->pending = bigger;
    w->pending_first = 0;
    w->pending_room = room;
}

void wormhole_pending_add(struct wormhole *w, uint64_t cycle, int lane)
{
    if (w->pending_count == w->pending_room)
        pending_grow(w);
    w->pending[(w->pending_first + w->pending_count++) & (w->pending_room - 1)] = (struct pending){cycle, lane};
}

static void set_classes(struct wormhole *w)
{
    uint32_t all = (uint32_t)((1ull << w->lanes) - 1), low = (uint32_t)((1ull << w->lanes / 2) - 1);
    w->class_lanes[MESH_ANY] = all;
    w->class_lanes[MESH_LOW] = low ? low : all; /* a single lane is enough where no ring is long */
    w->class_lanes[MESH_HIGH] = all & ~low;
}

static void set_lanes(struct wormhole *w)
{
    const struct mesh *m = w->mesh;
    for (int c = 0; c < m->channels; c++) {
        w->pipe[c].unowned = w->class_lanes[MESH_ANY];
        if (!mesh_injects(m, c))
            w->pipe[c].input = &w->input[m->channel[c].from * m->ports * w->lanes];
        for (int i = 0; i < w->lanes; i++)
            w->lane[c * w->lanes + i] = (struct lane){.bit = 1ull << (m->channel[c].port * w->lanes + i),
                                                      .pipe = c,
                                                      .credits = mesh_ejects(m, c) ? INT_MAX : m->d.buffer_flits,
                                                      .owner = MESH_NONE};
    }
}

static void set_inputs(struct wormhole *w)
{
    const struct mesh *m = w->mesh;
    for (int end = 0; end < m->routers * m->ports; end++)
        for (int i = 0; i < w->lanes; i++)
            w->input[end * w->lanes + i] = m->in[end] * w->lanes + i;
}

int wormhole_init(struct mesh *m)
{
    struct wormhole *w = m->wormhole = calloc(1, sizeof *w);
    if (!w)
        return -1;
    size_t channels = (size_t)m->channels, nodes = (size_t)m->nodes;
    w->mesh = m;
    w->lanes = m->d.virtual_channels;
    w->lane = calloc(channels * (size_t)w->lanes, sizeof *w->lane);
    w->input = calloc((size_t)m->routers * (size_t)m->ports * (size_t)w->lanes, sizeof *w->input);
    w->pipe = calloc(channels, sizeof *w->pipe);
    w->injector = calloc(nodes, sizeof *w->injector);
    w->active = calloc(channels, sizeof *w->active);
    w->injecting = calloc(nodes, sizeof *w->injecting);
    w->move = calloc(channels, sizeof *w->move);
    w->sent = calloc(nodes, sizeof *w->sent);
    w->arrived = calloc(nodes, sizeof *w->arrived);
    if (!w->lane || !w->input || !w->pipe || !w->injector || !w->active || !w->injecting || !w->move || !w->sent ||
        !w->arrived)
        return -1;
    set_classes(w);
    set_inputs(w);
    set_lanes(w);
    return 0;
}

void wormhole_fini(struct mesh *m)
{
    struct wormhole *w = m->wormhole;
    engine_cancel(m->engine, &w->event);
    for (struct stay_block *b = w->blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    free(w->lane);
    free(w->input);
    free(w->pipe);
    free(w->injector);
    free(w->active);
    free(w->injecting);
    free(w->move);
    free(w->pending);
    free(w->sent);
    free(w->arrived);
    free(w);
}
