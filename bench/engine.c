/* engine.c: events a second of the simulator's queue, with so many events waiting that each schedules itself again
 * after a random time. No MPI: prints one line a queue size, in time of this process.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sim/engine.h"

enum { EVENTS = 5000000 };

struct again {
    struct event event;
    uint32_t seed;
};

static void run_again(struct engine *e, struct event *ev)
{
    struct again *a = (struct again *)ev;
    a->seed = a->seed * 1664525u + 1013904223u;
    engine_schedule(e, ev, e->now + 1 + (a->seed >> 12));
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int measure(size_t waiting)
{
    struct engine e;
    struct again *a = calloc(waiting, sizeof *a);
    if (!a)
        return 1;
    engine_init(&e);
    for (size_t i = 0; i < waiting; i++) {
        a[i].event.run = run_again;
        a[i].seed = (uint32_t)i * 2654435761u;
        run_again(&e, &a[i].event);
    }
    double begin = seconds();
    while (e.events < EVENTS)
        engine_step(&e);
    double took = seconds() - begin;
    printf("%7zu waiting: %6.1f million events/s, %5.1f ns each\n", waiting, EVENTS / took / 1e6, took / EVENTS * 1e9);
    engine_fini(&e);
    free(a);
    return 0;
}

int main(void) { return measure(10) || measure(1000) || measure(100000); }
