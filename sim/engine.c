/* engine.c: the queue of events as a 4-ary heap, least (at, order) first: four children share a cache line, and the
 * heap is half as deep as a binary one.
 *
 * Invariant: queue[i] comes no earlier than its parent queue[(i - 1) / 4], and the place of its event is i + 1, so
 * that an event is found again without a search. Orders are unique: the sequence in which events run is a total order
 * that depends on nothing but the calls made here.
 */
#include "engine.h"

#include <stdio.h>
#include <stdlib.h>

enum { CHILDREN = 4, ROOM_FIRST = 64 };

static inline int before(struct engine_place a, struct engine_place b)
{
    return a.at != b.at ? a.at < b.at : a.event->order < b.event->order;
}

static inline void put(struct engine *e, size_t i, struct engine_place p)
{
    e->queue[i] = p;
    p.event->place = i + 1;
}

/* Move the hole at `i` up until `p` may stand in it. */
static void rise(struct engine *e, size_t i, struct engine_place p)
{
    while (i > 0) {
        size_t parent = (i - 1) / CHILDREN;
        if (!before(p, e->queue[parent]))
            break;
        put(e, i, e->queue[parent]);
        i = parent;
    }
    put(e, i, p);
}

static inline size_t least_child(const struct engine *e, size_t first)
{
    size_t end = first + CHILDREN < e->count ? first + CHILDREN : e->count, least = first;
    for (size_t i = first + 1; i < end; i++)
        if (before(e->queue[i], e->queue[least]))
            least = i;
    return least;
}

/* Move the hole at `i` down until `p` may stand in it. */
static void sink(struct engine *e, size_t i, struct engine_place p)
{
    for (size_t first; (first = CHILDREN * i + 1) < e->count;) {
        size_t child = least_child(e, first);
        if (!before(e->queue[child], p))
            break;
        put(e, i, e->queue[child]);
        i = child;
    }
    put(e, i, p);
}

/* The hole at `i`, wherever it must go. */
static void settle(struct engine *e, size_t i, struct engine_place p)
{
    if (i > 0 && before(p, e->queue[(i - 1) / CHILDREN]))
        rise(e, i, p);
    else
        sink(e, i, p);
}

static void grow(struct engine *e)
{
    size_t room = e->room ? 2 * e->room : ROOM_FIRST;
    struct engine_place *queue = realloc(e->queue, room * sizeof *queue);
    if (!queue) {
        fprintf(stderr, "the simulation has %zu events waiting, and this host has no memory for more\n", e->count);
        exit(1);
    }
    e->queue = queue;
    e->room = room;
}

/* Every time after it would be wrong, and nobody would see it: checked in all builds. */
static __attribute__((noreturn, cold)) void gone(const struct engine *e, sim_time at)
{
    fprintf(stderr, "a fault of the simulator: at %llu ps something is to happen at %llu ps, which is over\n",
            (unsigned long long)e->now, (unsigned long long)at);
    abort();
}

void engine_init(struct engine *e) { *e = (struct engine){0}; }

void engine_fini(struct engine *e)
{
    for (size_t i = 0; i < e->count; i++)
        e->queue[i].event->place = 0;
    free(e->queue);
    *e = (struct engine){.now = e->now, .order = e->order, .events = e->events};
}

void engine_schedule(struct engine *e, struct event *ev, sim_time at)
{
    if (at < e->now)
        gone(e, at);
    ev->at = at;
    ev->order = e->order++;
    if (ev->place) {
        settle(e, ev->place - 1, (struct engine_place){at, ev});
        return;
    }
    if (e->count == e->room)
        grow(e);
    rise(e, e->count++, (struct engine_place){at, ev});
}

void engine_cancel(struct engine *e, struct event *ev)
{
    if (!ev->place)
        return;
    size_t hole = ev->place - 1;
    struct engine_place last = e->queue[--e->count];
    ev->place = 0;
    if (last.event != ev)
        settle(e, hole, last);
}

int engine_step(struct engine *e)
{
    if (e->count == 0)
        return 0;
    struct event *ev = e->queue[0].event;
    engine_cancel(e, ev);
    e->now = ev->at;
    e->events++;
    ev->run(e, ev);
    return 1;
}
