/* accumulate.c: operations that change memory by what is there, element by element and each as a whole (MPI 5.0, section 12.7.1). What comes as
 * a message is atomic because a member does one after the other; memory that several use directly has a lock beside it.
 */
#include <string.h>

#include "../base/copy.h"
#include "../coll/op.h"
#include "accumulate.h"
#include "mpi.h"
#include "task.h"

/* Both files are linked with what names this one: the rest of both is named weakly. */
size_t mpico_rma_unit(const struct type *basic) { return mpico_rma_pairs_unit(basic); }

/* Elements at an address that the compiler would not have given them go through a place that it has. Of those with gaps there is
 * one (pairs.c). */
static void reduce(const struct op *op, const struct type *t, const char *data, char *at, size_t count)
{
    _Alignas(16) char element[64];
    size_t unit = mpico_rma_unit(t), align = t->align ? t->align : 1;
    if ((((uintptr_t)at | (uintptr_t)data) & (align - 1)) == 0) {
        mpico_op_apply(op, t, data, at, count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        memcpy(element, at + i * unit, unit);
        memcpy(element + sizeof element / 2, data + i * unit, unit);
        mpico_op_apply(op, t, element + sizeof element / 2, element, 1);
        memcpy(at + i * unit, element, unit);
    }
}

void mpico_rma_apply(const struct rma_ask *ask, const struct strip *strip, char *const *at, const char *data, char *old)
{
    const struct op *op = mpico_op_of(ask->op);
    const struct type *t = mpico_type_of(ask->type);
    for (uint32_t i = 0; i < ask->strips; i++) {
        const struct strip *s = &strip[i];
        size_t len = (size_t)s->len;
        if (old)
            old = mpico_strip_gather(s, at[i], old);
        if (!op || !t || !op->predefined || !mpico_op_valid(op, t) || rma_no_data(ask))
            continue;
        for (uint64_t k = 0; k < s->count; k++, data += len)
            reduce(op, t, data, at[i] + (ptrdiff_t)k * (ptrdiff_t)s->stride, len / mpico_rma_unit(t));
    }
}

void mpico_rma_swap(const struct strip *s, char *at, const char *data, char *old)
{
    size_t len = (size_t)s->len;
    memcpy(old, at, len);
    if (memcmp(at, data, len) == 0)
        memcpy(at, data + len, len);
}

/* ---- Directly ---- */

/* One byte of the segment's first lines, a line a member. Held for one piece, without waiting for anything. */
static void lock(const struct win *w, int target)
{
    if (SMALL || !w->shared)
        return;
    char *word = w->segment + (size_t)target * RMA_LOCK_BYTES;
    while (__atomic_test_and_set(word, __ATOMIC_ACQUIRE))
        while (__atomic_load_n(word, __ATOMIC_RELAXED))
            ;
}

static void unlock(const struct win *w, int target)
{
    if (!SMALL && w->shared)
        __atomic_clear(w->segment + (size_t)target * RMA_LOCK_BYTES, __ATOMIC_RELEASE);
}

/* What one message would ask for is done here. */
static size_t piece(struct win *w, const struct rma_call *x, size_t done)
{
    _Alignas(16) char data[RMA_SHORT], old[RMA_SHORT];
    struct rma_ask ask;
    struct strip strip[RMA_STRIPS];
    char *at[RMA_STRIPS];
    const struct rma_peer *peer = &w->peer[x->target];
    size_t bytes = mpico_rma_fill(&ask, strip, x, done, sizeof data / 2);
    for (uint32_t i = 0; i < ask.strips; i++)
        at[i] = mpico_rma_place(w, &strip[i], peer->local, peer->size);
    if (!rma_no_data(&ask))
        mpico_rma_data(x, done, data, bytes);
    lock(w, x->target);
    if (x->kind == RMA_SWAP)
        mpico_rma_swap(strip, mpico_rma_place(w, strip, peer->local, peer->size), data, old);
    else
        mpico_rma_apply(&ask, strip, at, data, x->to.type ? old : NULL);
    unlock(w, x->target);
    if (x->to.type)
        rma_give(&x->to, rma_gapped(x->basic), done, old, bytes);
    return bytes;
}

int mpico_rma_direct_accumulate(struct win *w, const struct rma_call *x)
{
    for (size_t done = 0; done < x->bytes;)
        done += piece(w, x, done);
    return 0;
}
