/* kernels.h: the loops of the predefined operations, found by operation and datatype. */
#ifndef MPICO_KERNELS_H
#define MPICO_KERNELS_H

#include <stddef.h>

#include "../type/type.h"

/* In the order of op.c's table. */
enum op_index {
    OP_SUM,
    OP_MIN,
    OP_MAX,
    OP_PROD,
    OP_BAND,
    OP_BOR,
    OP_BXOR,
    OP_LAND,
    OP_LOR,
    OP_LXOR,
    OP_MINLOC,
    OP_MAXLOC,
    OP_KERNELS, /* those above have loops, those below work on any datatype */
    OP_REPLACE = OP_KERNELS,
    OP_NO_OP,
    OPS
};

/* inout[i] = in[i] op inout[i] over count elements. */
typedef void kernel(const void *in, void *inout, size_t count);

/* NULL when the operation is not defined for the type. */
kernel *mpico_kernel_find(enum op_index, const struct type *);

#endif
