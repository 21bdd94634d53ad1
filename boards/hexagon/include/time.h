/* time.h: clocks and sleep, as the kernel has them with 64 bits of seconds on a machine of 32. */
#ifndef MPICO_HEXAGON_TIME_H
#define MPICO_HEXAGON_TIME_H

#include <stddef.h>
#include <stdint.h>

typedef int64_t time_t;
struct timespec {
    time_t tv_sec;
    long tv_nsec;
    int32_t padding; /* the kernel reads 64 bits there, and drops the upper half */
};
typedef int clockid_t;
enum { CLOCK_REALTIME = 0, CLOCK_MONOTONIC = 1 };

int clock_gettime(clockid_t, struct timespec *);
int nanosleep(const struct timespec *, struct timespec *rest);
time_t time(time_t *);

#endif
