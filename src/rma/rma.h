/* rma.h: one-sided operations: windows, and what goes on between an origin and a target.
 *
 * A window has a communicator of its own, and everything else is messages on it. What an origin wants of a target is one
 * message of tag RMA_TAG_ASK, for which every member keeps a receive open: what arrives there is done at once, inside the target's
 * progress, in the order in which the origin sent it. It says by numbers which memory is meant (strip.h), never by a datatype.
 * What is too long for one such message is cut; only a long put to one block sends its data as a message of its own, which goes
 * straight to its place. Where the origin needs an answer (data of a get, the end of a long put, a lock), it waits for a message
 * whose tag it has chosen. So lengths, room, order and dead peers are the affair of the core alone.
 *
 * Memory of the target that the origin can load and store itself (its own; that of Win_allocate and Win_allocate_shared on one host) is
 * used directly. All members then do that, and accumulates take a lock beside the memory.
 */
#ifndef MPICO_RMA_H
#define MPICO_RMA_H

#include <limits.h>

#include "../core/rank.h"
#include "../type/type.h"
#include "strip.h"

struct op;
struct attr;
struct info;

enum {
    WIN_MAGIC = 0x77696e31,
    RMA_MESSAGE = SMALL ? 512 : 8192, /* the longest message that asks for something */
    RMA_SHORT = SMALL ? 128 : 1024,   /* up to here it is made on the stack */
    RMA_PIECE = SMALL ? 512 : 65536,  /* data of a get that does not lie in one block, in one answer */
    RMA_STRIPS = SMALL ? 2 : 8,       /* in one message */
    RMA_NEAR = 8,                     /* up to so many members tell each other of a fence; more need a tree */
    RMA_LOCK_BYTES = 64               /* of a shared segment: a line for each member's lock */
};

/* ---- Messages ---- */

enum rma_kind {
    RMA_PUT = 1,
    RMA_GET,
    RMA_ACCUMULATE, /* with an answer: fetches what was there before */
    RMA_SWAP,       /* compare and swap: the data is the value to compare with, then the new one */
    RMA_LOCK,       /* arg: 1 exclusive */
    RMA_UNLOCK,
    RMA_FLUSH,
    RMA_POST,
    RMA_COMPLETE,
    RMA_FENCE,
    RMA_KINDS
};

/* Then the strips, then the data. */
struct rma_ask {
    uint8_t kind;
    uint8_t op;      /* low byte of a predefined operation's handle */
    uint16_t type;   /* handle of the predefined type that is accumulated */
    int32_t answer;  /* tag of the answer; 0: none */
    uint32_t strips; /* how many follow */
    uint32_t arg;    /* RMA_PUT: 1: the data comes as a message of its own, under tag `answer` | RMA_TAG_DATA */
};
_Static_assert(sizeof(struct rma_ask) == 16 && sizeof(struct strip) == 32, "data behind them is aligned");

/* Of RMA_LOCK: the lock for one alone; its origin holds locks, of this window or others, and may wait for nobody who waits. */
enum { RMA_LOCK_EXCLUSIVE = 1, RMA_LOCK_HOLDER = 2 };

/* Beside the error in the answer to RMA_UNLOCK: many have passed who waits for the lock alone. */
enum { RMA_CROWDED = 1 << 14 }; /* more than any error class */

/* A tag is an int, which has 16 bits in some places. */
enum { RMA_TAG_ASK = 0, RMA_TAG_DATA = INT_MAX / 2 + 1, RMA_TAG_LAST = RMA_TAG_DATA - 1 };

/* ---- Windows ---- */

enum rma_epoch { EPOCH_NONE, EPOCH_FENCE, EPOCH_START, EPOCH_LOCK, EPOCH_LOCK_ALL };

/* What a member knows of another. */
struct rma_peer {
    uint64_t size, unit; /* of its memory, and of displacements there, in bytes */
    char *local;         /* its memory, where this process can load and store it; else NULL */
    uint32_t pending;    /* tasks here that concern it, */
    uint32_t behind;     /* and of these, data that may be overtaken by what is asked later */
    uint32_t posted;     /* RMA_POST from it that no Win_start has used, */
    uint32_t completed;  /* RMA_COMPLETE for Win_wait, */
    uint32_t fenced;     /* and RMA_FENCE for Win_fence */
    int error;           /* of what it asked for without an answer: goes with the next answer */
    uint8_t dirty;       /* it was asked for something whose end is not known yet */
    uint8_t started;     /* in the group of Win_start */
    uint8_t crowded;     /* its last answer said so: RMA_CROWDED */
    uint8_t locked;      /* by this process: enum rma_locked */
};
enum rma_locked { RMA_UNLOCKED, RMA_LOCKED, RMA_NOCHECK };

/* Memory attached to a dynamic window. */
struct rma_region {
    struct rma_region *next;
    char *base;
    size_t size;
};

struct win {
    uint32_t magic;
    uint8_t epoch;   /* enum rma_epoch */
    uint8_t fresh;   /* EPOCH_FENCE: nothing was done in it so far, so that it may turn out to be none */
    uint8_t exposed; /* between Win_post and Win_wait */
    uint8_t dynamic; /* memory is attached, and displacements are addresses */
    uint8_t shared;  /* `segment` holds the memory of all members */
    uint8_t serving; /* inside the loop that takes what was asked */
    uint8_t starved; /* what was asked last waits for memory */
    int flavor, model, unit_int;
    intptr_t size_aint; /* as attributes */
    int locks;          /* EPOCH_LOCK: how many members are locked */
    int next_tag;
    int gate;  /* the last crowded member that Win_lock_all has asked before the others */
    int error; /* of an operation, for the next call that ends some */
    struct rank *rank;
    struct comm *comm;
    char *base;
    size_t size;
    struct rma_peer *peer; /* comm->size of them */
    struct rma_region *regions;
    struct group *exposed_to, *started_to; /* kept while they are in use */

    struct request ask;  /* the open receive, */
    char *inbox;         /* its RMA_MESSAGE bytes */
    struct list tasks;   /* of this origin: what it waits for */
    uint32_t answering;  /* tasks of this target */
    struct list waiting; /* for its lock: tasks, the oldest first */
    uint32_t shared_by;  /* holders of its lock; */
    uint8_t exclusive;   /* or one alone */
    uint32_t passed;     /* who got it past the oldest that waits */

    char *segment; /* shared memory: a lock for each member, then their memories */
    uint64_t segment_name;
    size_t segment_bytes;
    void *own; /* memory of the heap that was allocated for the window */

    /* Of src/api. */
    struct attr *attributes;
    char *name;
    struct info *info;
    uintptr_t errhandler;
    struct win *next;
};

/* Every member calls these; 0 or an error class (the sentence in the rank). A window without memory: its communicator (which the
 * window owns from now on) and what the members must know of each other. Without memory for that the job ends. */
struct win *mpico_win_alloc(struct rank *, struct comm *);
/* Tell the others what memory this member has: base, size and unit are set. `e`: an error that this member has met so far, after which
 * the window is of no use to anybody. */
int mpico_win_open(struct win *, uint64_t unit, int e);
/* Memory for all members in one piece that all can load and store: before mpico_win_open(), `unit` as there. Not every place has that:
 * MPI_ERR_RMA_SHARED at all of them, and nothing has changed. */
int mpico_win_share(struct win *, size_t size, uint64_t unit, int contiguous);
/* All have called it: nobody asks for anything any more. */
int mpico_win_close(struct win *);
/* This member's end of it. */
void mpico_win_free(struct win *);

/* ---- Operations ---- */

/* Elements in memory. */
struct rma_data {
    void *buf;
    size_t count;
    const struct type *type;
};

struct rma_call {
    enum rma_kind kind;
    int target;
    uint64_t at;  /* where the target's first element is: in its window, or its address in a dynamic one */
    size_t bytes; /* that move */
    size_t unit;  /* bytes that are not to be cut: of a basic element; 1 if they may */
    struct rma_data from, to, there; /* what is sent; where the answer goes; how the target is laid out */
    const struct op *op;
    const struct type *basic;
    struct request *user; /* MPI_Rput and the like: told of the end; NULL */
};

/* Begin. The call's arguments are good, the memory is there (but in a dynamic window), and an epoch is open. May wait for memory. 0 or
 * an error class with the sentence. */
int mpico_rma_start(struct win *, const struct rma_call *);
/* One part of a user's request (REQUEST_RMA; NULL: there is none) is done. With the last, all is. */
void mpico_rma_user_end(struct rank *, struct request *user, int error);

/* ---- Synchronisation. All but the first two wait; each returns 0, or the class of an error that was found: MPI_ERR_PROC_ABORTED, or
 * what an operation has met at its target (then w->error is reset). ---- */

int mpico_rma_post(struct win *, const struct group *);
int mpico_rma_test(struct win *); /* 1: Win_wait would not block; it is then over */
int mpico_rma_wait(struct win *);
int mpico_rma_await_post(struct win *, const struct group *);
int mpico_rma_complete(struct win *, const struct group *);
int mpico_rma_flush(struct win *, int target, int local); /* target -1: all. local: this side's buffers are free */
int mpico_rma_fence(struct win *);
int mpico_rma_lock(struct win *, int target, int exclusive); /* target -1: all, shared */
int mpico_rma_unlock(struct win *, int target);              /* target -1: all */

#endif
