/* take_time.c: the C library's clocks and sleeps, for a rank whose machine has a time of its own. On the host's time
 * they are the C library's.
 */
#include <errno.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "own.h"

#define NS_PER_S 1000000000u
/* Simulated time begins when the year 2000 does: some programs do not like the year 1970. */
#define EPOCH_S 946684800u

static int virtual_clock(clockid_t clock)
{
    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_BOOTTIME:
    case CLOCK_TAI:
        return 1;
    default:
        return 0; /* the processor's time is the host's */
    }
}

/* The running rank, if its machine keeps the time. */
static struct fiber *timed(void)
{
    struct fiber *f = fiber_self();
    return f && fiber_job->runs_on->clock ? f : NULL;
}

static struct timespec time_of(struct fiber *f)
{
    uint64_t ns = fiber_job->runs_on->clock(f);
    return (struct timespec){.tv_sec = (time_t)(EPOCH_S + ns / NS_PER_S), .tv_nsec = (long)(ns % NS_PER_S)};
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
    struct fiber *f = virtual_clock(clock) ? timed() : NULL;
    if (f) {
        *t = time_of(f);
        return 0;
    }
    int (*real)(clockid_t, struct timespec *) = fiber_real("clock_gettime");
    return real(clock, t);
}

int gettimeofday(struct timeval *restrict tv, void *restrict zone)
{
    struct fiber *f = timed();
    if (!f) {
        int (*real)(struct timeval *, void *) = fiber_real("gettimeofday");
        return real(tv, zone);
    }
    struct timespec t = time_of(f);
    *tv = (struct timeval){.tv_sec = t.tv_sec, .tv_usec = t.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *out)
{
    struct fiber *f = timed();
    if (!f) {
        time_t (*real)(time_t *) = fiber_real("time");
        return real(out);
    }
    time_t t = time_of(f).tv_sec;
    if (out)
        *out = t;
    return t;
}

/* ---- Sleeping ---- */

static int sound(const struct timespec *t) { return t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < NS_PER_S; }

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *t, struct timespec *left)
{
    struct fiber *f = virtual_clock(clock) ? timed() : NULL;
    if (!f) {
        int (*real)(clockid_t, int, const struct timespec *, struct timespec *) = fiber_real("clock_nanosleep");
        return real(clock, flags, t, left);
    }
    if (!sound(t))
        return EINVAL;
    uint64_t ns = (uint64_t)t->tv_sec * NS_PER_S + (uint64_t)t->tv_nsec;
    if (flags & TIMER_ABSTIME) {
        uint64_t now = EPOCH_S * (uint64_t)NS_PER_S + fiber_job->runs_on->clock(f);
        ns = ns > now ? ns - now : 0;
    }
    fiber_job->runs_on->sleep(f, ns);
    return 0;
}

int nanosleep(const struct timespec *t, struct timespec *left)
{
    if (!timed()) {
        int (*real)(const struct timespec *, struct timespec *) = fiber_real("nanosleep");
        return real(t, left);
    }
    int e = clock_nanosleep(CLOCK_MONOTONIC, 0, t, left);
    errno = e ? e : errno;
    return e ? -1 : 0;
}

int usleep(useconds_t us)
{
    return nanosleep(&(struct timespec){.tv_sec = us / 1000000, .tv_nsec = (long)(us % 1000000) * 1000}, NULL);
}

unsigned sleep(unsigned s)
{
    nanosleep(&(struct timespec){.tv_sec = (time_t)s}, NULL);
    return 0;
}
