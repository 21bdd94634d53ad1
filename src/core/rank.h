/* rank.h: one MPI process. All mutable state of the library hangs off struct rank; there are no
 * other mutable globals, so that many ranks can live in one process.
 */
#ifndef MPICO_RANK_H
#define MPICO_RANK_H

#include <stddef.h>
#include <stdint.h>

#include "../base/heap.h"
#include "../base/list.h"
#include "../port.h"
#include "comm.h"
#include "match.h"
#include "note.h"
#include "request.h"
#include "ticket.h"

enum rank_state { RANK_BEFORE, RANK_RUNNING, RANK_FINALIZED };

/* Few settings, read by the port from its environment; 0 or these defaults elsewhere. */
struct settings {
    size_t eager_bytes;  /* SIZE_MAX: as the link says */
    uint8_t single_copy; /* 1: pull long messages in one copy where the link can */
    uint8_t checking;    /* 1: compare collectives across ranks, list leaks */
    const char *coll;    /* "allreduce=ring,bcast=binomial"; NULL: the library chooses */
};

struct rank {
    uint8_t state;   /* enum rank_state */
    uint8_t thread;  /* 0: SINGLE .. as provided */
    uint8_t crowded; /* the port: more ranks than CPUs, so a wait costs a context switch */
    int world_rank, world_size;
    const struct machine *machine;
    struct link *links;
    struct link **route; /* world_size entries: the link towards each world rank */
    struct list *unsent; /* world_size entries: sends whose first packet or data wait for room */
    uint32_t unsent_count;
    struct settings settings;

    struct heap heap;
    struct match match;
    struct tickets tickets;
    struct list requests;     /* every pooled request in use */
    struct list request_pool; /* and the free ones */

    struct comm *world, *self;
    struct list comms;
    uint64_t comm_ids[COMM_IDS / 64]; /* set bit: free */

    struct list schedules; /* collectives under way, linked by the engine */

    /* Buffered sends. */
    char *bsend_buf;
    size_t bsend_size, bsend_used;
    struct list bsends;
    uint8_t bsend_automatic;

    struct note *note; /* what this rank waits for, where the launcher can read it */
    struct note private_note;
    uint64_t arrivals; /* packets so far: progress, for the hang watcher */
    int busy_with;     /* world rank the current wait is for, or -1: where poll looks first */
    uint8_t polling;   /* inside progress: no recursion */

    const char *call;      /* the MPI function under way, "MPI_Recv" */
    const void *call_site; /* where the program made it */
    char fault[256];       /* the sentence of the last error */
    void *api;             /* state of src/api (error handlers, user operations) */
    void *coll;            /* state of src/coll */
    void *port;            /* state of the port */
};

/* This process's rank. A port defines how it is found. Never NULL. */
extern _Thread_local struct rank *mpico_rank_here __attribute__((tls_model("initial-exec")));
struct rank *mpico_rank_find(void); /* the port: for a thread that has not called before */
static inline struct rank *rank_self(void)
{
    struct rank *r = mpico_rank_here;
    return __builtin_expect(r != NULL, 1) ? r : mpico_rank_find();
}

/* Start through the machine: identity, links, MPI_COMM_WORLD and MPI_COMM_SELF. 0 or negative. */
int mpico_rank_init(struct rank *, const struct machine *, int *argc, char ***argv);
void mpico_rank_fini(struct rank *);

/* Note the sentence of an error and return its class: `return mpico_fault(r, MPI_ERR_TAG, "...")`.
 * Formats %d %u %s %l (long long) %z (size_t). */
int mpico_fault(struct rank *, int error_class, const char *format, ...);

#endif
