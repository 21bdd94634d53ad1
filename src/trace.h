/* trace.h: what the library tells a trace of itself. In most builds this is nothing at all; the libraries that can be traced
 * are built with MPICO_TRACE, and even then a rank without a trace pays for one comparison a hook.
 *
 * When a function of the standard begins and ends is not written here: the sources of src/api are compiled with
 * -finstrument-functions, and core/trace.c has the functions that the compiler then calls. The packets a rank sends are
 * seen by standing in for its links' operations.
 */
#ifndef MPICO_TRACE_H
#define MPICO_TRACE_H

#include <stdint.h>

#include "core/rank.h"
#include "core/trace_format.h"

#if defined(MPICO_TRACE) && MPICO_TRACE

/* Let the rank write into `region`, which has room for `records` and a table of peers (offset and bytes in the region). The
 * clock never goes back by much, and any context of the rank may read it. After the rank's links are attached. 0, or
 * negative: no memory. */
int mpico_trace_start(struct rank *, struct trace_region *, uint64_t records, uint64_t peers_at, uint64_t peers_bytes,
                      uint64_t (*clock)(void), uint64_t ticks_per_second);

void mpico_trace_call(struct rank *, const char *call);
void mpico_trace_compute(struct rank *);
void mpico_trace_wait(struct rank *, struct request *const *list, int requests);
void mpico_trace_moved(struct rank *);
uint64_t mpico_trace_now(struct rank *);
void mpico_trace_arrived(struct rank *, uint64_t at, int origin, const struct packet *);

/* The function of the standard that has begun has this name. One that gives none has no record: MPI_Wtime and the like. */
static inline void trace_call(struct rank *r, const char *call)
{
    if (r->trace)
        mpico_trace_call(r, call);
}
/* It is no function of the standard but a computation that takes time. */
static inline void trace_compute(struct rank *r)
{
    if (r->trace)
        mpico_trace_compute(r);
}
/* A turn of waiting for one of `list` was fruitless, or was not. */
static inline void trace_wait(struct rank *r, struct request *const *list, int requests)
{
    if (r->trace)
        mpico_trace_wait(r, list, requests);
}
static inline void trace_moved(struct rank *r)
{
    if (r->trace)
        mpico_trace_moved(r);
}
/* A packet that came at time `at` has been accepted. */
static inline uint64_t trace_now(struct rank *r) { return r->trace ? mpico_trace_now(r) : 0; }
static inline void trace_arrived(struct rank *r, uint64_t at, int origin, const struct packet *p)
{
    if (r->trace)
        mpico_trace_arrived(r, at, origin, p);
}

#else

static inline void trace_call(struct rank *r, const char *call)
{
    (void)r;
    (void)call;
}
static inline void trace_compute(struct rank *r) { (void)r; }
static inline void trace_wait(struct rank *r, struct request *const *list, int requests)
{
    (void)r;
    (void)list;
    (void)requests;
}
static inline void trace_moved(struct rank *r) { (void)r; }
static inline uint64_t trace_now(struct rank *r)
{
    (void)r;
    return 0;
}
static inline void trace_arrived(struct rank *r, uint64_t at, int origin, const struct packet *p)
{
    (void)r;
    (void)at;
    (void)origin;
    (void)p;
}

#endif

#endif
