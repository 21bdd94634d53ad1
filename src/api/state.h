/* state.h: what src/api remembers for a rank, behind r->api. */
#ifndef MPICO_API_STATE_H
#define MPICO_API_STATE_H

#include "../base/list.h"
#include "../core/rank.h"
#include "mpi.h"

enum { ERRHANDLER_MAGIC = 0x65727231 };

/* The program's error handler. `refs` counts its handles; communicators do not count, as they may be
 * freed below this layer: a handler without a handle lives on while a communicator names it. */
struct errhandler {
    uint32_t magic;
    uint32_t refs;
    MPI_Comm_errhandler_function *function;
    struct list all;
};

struct api {
    int last_class;        /* of the error reported last, with r->fault as its sentence */
    const char *last_call; /* where */
    struct list errhandlers;
    const void *main_thread; /* rank_thread() of the one that called MPI_Init */
    void *ops;               /* the program's reduction operations */
    /* What MPI_Finalize has to wait for, once the program has used it. */
    void (*flush)(struct rank *), (*finish_detached)(struct rank *);
};

static inline struct api *api_state(const struct rank *r) { return r->api; }

#endif
