/* schedule.h: a collective is a small program of steps with dependencies. An algorithm builds one; one
 * engine runs it, blocking or not; the model prices the same steps.
 *
 * Steps stand in program order. A step starts when every step of the rounds before its own is done and,
 * if it names one, the step it comes after. A local step (copy, reduce) that may start runs at once,
 * before any later step starts. Sends start in program order among themselves, and so do receives: two
 * messages between the same ranks cannot change places although one tag serves the whole collective.
 */
#ifndef MPICO_SCHEDULE_H
#define MPICO_SCHEDULE_H

#include "../base/list.h"
#include "../core/comm.h"
#include "../core/request.h"
#include "../type/type.h"

struct op;
struct rank;
struct schedule;

enum step_kind { STEP_SEND = 1, STEP_RECV, STEP_COPY, STEP_COPY_ASIDE, STEP_REDUCE, STEP_CHECK };
enum step_state { STEP_WAITS, STEP_UNDER_WAY, STEP_DONE };

struct step {
    uint8_t kind, state;
    uint8_t slot;     /* of the request, while a send or receive is under way */
    uint8_t local;    /* among the own group of an intercommunicator, whose peers are the other one */
    int32_t peer;     /* rank in the communicator; -1 in a send: all others */
    uint32_t wait;    /* every step below this index is done first */
    int32_t after;    /* and this step; -1: none */
    const void *from; /* send, copy; the left operand of a reduce */
    void *to;         /* receive, copy; the right operand and result of a reduce */
    size_t count;
    const struct type *type;
    size_t to_count; /* copy only: the other side */
    const struct type *to_type;
};

struct slot {
    struct request request;
    uint32_t step;
    struct slot *next_free;
};

struct schedule {
    struct rank *owner;
    struct comm *comm;
    int rank, size;  /* of the communicator; a builder of several phases sets those of the next */
    uint8_t local;   /* steps being built are among the own group of an intercommunicator */
    const int *peer; /* being built: of each rank below `size` its peer, ~peer in the own group; NULL: as they are */
    const struct op *op;
    struct request *request; /* REQUEST_COLL, told when all is done */

    struct step *step;
    uint32_t count, room;
    uint32_t round;    /* index of the first step of the round being built */
    uint32_t messages; /* sends and receives of the round being built */
    uint32_t widest;   /* and of the widest round: how many slots it takes */

    uint32_t first, open; /* every step below `first` is done, below `open` started */
    uint32_t done;
    uint32_t all;    /* steps, of which a check may drop the last */
    uint32_t locals; /* steps that are no messages and have not run */
    struct slot *slot, *free_slot;
    uint8_t advancing;
    uint8_t own_types; /* steps keep datatypes of the program */
    uint8_t kept;      /* to be started again: not freed at its end */
    uint8_t unsettled; /* data came or was copied: perhaps a copy beside the processor is still under way */
    int error;         /* the first one; building stops at it, running goes on so that no peer is left alone */
    int tag;           /* -1: the communicator's next, when it starts */
    struct list ready; /* in rank.schedules when a step was done; else on its own */

    int (*check)(struct schedule *); /* of STEP_CHECK: an error class drops the rest of the program */
    void *checked;

    char *memory; /* small pieces are cut from one block, */
    size_t memory_left;
    struct piece *pieces; /* the others are listed here */
    uintptr_t nowhere;    /* not 0: its steps are only looked at, and memory for data is an address in nothing */
};

/* ---- Building. On exhausted memory s->error is set, and every later call does nothing. ---- */

/* NULL when memory is exhausted. */
struct schedule *mpico_schedule_alloc(struct rank *, struct comm *);
/* Only for one that was never started or is kept: the engine frees the others. */
void mpico_schedule_free(struct schedule *);

/* Memory that lives as long as the schedule; NULL (and s->error) when exhausted. */
void *mpico_schedule_temp(struct schedule *, size_t bytes);
/* The same for data, which builders do not touch. */
static inline void *mpico_schedule_buffer(struct schedule *s, size_t bytes)
{
    if (SMALL || !s->nowhere)
        return mpico_schedule_temp(s, bytes);
    void *at = (void *)s->nowhere;
    s->nowhere += bytes;
    return at;
}
/* Room for `count` elements laid out as the type says; the address is that of element 0. */
void *mpico_schedule_array(struct schedule *, const struct type *, size_t count);

/* Each returns the index of the step. Buffers are used when the step runs, not now. */
int mpico_schedule_send(struct schedule *, const void *buf, size_t count, const struct type *, int peer);
/* To every other rank of the job, where the network can (coll_call.spread_bytes). */
int mpico_schedule_spread(struct schedule *, const void *buf, size_t count, const struct type *);
int mpico_schedule_recv(struct schedule *, void *buf, size_t count, const struct type *, int peer);
/* Both sides hold the same bytes of data, perhaps of different types. Nothing if from == to. */
int mpico_schedule_copy(struct schedule *, const void *from, size_t count, const struct type *, void *to,
                        size_t to_count, const struct type *to_type);
/* The same when no later step reads the copy: it may go on beside them. */
int mpico_schedule_copy_aside(struct schedule *, const void *from, size_t count, const struct type *, void *to,
                              size_t to_count, const struct type *to_type);
/* right[i] = left[i] op right[i] */
int mpico_schedule_reduce(struct schedule *, const void *left, void *right, size_t count, const struct type *);
/* Run `check`; when it finds an error, the rest of the program is dropped. */
int mpico_schedule_check(struct schedule *, int (*check)(struct schedule *), void *checked);
/* Steps added from here on wait for all steps so far. */
void mpico_schedule_round(struct schedule *);
/* `step` also waits for the earlier step `after` of its round. */
void mpico_schedule_after(struct schedule *, int step, int after);

/* ---- Running ---- */

/* Start; `q` (REQUEST_COLL, its memory the caller's or the pool's) is done when the last step is, perhaps
 * before this returns. The schedule then frees itself, unless it is kept: then it can be started again. Never blocks. Takes the
 * communicator's next tag unless it has one. */
void mpico_schedule_start(struct schedule *, struct request *q);
/* The same at the next progress: for what the end of another operation starts, which would otherwise call itself. */
void mpico_schedule_start_soon(struct schedule *, struct request *q);
/* Advance what a finished message made ready: from mpico_progress() only. How many schedules. */
int mpico_schedules_progress(struct rank *);
/* The message a collective's request waits for: a receive if there is one; NULL if none. */
const struct request *mpico_schedule_waiting(const struct request *);
/* The two as src/core calls them: in rank.upper before the first schedule exists. */
extern const struct upper mpico_schedule_upper;

#endif
