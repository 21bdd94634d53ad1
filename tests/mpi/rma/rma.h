/* What the tests of one-sided communication share: a window of each kind over the same memory, so that a program can run over all. */
#ifndef MPICO_TESTS_MPI_RMA_H
#define MPICO_TESTS_MPI_RMA_H

#include "check.h"

enum flavor { CREATE, ALLOCATE, DYNAMIC, FLAVORS };

struct window {
    enum flavor flavor;
    MPI_Win win;
    char *memory; /* this rank's */
    MPI_Aint *at; /* of each rank: what a displacement of 0 bytes is */
};

/* Of `bytes` zeros a rank; displacements count bytes. */
static inline void window_open(struct window *w, enum flavor flavor, int bytes)
{
    MPI_Aint here = 0;
    w->flavor = flavor;
    w->at = check_alloc((size_t)np * sizeof *w->at);
    if (flavor == ALLOCATE)
        CHECK_OK(MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w->memory, &w->win));
    else
        w->memory = check_alloc((size_t)bytes);
    if (flavor == CREATE)
        CHECK_OK(MPI_Win_create(w->memory, bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w->win));
    if (flavor == DYNAMIC) {
        CHECK_OK(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &w->win));
        CHECK_OK(MPI_Win_attach(w->win, w->memory, bytes));
        CHECK_OK(MPI_Get_address(w->memory, &here));
    }
    memset(w->memory, 0, (size_t)bytes);
    CHECK_OK(MPI_Allgather(&here, 1, MPI_AINT, w->at, 1, MPI_AINT, MPI_COMM_WORLD));
}

static inline void window_close(struct window *w)
{
    if (w->flavor == DYNAMIC) {
        CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
        CHECK_OK(MPI_Win_detach(w->win, w->memory));
    }
    CHECK_OK(MPI_Win_free(&w->win));
    CHECK(w->win == MPI_WIN_NULL, "the handle is still set");
    if (w->flavor != ALLOCATE)
        free(w->memory);
    free(w->at);
}

#endif
