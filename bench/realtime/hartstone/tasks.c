/* tasks.c: one trial: both ends agree on its start, carry it out, and put together what each has seen. */
#include "tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "priorities.h"

enum { TAG = MOST_TASKS };

static const double lead_s = 0.01, patience_s = 20;

static void *touched(size_t bytes)
{
    void *memory = malloc(bytes);
    return memory ? memset(memory, 0, bytes) : NULL;
}

bool tasks_init(struct tasks *all)
{
    all->flags = touched((size_t)all->room);
    for (int i = 0; i < all->count; i++) {
        struct task *t = &all->task[i];
        t->all = all;
        t->index = i;
        t->buffer = memory_alloc((size_t)all->bytes, MEMORY_PAGE_BYTES);
        t->missed = touched((size_t)all->room);
        if (!t->buffer || !t->missed)
            return false;
    }
    return all->flags;
}

void tasks_fini(struct tasks *all)
{
    free(all->flags);
    for (int i = 0; i < all->count; i++) {
        memory_free(all->task[i].buffer);
        free(all->task[i].missed);
    }
}

static void set_period(struct task *t, double period_s, int periods)
{
    long own = (long)((double)periods / t->ratio);
    t->now = (struct outcome){.period_s = period_s * t->ratio, .periods = own < 1 ? 1 : own};
    memset(t->missed, 0, (size_t)t->now.periods);
}

static void carry_out(struct tasks *all)
{
    void *(*end)(void *) = all->rank == 0 ? tasks_send : tasks_receive;
    if (!all->threads) {
        end(&all->task[0]);
        return;
    }
    double lasts_s = all->task[0].now.period_s * (double)all->task[0].now.periods;
    const char *wrong = priorities_run(all, end, lasts_s + patience_s);
    if (wrong) { /* the other end waits for a task that does not exist */
        fprintf(stderr, "realtime hartstone: a thread cannot be started (%s); ask for fewer --tasks\n", wrong);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
}

static long either(const unsigned char *a, const unsigned char *b, long n)
{
    long count = 0;
    for (long i = 0; i < n; i++)
        count += a[i] || b[i];
    return count;
}

/* Rank 0 learns what rank 1 has seen; `theirs` is room for its flags. A period is missed when either end has missed it. */
static void put_together(struct task *t, unsigned char *theirs)
{
    const struct tasks *all = t->all;
    struct outcome *o = &t->now;
    if (all->rank == 1) {
        MPI_Send(&o->ends[1], (int)sizeof o->ends[1], MPI_BYTE, 0, TAG, all->comm);
        MPI_Send(t->missed, (int)o->periods, MPI_BYTE, 0, TAG, all->comm);
        return;
    }
    MPI_Recv(&o->ends[1], (int)sizeof o->ends[1], MPI_BYTE, 1, TAG, all->comm, MPI_STATUS_IGNORE);
    MPI_Recv(theirs, (int)o->periods, MPI_BYTE, 1, TAG, all->comm, MPI_STATUS_IGNORE);
    t->wrong += o->ends[1].wrong;
    o->missed = either(t->missed, theirs, o->periods);
}

static void add(struct trial *trial, double *sum_s, long *done, const struct seen *seen, double ratio)
{
    double worst_s = seen->worst_s / ratio;
    trial->worst_s = worst_s > trial->worst_s ? worst_s : trial->worst_s;
    *sum_s += seen->sum_s / ratio;
    *done += seen->done;
}

static struct trial sum_up(const struct tasks *all)
{
    struct trial trial = {0};
    double sum_s = 0;
    long done = 0;
    for (int i = 0; i < all->count; i++) {
        const struct outcome *o = &all->task[i].now;
        trial.periods += (int)o->periods;
        trial.missed += (int)o->missed;
        add(&trial, &sum_s, &done, &o->ends[0], all->task[i].ratio);
        add(&trial, &sum_s, &done, &o->ends[1], all->task[i].ratio);
    }
    trial.mean_s = done ? sum_s / (double)done : 0;
    return trial;
}

struct trial tasks_run(void *with, double period_s, int periods)
{
    struct tasks *all = with;
    struct trial trial = {0};
    for (int i = 0; i < all->count; i++)
        set_period(&all->task[i], period_s, periods < all->room ? periods : all->room);
    all->start_s = clock_meet(all->clock, all->comm, lead_s);
    if (all->rank < 2) {
        carry_out(all);
        for (int i = 0; i < all->count; i++)
            put_together(&all->task[i], all->flags);
    }
    if (all->rank == 0)
        trial = sum_up(all);
    MPI_Bcast(&trial, (int)sizeof trial, MPI_BYTE, 0, all->comm);
    for (int i = 0; trial.missed == 0 && i < all->count; i++)
        all->task[i].clean = all->task[i].now;
    return trial;
}
