/* ends.c: the two ends of a task. (Hartstone distributed, RL-TR-95-103, 4.3.1.)
 *
 * Period k of a task is [start + k P, start + (k + 1) P). The sender waits for its begin, sends, and has kept its deadline when
 * MPI_Send has returned before its end; the receiver waits for its begin too, and has kept it when MPI_Recv has. Who is late
 * goes on at the next begin that is still to come: periods that passed meanwhile are skipped, and as missed as the late one.
 * A message carries its period's number at its begin and its end; -1 ends the trial.
 */
#define _POSIX_C_SOURCE 200809L

#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "tasks.h"

static double begin_s(const struct task *t, long period) { return t->all->start_s + (double)period * t->now.period_s; }

static void sleep_s(double s)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    int64_t ns = until.tv_nsec + (int64_t)(s * 1e9);
    until.tv_sec += (time_t)(ns / 1000000000);
    until.tv_nsec = (long)(ns % 1000000000);
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

static void wait_until(const struct task *t, double s)
{
    const struct tasks *all = t->all;
    if (all->clock->is_virtual) {
        clock_until(all->clock, s);
        return;
    }
    for (double left; (left = s - clock_now(all->clock)) > 0;)
        if (all->sleeps)
            sleep_s(left);
        else
            sched_yield();
}

static struct seen *own(struct task *t) { return &t->now.ends[t->all->rank]; }

static void note(struct task *t, long period, double end_s)
{
    double took = end_s - begin_s(t, period);
    struct seen *seen = own(t);
    seen->worst_s = took > seen->worst_s ? took : seen->worst_s;
    seen->sum_s += took;
    seen->done++;
    if (took > t->now.period_s) {
        seen->late++;
        t->missed[period] = 1;
    }
}

static void stamp(const struct task *t, int64_t period)
{
    memcpy(t->buffer, &period, sizeof period);
    memcpy(t->buffer + t->all->bytes - sizeof period, &period, sizeof period);
}

/* The period of the message in the buffer; -2: it is damaged. */
static int64_t stamped(const struct task *t, int bytes)
{
    int64_t front, back;
    if (bytes != LEAST_BYTES && bytes != t->all->bytes)
        return -2;
    memcpy(&front, t->buffer, sizeof front);
    memcpy(&back, t->buffer + bytes - sizeof back, sizeof back);
    return front == back && front >= -1 && front < t->now.periods ? front : -2;
}

static long skip(struct task *t, long period, double now_s)
{
    for (; period < t->now.periods && begin_s(t, period) < now_s; period++) {
        t->missed[period] = 1;
        own(t)->skipped++;
    }
    return period;
}

void *tasks_send(void *with)
{
    struct task *t = with;
    for (long k = 0; k < t->now.periods;) {
        wait_until(t, begin_s(t, k));
        stamp(t, k);
        MPI_Send(t->buffer, t->all->bytes, MPI_BYTE, 1, t->index, t->all->comm);
        double end_s = clock_now(t->all->clock);
        note(t, k, end_s);
        k = skip(t, k + 1, end_s);
    }
    int64_t last[LEAST_BYTES / sizeof(int64_t)] = {-1, -1};
    MPI_Send(last, LEAST_BYTES, MPI_BYTE, 1, t->index, t->all->comm);
    return NULL;
}

void *tasks_receive(void *with)
{
    struct task *t = with;
    for (long k = 0;;) {
        MPI_Status status;
        int bytes;
        if (k < t->now.periods)
            wait_until(t, begin_s(t, k));
        MPI_Recv(t->buffer, t->all->bytes, MPI_BYTE, 0, t->index, t->all->comm, &status);
        double end_s = clock_now(t->all->clock);
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        int64_t period = stamped(t, bytes);
        if (period == -1)
            return NULL;
        if (period < k) { /* damaged, or an old one again */
            own(t)->wrong++;
            continue;
        }
        note(t, (long)period, end_s);
        k = (long)period + 1;
    }
}
