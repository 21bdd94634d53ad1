/* op.h: reduction operations: the standard's, and the program's own. */
#ifndef MPICO_OP_H
#define MPICO_OP_H

#include <stddef.h>
#include <stdint.h>

#include "../type/type.h"

struct rank;

enum { OP_MAGIC = 0x6f707631 };

/* The program's function, as MPI_User_function, with the datatype's handle as a pointer-sized value. */
typedef void op_function(void *in, void *inout, int *len, uintptr_t *type_handle);
typedef void op_function_c(void *in, void *inout, int64_t *len, uintptr_t *type_handle);

struct op {
    uint32_t magic;
    uint8_t predefined, commutative;
    uint32_t refs; /* the handle and every collective under way */
    uintptr_t handle;
    op_function *user;
    op_function_c *user_c; /* instead */
    const char *name;
};

/* The operation of an ABI handle value, NULL if none. */
const struct op *mpico_op_of(uintptr_t handle);
/* 1 if the operation is defined for the type. A user's operation is for any type. */
int mpico_op_valid(const struct op *, const struct type *);
/* inout[i] = in[i] op inout[i], in that order. Neither array may overlap the other. Calls the
 * program's function for a user operation, in pieces when count exceeds INT_MAX. */
void mpico_op_apply(const struct op *, const struct type *, const void *in, void *inout, size_t count);

/* A collective under way holds a reference to its operation; the program may free the handle meanwhile.
 * Nothing happens to predefined ones. */
void mpico_op_keep(const struct op *);
void mpico_op_release(struct rank *, const struct op *);

#endif
