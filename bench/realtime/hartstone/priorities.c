/* priorities.c: starts the threads of a trial, with priorities or without. */
#define _POSIX_C_SOURCE 200809L

#include "priorities.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <time.h>

/* What the threads of a trial share with the one that has started them. */
struct crew {
    pthread_mutex_t lock;
    pthread_cond_t done;
    int running;
};

struct member {
    struct crew *crew;
    void *(*end)(void *);
    struct task *task;
    pthread_t thread;
};

static int start(pthread_t *thread, int priority, void *(*run)(void *), void *with)
{
    pthread_attr_t how;
    struct sched_param param = {.sched_priority = priority};
    int error = pthread_attr_init(&how);
    if (error)
        return error;
    if (priority > 0) {
        pthread_attr_setinheritsched(&how, PTHREAD_EXPLICIT_SCHED);
        pthread_attr_setschedpolicy(&how, SCHED_FIFO);
        error = pthread_attr_setschedparam(&how, &param);
    }
    if (!error)
        error = pthread_create(thread, &how, run, with);
    pthread_attr_destroy(&how);
    return error;
}

static void *nothing(void *with) { return with; }

int priorities_refused(void)
{
    pthread_t thread;
    int error = start(&thread, sched_get_priority_min(SCHED_FIFO), nothing, NULL);
    if (!error)
        pthread_join(thread, NULL);
    return error;
}

void priorities_rate_monotonic(struct tasks *all)
{
    int least = sched_get_priority_min(SCHED_FIFO), most = sched_get_priority_max(SCHED_FIFO);
    for (int i = 0; i < all->count; i++) {
        int slower = 0;
        for (int j = 0; j < all->count; j++)
            slower += all->task[j].ratio > all->task[i].ratio;
        all->task[i].priority = least + slower < most ? least + slower : most;
    }
}

static void *take_part(void *with)
{
    struct member *m = with;
    m->end(m->task);
    pthread_mutex_lock(&m->crew->lock);
    m->crew->running--;
    pthread_cond_signal(&m->crew->done);
    pthread_mutex_unlock(&m->crew->lock);
    return NULL;
}

static void take_priorities(struct member *members, int n)
{
    struct sched_param none = {.sched_priority = 0};
    for (int i = 0; i < n; i++)
        pthread_setschedparam(members[i].thread, SCHED_OTHER, &none);
}

/* false: some still ran when patience ended, and have lost their priorities. */
static bool wait_for(struct crew *crew, struct member *members, int n, double patience_s)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += (time_t)patience_s + 1;
    int error = 0;
    pthread_mutex_lock(&crew->lock);
    while (crew->running > 0 && error != ETIMEDOUT)
        error = pthread_cond_timedwait(&crew->done, &crew->lock, &until);
    bool in_time = crew->running == 0;
    pthread_mutex_unlock(&crew->lock);
    if (!in_time)
        take_priorities(members, n);
    for (int i = 0; i < n; i++)
        pthread_join(members[i].thread, NULL);
    return in_time;
}

const char *priorities_run(struct tasks *all, void *(*end)(void *), double patience_s)
{
    struct crew crew = {.lock = PTHREAD_MUTEX_INITIALIZER, .done = PTHREAD_COND_INITIALIZER, .running = all->count};
    struct member members[MOST_TASKS];
    for (int i = 0; i < all->count; i++) {
        members[i] = (struct member){.crew = &crew, .end = end, .task = &all->task[i]};
        int error = start(&members[i].thread, all->task[i].priority, take_part, &members[i]);
        if (error)
            return strerror(error);
    }
    if (!wait_for(&crew, members, all->count, patience_s) && all->task[0].priority > 0)
        all->demoted++;
    pthread_cond_destroy(&crew.done);
    pthread_mutex_destroy(&crew.lock);
    return NULL;
}
