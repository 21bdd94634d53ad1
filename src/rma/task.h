/* task.h: what the files of this layer share: messages under way, and memory as strips say it. */
#ifndef MPICO_RMA_TASK_H
#define MPICO_RMA_TASK_H

#include "../core/progress.h"
#include "../core/protocol.h"
#include "rma.h"

enum { RMA_NO_OP = 0x3d }; /* low byte of MPI_NO_OP */

/* A message under way with what is to be done at its end; then it is freed. */
struct rma_task {
    struct request q;
    struct win *win;
    struct list node;        /* in w->tasks, or w->waiting */
    struct request *user;    /* told of the end; NULL */
    int target;              /* the peer that it concerns; -1: it is a target's */
    int source, tag;         /* a target's: who gets the answer, and under which tag */
    uint8_t behind;          /* counts in peer.behind */
    uint8_t verdict;         /* the answer is an error class in more[] */
    uint8_t exclusive;       /* asks for the lock so, */
    uint8_t passes;          /* past who waits, as it holds other locks */
    uint8_t nowhere;         /* data that comes has no place */
    const struct type *kept; /* a type of the program that is in use */
    struct rma_data to;      /* the answer is in more[], packed; it goes to `at` of these (type NULL: no) */
    size_t at;
    const struct type *gapped; /* of such elements; NULL: of others */
    _Alignas(16) char more[];
};

/* With so many bytes at its end; NULL when there is no memory. */
struct rma_task *mpico_rma_task(struct win *, size_t more);
void mpico_rma_task_free(struct rma_task *);

/* Of an origin, who waits until there is memory as long as something is under way. Counted at its peer and its user's request. */
struct rma_task *mpico_rma_task_open(struct win *, size_t more, int target, struct request *user);
void mpico_rma_send(struct rma_task *, const void *buf, size_t count, const struct type *, int tag);
void mpico_rma_recv(struct rma_task *, void *buf, size_t count, const struct type *, int tag);
/* The next tag for an answer from this window. */
int mpico_rma_tag(struct win *);
static inline void rma_user_begin(struct request *user)
{
    if (user)
        user->target++;
}

/* Send a message that asks for something, of at most RMA_MESSAGE bytes; it is copied. 0 or an error class. */
int mpico_rma_ask(struct win *, int target, const void *message, size_t bytes);
/* The same with neither strips nor data. verdict: wait for the answer. */
int mpico_rma_tell(struct win *, int target, enum rma_kind, uint32_t arg, int verdict);

/* A turn of waiting for something of this window; `what`: for the report, the request that matters; NULL: the oldest task. */
void mpico_rma_turn(struct win *, uint32_t *idle, struct request *what);

/* ---- The target ---- */

/* Until all answers have left. */
void mpico_rma_until_answered(struct win *);

/* Open the receive. */
void mpico_rma_listen(struct win *);
/* Do what has come. */
void mpico_rma_serve(struct win *);
/* The strip's first block, if all of it is memory that `w` has at this member: in `base` of `size` bytes unless w is dynamic. NULL: no. */
char *mpico_rma_place(const struct win *, const struct strip *, char *base, uint64_t size);
/* 0, or MPICO_AGAIN: no memory for an answer. */
int mpico_rma_lock_asked(struct win *, int source, const struct rma_ask *);
int mpico_rma_unlock_asked(struct win *, int source, const struct rma_ask *);
/* A task for an answer to `source`. NULL: no memory. */
struct rma_task *mpico_rma_task_for(struct win *, size_t more, int source, int tag);
/* One of them has left: what was asked and found no memory may be done now. */
void mpico_rma_resume(struct win *);
/* Answer with an error class. 0, or MPICO_AGAIN. */
int mpico_rma_verdict(struct win *, int source, int tag, int error);
/* A task with the answer in more[]: send it. */
void mpico_rma_answer(struct rma_task *, const void *buf, size_t bytes);

/* The strips' memory = data op memory, element by element; what was there goes to `old` (NULL: nowhere). All places have been
 * checked. Linked with the calls that accumulate, which all members then have. */
OPTIONAL void mpico_rma_apply(const struct rma_ask *, const struct strip *, char *const *at, const char *data,
                              char *old);
OPTIONAL void mpico_rma_swap(const struct strip *, char *at, const char *data, char *old);
/* The data of an accumulate is not sent. */
static inline int rma_no_data(const struct rma_ask *a) { return a->kind == RMA_ACCUMULATE && a->op == RMA_NO_OP; }

/* ---- Pairs with gaps: pairs.c, linked with the calls that accumulate ---- */

/* The type, if its elements have gaps; else NULL. */
static inline const struct type *rma_gapped(const struct type *basic)
{
    return basic && basic->size != basic->extent ? basic : NULL;
}
/* As mpico_strip_find(): whole elements, as they lie in memory. `done` and `left` count them so, too. */
OPTIONAL void mpico_rma_pairs_find(const struct type *, const struct type *pair, size_t done, size_t left,
                                   struct strip *);
/* From the program's memory to a block, and back. */
OPTIONAL void mpico_rma_pairs_gather(const struct rma_data *, const struct type *pair, size_t done, char *, size_t len);
OPTIONAL void mpico_rma_pairs_scatter(const struct rma_data *, const struct type *pair, size_t done, const char *,
                                      size_t len);
/* What was fetched, to where the program wants it. */
static inline void rma_give(const struct rma_data *to, const struct type *gapped, size_t done, const char *in,
                            size_t len)
{
    if (gapped)
        mpico_rma_pairs_scatter(to, gapped, done, in, len);
    else
        mpico_type_unpack(to->type, to->buf, done, in, len);
}

/* ---- Memory that is used directly ---- */

int mpico_rma_direct(struct win *, const struct rma_call *);
OPTIONAL int mpico_rma_direct_accumulate(struct win *, const struct rma_call *);
/* The next message of a call from packed byte `done` on: ask and strips; the bytes they hold, at most `most`. */
size_t mpico_rma_fill(struct rma_ask *, struct strip *, const struct rma_call *, size_t done, size_t most);
/* Its data, packed. */
void mpico_rma_data(const struct rma_call *, size_t done, char *out, size_t len);

#endif
