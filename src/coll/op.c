/* op.c: reduction operations: the standard's by number, the program's own by address. */
#include "op.h"

#include <limits.h>

#include "../core/rank.h"
#include "../cost.h"
#include "kernels.h"

enum { FIRST_HANDLE = 0x20, LAST_HANDLE = 0x3f, LOWEST_ADDRESS = 0x1000 };

#define PREDEFINED(op, number) [OP_##op] = {OP_MAGIC, 1, 1, 1, number, NULL, NULL, "MPI_" #op}
static const struct op table[OPS] = {
    PREDEFINED(SUM, 0x21),
    PREDEFINED(MIN, 0x22),
    PREDEFINED(MAX, 0x23),
    PREDEFINED(PROD, 0x24),
    PREDEFINED(BAND, 0x28),
    PREDEFINED(BOR, 0x29),
    PREDEFINED(BXOR, 0x2a),
    PREDEFINED(LAND, 0x30),
    PREDEFINED(LOR, 0x31),
    PREDEFINED(LXOR, 0x32),
    PREDEFINED(MINLOC, 0x38),
    PREDEFINED(MAXLOC, 0x39),
    [OP_REPLACE] = {OP_MAGIC, 1, 0, 1, 0x3c, NULL, NULL, "MPI_REPLACE"},
    [OP_NO_OP] = {OP_MAGIC, 1, 0, 1, 0x3d, NULL, NULL, "MPI_NO_OP"},
};

#define PLACE(op, number) [(number)-FIRST_HANDLE] = OP_##op + 1
static const uint8_t place[LAST_HANDLE - FIRST_HANDLE + 1] = {
    PLACE(SUM, 0x21),    PLACE(MIN, 0x22),    PLACE(MAX, 0x23),     PLACE(PROD, 0x24),  PLACE(BAND, 0x28),
    PLACE(BOR, 0x29),    PLACE(BXOR, 0x2a),   PLACE(LAND, 0x30),    PLACE(LOR, 0x31),   PLACE(LXOR, 0x32),
    PLACE(MINLOC, 0x38), PLACE(MAXLOC, 0x39), PLACE(REPLACE, 0x3c), PLACE(NO_OP, 0x3d),
};

const struct op *mpico_op_of(uintptr_t handle)
{
    if (handle >= FIRST_HANDLE && handle <= LAST_HANDLE) {
        unsigned at = place[handle - FIRST_HANDLE];
        return at ? &table[at - 1] : NULL;
    }
    if (handle < LOWEST_ADDRESS || handle % _Alignof(struct op))
        return NULL;
    const struct op *op = (const struct op *)handle;
    return op->magic == OP_MAGIC ? op : NULL;
}

static enum op_index index_of(const struct op *op) { return (enum op_index)(op - table); }

int mpico_op_valid(const struct op *op, const struct type *t)
{
    return !op->predefined || index_of(op) >= OP_KERNELS || mpico_kernel_find(index_of(op), t) != NULL;
}

/* A function that takes an int gets a longer array in pieces. */
static void apply_user(const struct op *op, const struct type *t, const void *in, void *inout, size_t count)
{
    uintptr_t handle = t->predefined ? t->handle : (uintptr_t)t;
    if (op->user_c) {
        int64_t n = (int64_t)count;
        op->user_c((void *)(uintptr_t)in, inout, &n, &handle);
        return;
    }
    for (size_t done = 0; done < count;) {
        size_t rest = count - done;
        int n = rest > INT_MAX ? INT_MAX : (int)rest;
        /* The standard's prototype has no const, though the function may not write there. */
        op->user((char *)(uintptr_t)in + done * t->extent, (char *)inout + done * t->extent, &n, &handle);
        done += rest > INT_MAX ? INT_MAX : rest;
    }
}

void mpico_op_apply(const struct op *op, const struct type *t, const void *in, void *inout, size_t count)
{
    cost(COST_REDUCE, count * t->size);
    if (!op->predefined) {
        apply_user(op, t, in, inout, count);
        return;
    }
    enum op_index index = index_of(op);
    if (index == OP_REPLACE)
        mpico_type_copy(t, in, inout, count);
    else if (index != OP_NO_OP)
        mpico_kernel_find(index, t)(in, inout, count);
}

void mpico_op_keep(const struct op *op)
{
    if (!op->predefined)
        ((struct op *)(uintptr_t)op)->refs++;
}

void mpico_op_release(struct rank *r, const struct op *op)
{
    struct op *own = (struct op *)(uintptr_t)op;
    if (op->predefined || --own->refs > 0)
        return;
    own->magic = 0;
    mpico_heap_free(&r->heap, own);
}
