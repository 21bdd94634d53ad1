/* wires.c: see wires.h. A node has two links a dimension: up and down. On a crossbar: out and in. */
#include "wires.h"

#include <string.h>

enum { NODES_MOST = 1 << 16 };

static int starts(const char **text, const char *word)
{
    size_t len = strlen(word);
    if (strncmp(*text, word, len) != 0)
        return 0;
    *text += len;
    return 1;
}

int mpico_wires_read(struct wires *w, const char *text)
{
    int nodes = 1;
    w->dimensions = 0;
    w->one_way = (uint8_t)starts(&text, "ring:");
    w->closed = w->one_way || starts(&text, "torus:");
    w->ports = !w->closed && starts(&text, "crossbar:");
    if (!w->closed && !w->ports && !starts(&text, "mesh:"))
        return -1;
    do {
        int extent = 0;
        for (; *text >= '0' && *text <= '9' && extent <= NODES_MOST; text++)
            extent = extent * 10 + (*text - '0');
        if (extent < 1 || w->dimensions == WIRES_DIMENSIONS || extent > NODES_MOST / nodes)
            return -1;
        w->extent[w->dimensions++] = extent;
        nodes *= extent;
    } while (*text == 'x' && text++);
    return *text || ((w->one_way || w->ports) && w->dimensions > 1) ? -1 : 0;
}

int mpico_wires_nodes(const struct wires *w)
{
    int nodes = 1;
    for (int d = 0; d < w->dimensions; d++)
        nodes *= w->extent[d];
    return nodes;
}

size_t mpico_wires_links(const struct wires *w) { return 2 * (size_t)w->dimensions * (size_t)mpico_wires_nodes(w); }

/* Which way leads from `at` to `to` along a dimension: 1, or -1. */
static int way(const struct wires *w, int extent, int at, int to)
{
    int up = (to - at + extent) % extent;
    if (w->one_way)
        return 1;
    if (w->closed)
        return 2 * up <= extent ? 1 : -1;
    return to > at ? 1 : -1;
}

/* When the head is on the link, which has it to itself from then on. */
static uint64_t enter(uint64_t *link, uint64_t head, uint64_t bytes_time)
{
    head = head > *link ? head : *link;
    *link = head + bytes_time;
    return head;
}

uint64_t mpico_wires_carry(struct wires *w, int from, int to, uint64_t start, uint64_t hop, uint64_t bytes_time)
{
    uint64_t head = start;
    int first = 1, stride = 1;
    if (w->ports)
        return enter(&w->free[2 * to + 1], enter(&w->free[2 * from], start, bytes_time), bytes_time) + bytes_time;
    for (int d = w->dimensions - 1; d >= 0; d--) {
        int extent = w->extent[d], at = from / stride % extent, goal = to / stride % extent,
            step = way(w, extent, at, goal);
        for (; at != goal; at = (at + step + extent) % extent) {
            uint64_t *link = &w->free[2 * ((size_t)from * (size_t)w->dimensions + (size_t)d) + (step < 0)];
            head = enter(link, head + (first ? 0 : hop), bytes_time);
            first = 0;
            from += ((at + step + extent) % extent - at) * stride;
        }
        stride *= extent;
    }
    return head + bytes_time;
}
