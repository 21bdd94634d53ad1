/* What the benchmarks share: a clock, pinning, order statistics, and a cache line the two ranks of a pair both map. */
#ifndef BENCH_COMMON_H
#define BENCH_COMMON_H

#include <stdbool.h>
#include <stdint.h>

/* Nanoseconds of the monotonic clock. */
uint64_t now_ns(void);

/* Binds the calling thread to one CPU, whatever the launcher chose. Ends the job if the kernel refuses. */
void pin(int cpu);

/* Sorts n values in place and returns the middle one. */
double median(double *values, int n);

/* The value of "--name value" among the arguments, or fallback; has_flag for "--name" alone. */
const char *option(int argc, char **argv, const char *name, const char *fallback);
int option_int(int argc, char **argv, const char *name, int fallback);
bool has_flag(int argc, char **argv, const char *name);

/* Prints "name: why" and aborts the job. */
_Noreturn void give_up(const char *why);

/* Ends the job unless it has at least this many ranks. */
void need_ranks(int least);

/* Pins ranks 0 and 1 to the two CPUs of "--cpus a,b" (0,1 unless told). */
void pin_pair(int argc, char **argv, int rank);

/* A page of memory mapped by ranks 0 and 1. Both call it, other ranks must not; never unmapped. */
void *shared_page(int rank);

/* One round trip's worth of waiting on a line of that page. No pause instruction: the unit is what the hardware can do. */
static inline void line_put(volatile uint64_t *line, uint64_t value)
{
    __atomic_store_n(line, value, __ATOMIC_RELEASE);
}

static inline void line_await(volatile uint64_t *line, uint64_t value)
{
    while (__atomic_load_n(line, __ATOMIC_ACQUIRE) != value)
        continue;
}

#endif
