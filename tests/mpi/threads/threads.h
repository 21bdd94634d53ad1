/* What the programs with several threads share. Places that have no threads of their own answer a lower level: skipped. */
#ifndef MPICO_TESTS_MPI_THREADS_H
#define MPICO_TESTS_MPI_THREADS_H

#include <pthread.h>

#include "check.h"

enum { THREADS = 4 };

/* 0: skip. */
static inline int threads_start(int *argc, char ***argv)
{
    int provided;
    MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    return provided == MPI_THREAD_MULTIPLE;
}

/* Runs work((void *)i) in so many threads, thread 0 in the caller's, and waits for all. */
static inline void threads_run(void *(*work)(void *), int threads)
{
    pthread_t thread[16];
    for (intptr_t i = 1; i < threads; i++)
        CHECK(pthread_create(&thread[i], NULL, work, (void *)i) == 0, "thread %d", (int)i);
    work((void *)0);
    for (int i = 1; i < threads; i++)
        pthread_join(thread[i], NULL);
}

#endif
