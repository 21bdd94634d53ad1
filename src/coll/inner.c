/* inner.c: see inner.h. */
#include "inner.h"

#include <string.h>

#include "../core/progress.h"
#include "coll.h"
#include "mpi.h"
#include "op.h"

static int run(struct rank *r, struct comm *c, coll_build *build, const struct coll_call *call)
{
    struct schedule *s = mpico_schedule_alloc(r, c);
    if (s) {
        s->op = call->op;
        build(s, call);
    }
    if (!s || s->error) {
        if (s)
            mpico_schedule_free(s);
        return mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a message to all members");
    }
    struct request q;
    memset(&q, 0, sizeof q);
    mpico_schedule_start(s, &q);
    mpico_wait(r, &q);
    return q.error;
}

int mpico_inner_barrier(struct rank *r, struct comm *c)
{
    struct coll_call x = {.what = COLL_BARRIER};
    return run(r, c, mpico_barrier_dissemination, &x);
}

int mpico_inner_allgather(struct rank *r, struct comm *c, void *all, size_t each)
{
    struct coll_call x = {
        .what = COLL_ALLGATHER, .in_place = 1, .recv = {.buf = all, .count = each, .type = &mpico_type_byte}};
    return run(r, c, SMALL ? mpico_allgather_linear : mpico_allgather_bruck, &x); /* the one that is there anyway */
}

/* Errors are bytes here, which no algorithm cuts. */
static void worse(void *in, void *inout, int *len, uintptr_t *type)
{
    const unsigned char *from = in;
    unsigned char *to = inout;
    (void)type;
    for (int i = 0; i < *len; i++)
        to[i] = from[i] > to[i] ? from[i] : to[i];
}

int mpico_inner_worst(struct rank *r, struct comm *c, int e)
{
    /* Not const: the schedule counts its references. */
    struct op op = {.magic = OP_MAGIC, .commutative = 1, .refs = 1, .user = worse};
    unsigned char worst = (unsigned char)e;
    struct coll_call x = {.what = COLL_ALLREDUCE,
                          .op = &op,
                          .in_place = 1,
                          .recv = {.buf = &worst, .count = 1, .type = &mpico_type_byte}};
    int failed = run(r, c, mpico_allreduce_doubling, &x);
    if (failed || e)
        return e ? e : failed;
    return worst ? mpico_fault(r, worst, "another rank of the communicator has met this") : 0;
}

int mpico_inner_bcast(struct rank *r, struct comm *c, void *buf, size_t bytes, int root)
{
    struct coll_call x = {
        .what = COLL_BCAST, .root = root, .recv = {.buf = buf, .count = bytes, .type = &mpico_type_byte}};
    return run(r, c, mpico_bcast_binomial, &x);
}
