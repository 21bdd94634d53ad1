/* direct.c: operations on memory that this process can load and store itself. */
#include <string.h>

#include "../base/copy.h"
#include "mpi.h"
#include "task.h"

enum { PIECE = RMA_SHORT };

/* The target's elements as an address. In a dynamic window displacements are addresses already. */
static void *there(const struct win *w, const struct rma_call *x)
{
    return (void *)(w->dynamic ? (uintptr_t)x->at : (uintptr_t)w->peer[x->target].local + (uintptr_t)x->at);
}

/* From one layout to another. */
static void copy(const struct rma_data *from, const struct rma_data *to, size_t bytes)
{
    char piece[PIECE];
    if (from->type->contiguous && to->type->contiguous) {
        if (bytes && from->buf != to->buf)
            mpico_copy(to->buf, from->buf, bytes);
        return;
    }
    for (size_t done = 0; done < bytes;) {
        size_t len = bytes - done < sizeof piece ? bytes - done : sizeof piece;
        mpico_type_pack(from->type, from->buf, done, piece, len);
        mpico_type_unpack(to->type, to->buf, done, piece, len);
        done += len;
    }
}

/* Of a dynamic window only what is attached may be used; the other kinds have been checked. */
static int attached(struct win *w, const struct rma_call *x)
{
    struct rma_ask ask;
    struct strip strip[RMA_STRIPS];
    for (size_t done = 0; w->dynamic && done < x->bytes;) {
        done += mpico_rma_fill(&ask, strip, x, done, x->bytes);
        for (uint32_t i = 0; i < ask.strips; i++)
            if (!mpico_rma_place(w, &strip[i], NULL, 0))
                return mpico_fault(w->rank, MPI_ERR_RMA_RANGE,
                                   "target_disp: memory that is not attached to the window");
    }
    return 0;
}

int mpico_rma_direct(struct win *w, const struct rma_call *x)
{
    struct rma_data target = {there(w, x), x->there.count, x->there.type};
    int e = attached(w, x);
    if (e)
        return e;
    mpico_cost_settle();
    if (x->kind == RMA_PUT)
        copy(&x->from, &target, x->bytes);
    else if (x->kind == RMA_GET)
        copy(&target, &x->to, x->bytes);
    else
        return mpico_rma_direct_accumulate(w, x);
    return 0;
}
