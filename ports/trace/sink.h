/* sink.h: where a port's ranks put their trace: the memory that mpiexec --trace has made for the job. A library that is built
 * without MPICO_TRACE has none of this.
 */
#ifndef MPICO_TRACE_SINK_H
#define MPICO_TRACE_SINK_H

#include <stdint.h>

#include "../../src/core/trace_format.h"

struct rank;

#if defined(MPICO_TRACE) && MPICO_TRACE

/* At the end of machine.start(), when the rank is placed and its links are attached: is the job traced? Then let the rank
 * write into `region`, its world rank. Times are what `clock` says; with TRACE_PS ticks a second (trace_format.h) it is a
 * virtual one. 0, also when there is no trace; negative when there should be one and cannot be: said why, the rank
 * runs without. */
int trace_sink_open(struct rank *, int region, uint64_t (*clock)(void), uint64_t ticks_per_second);

/* Link `link` of a simulated machine was busy, in picoseconds; and what it is called ("3>4"). Nothing when the job is not
 * traced, or no rank has opened the trace yet. One thread alone. */
void trace_sink_link(int link, uint64_t from, uint64_t until);
void trace_sink_link_name(int link, const char *name);

#else

static inline int trace_sink_open(struct rank *r, int region, uint64_t (*clock)(void), uint64_t ticks_per_second)
{
    (void)r;
    (void)region;
    (void)clock;
    (void)ticks_per_second;
    return 0;
}
static inline void trace_sink_link(int link, uint64_t from, uint64_t until)
{
    (void)link;
    (void)from;
    (void)until;
}
static inline void trace_sink_link_name(int link, const char *name)
{
    (void)link;
    (void)name;
}

#endif

#endif
