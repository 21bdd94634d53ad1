/* rank.h: one MPI process. All mutable state of the library hangs off struct rank; there are no
 * other mutable globals, so that many ranks can live in one process.
 *
 * Memory of one rank, whatever the size of the job: struct rank (under 3 KB); after MPI_Init 576 bytes of its heap (matching
 * 512, src/api 64); 4,352 more after the first collective; 2 KB with
 * the first request that outlives its call, and 512 with the first ticket. Then what is under way: 256 bytes a request,
 * 256 a message that nobody has received (or up to twice its length), 4 a member of a group whose ranks are not
 * consecutive. Only a job with several links takes 8 bytes a rank of the job, for the way to each.
 */
#ifndef MPICO_RANK_H
#define MPICO_RANK_H

#include <stddef.h>
#include <stdint.h>

#include "../base/heap.h"
#include "../base/list.h"
#include "../sizes.h"
#include "../port.h"
#include "comm.h"
#include "match.h"
#include "note.h"
#include "request.h"
#include "ticket.h"

enum rank_state { RANK_BEFORE, RANK_RUNNING, RANK_FINALIZED };

/* Few settings, read by the port from its environment; 0 or these defaults elsewhere. */
struct settings {
    size_t eager_bytes;    /* SIZE_MAX: as the link says */
    uint8_t single_copy;   /* 1: pull long messages in one copy where the link can */
    uint8_t checking;      /* 1: compare collectives across ranks, list leaks */
    uint8_t errors_return; /* 1: the first communicators have MPI_ERRORS_RETURN, not MPI_ERRORS_ARE_FATAL */
    const char *coll;      /* "allreduce=ring,bcast=binomial"; NULL: the library chooses */
};

enum { UNSENT_BUCKETS = SMALL ? 1 : 16 };

/* What the layer above adds to progress; it sets this before its first operation. */
struct upper {
    /* Advance what stands in rank.schedules. How many moved. */
    int (*progress)(struct rank *);
    /* The message that a REQUEST_COLL waits for, or NULL. */
    const struct request *(*waiting)(const struct request *);
};

/* What a call waits for. */
struct wait {
    const char *call;
    struct request *const *list;
    int requests;
};

/* The program's threads: threads.c. All zero while there is one. */
struct threads {
    uint8_t on;             /* MPI_THREAD_MULTIPLE */
    uint32_t lock;          /* taken by calls while `on`, and by those that may come before */
    uint32_t depth;         /* calls inside calls of the thread that holds it, */
    const void *owner;      /* rank_thread() */
    struct list waiters;    /* threads that sleep, but for the one */
    struct waiter *at_bell; /* whom the port wakes when a packet comes */
    uint32_t in_wait;       /* threads whose wait has given the lock up */
    uint32_t turns;         /* packets that moved and requests that were done so far */
    uint32_t unsent_seen;   /* unsent_count when the one at the bell went to sleep */
};

struct rank {
    uint8_t state;   /* enum rank_state */
    uint8_t open;    /* RANK_RUNNING, and no lock to take: what a call looks at first */
    uint8_t settled; /* mpico_rank_settle() was called */
    uint8_t thread;  /* 0: SINGLE .. as provided */
    uint8_t crowded; /* the port: more ranks than CPUs, so a wait costs a context switch */
    int world_rank, world_size;
    const struct machine *machine;
    struct link *links;
    struct link **route;   /* world_size entries: the link towards each world rank; NULL: the one link serves all */
    uint32_t unsent_count; /* sends that wait for room: see line.h */
    uint8_t wants;         /* a link asks which messages are wanted: link_ops.want */

    /* What most messages touch stands in the first cache lines. */
    uint8_t polling;       /* inside progress: no recursion */
    uint8_t spared;        /* calls that made no progress, modulo 256: mpico_poll() */
    uint8_t waited;        /* the wait under way has found nothing at least once */
    int busy_with;         /* world rank the current wait is for, or -1: where poll looks first */
    size_t arrivals;       /* packets so far: progress, for the hang watcher, who may be another thread */
    const char *call;      /* the MPI function under way, "MPI_Recv"; the same may look */
    const void *call_site; /* where the program made it */
    const void *hints;     /* the info argument of a call that makes a persistent collective or a partitioned request */
    uint8_t *lost;         /* of each rank whether it has died (lost.h); NULL: none has */
    struct comm *world, *self; /* MPI_COMM_WORLD and MPI_COMM_SELF, which are first_comms */
    struct list schedules;     /* collectives with something to do, linked by their engine */

    struct list unsent[UNSENT_BUCKETS];
    struct list streams;      /* receives whose message is on its way, a piece after the other: see stream.h */
    struct list streams_kept; /* and unexpected messages of that kind */
    struct settings settings;

    struct heap heap;
    struct match match;
    struct tickets tickets;
    struct list requests;     /* the program's (pooled), those that serve a REQUEST_SHELL, copies of buffered sends */
    struct list request_pool; /* and the free ones */

    struct comm first_comms[2];
    struct list comms;
    uint64_t comm_ids[COMM_IDS / 64]; /* set bit: free */

    struct threads threads;

    const struct upper *upper; /* NULL: no operation above src/core has begun */

    struct bsends *bsends; /* the process's buffer for buffered sends; NULL: none is attached */
    uint32_t bsends_left;  /* messages in buffers of all kinds */

    char lost_why[80]; /* the sentence about the last of them */

    struct held_table *held; /* what the program has handles of, in checking mode (held.h) */

    uint32_t locks_held; /* calls that have locked members of windows */

    struct note *note; /* what this rank waits for, where the launcher can read it */
    struct wait wait;  /* of the wait under way, for the note */
    uint8_t noted;     /* the note says that the rank waits */
    struct note private_note;

    char fault[SIZE_FAULT]; /* the sentence of the last error */
    void *api;              /* state of src/api (error handlers, user operations) */
    void *coll;             /* state of src/coll */
    void *port;             /* state of the port */
    void *trace;            /* state of core/trace.c; NULL: this rank is not traced */
    /* In builds that can be traced: functions of src/api under way in the one thread whose calls are recorded. */
    uint32_t trace_depth;
    const void *trace_thread; /* rank_thread() of the first that called */
    /* MPI_T, which works while the rank does not run too: a bit a session, and how often it was initialised. */
    uint32_t tool_sessions;
    uint16_t tool_inits;
    uint8_t tool_busy; /* a thread is changing them */
};

/* This process's rank. A port defines how it is found. Never NULL. */
#if defined(MPICO_ONE_RANK) && MPICO_ONE_RANK
extern struct rank mpico_the_rank; /* a port of one rank a program, where thread-locals cost or do not exist */
static inline struct rank *rank_self(void)
{
    struct rank *r = &mpico_the_rank;
    if (!SMALL)
        __asm__("" : "+r"(r)); /* one address in a register is cheaper than one for each member */
    return r;
}
static inline const void *rank_thread(void) { return &mpico_the_rank; }
#define RANK_THREADS 0 /* for the preprocessor: see api_enter() */
#else
#define RANK_THREADS 1
extern _Thread_local struct rank *mpico_rank_here __attribute__((tls_model("initial-exec")));
struct rank *mpico_rank_find(void); /* the port: for a thread that has not called before */
static inline struct rank *rank_self(void)
{
    struct rank *r = mpico_rank_here;
    return __builtin_expect(r != NULL, 1) ? r : mpico_rank_find();
}
/* An address that only the calling thread has. */
static inline const void *rank_thread(void) { return &mpico_rank_here; }
#endif

/* The link towards a world rank (-1: to all, over the only link). */
static inline struct link *rank_link(const struct rank *r, int peer)
{
    return SMALL || __builtin_expect(r->route == NULL, 1) ? r->links : r->route[peer];
}

/* The settings are there from now on: the defaults, changed by what the place says. Again: nothing. May come before
 * mpico_rank_init(), which keeps what was changed in between. 0 or negative. */
int mpico_rank_settle(struct rank *, const struct machine *);
/* Start through the machine: identity, links, MPI_COMM_WORLD and MPI_COMM_SELF. 0 or negative. */
int mpico_rank_init(struct rank *, const struct machine *, int *argc, char ***argv);
void mpico_rank_fini(struct rank *);

/* Note the sentence of an error and return its class: `return mpico_fault(r, MPI_ERR_TAG, "...")`.
 * Formats %d %u %s %l (long long) %z (size_t). */
int mpico_fault(struct rank *, int error_class, const char *format, ...);
#ifdef __clang_analyzer__ /* which does not see that a class is returned as it came, and so never 0 */
#define mpico_fault(r, error_class, ...) (mpico_fault(r, error_class, __VA_ARGS__), error_class)
#endif

#endif
