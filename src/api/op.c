/* op.c: the program's own reduction operations, and reduction without communication. */
#include "../coll/op.h"

#include "../base/text.h"
#include "../core/held.h"
#include "api.h"
#include "state.h"

/* MPI_REPLACE and MPI_NO_OP say what a one-sided operation does to its target; they reduce nothing. */
static int reduces(const struct op *op)
{
    return op->handle != (uintptr_t)MPI_REPLACE && op->handle != (uintptr_t)MPI_NO_OP;
}

static int find_op(struct rank *r, MPI_Op handle, const struct op **op)
{
    if (handle == MPI_OP_NULL)
        return mpico_fault(r, MPI_ERR_OP, "op: MPI_OP_NULL");
    uintptr_t value = (uintptr_t)handle;
    const struct op *found = value < 0x1000 || api_is_object(r, value) ? mpico_op_of(value) : NULL;
    if (!found)
        return mpico_fault(r, MPI_ERR_OP, "op: not an operation (freed, or never set?)");
    *op = found;
    return MPI_SUCCESS;
}

void api_op_beyond(struct rank *r, const struct op *op, const struct type *t)
{
    enum { LINE_ROOM = 160 };
    struct api *api = api_state(r);
    uintptr_t type = t->handle;
    int of_characters = type == (uintptr_t)MPI_CHAR || type == (uintptr_t)MPI_CHARACTER;
    if (!of_characters || !op->predefined || !reduces(op) || api->said_char || !r->machine->say)
        return;
    char line[LINE_ROOM];
    api->said_char = 1;
    mpico_text_format(line, sizeof line,
                      "notice: %s: the standard has no %s of %s; MPI_SIGNED_CHAR and MPI_UNSIGNED_CHAR are numbers",
                      r->call, op->name, t->name);
    r->machine->say(r, line);
}

int check_op(struct rank *r, MPI_Op handle, const struct type *type, const struct op **op)
{
    const struct op *found = NULL;
    int e = find_op(r, handle, &found);
    if (e)
        return e;
    if (!reduces(found))
        return mpico_fault(r, MPI_ERR_OP, "op: %s is for one-sided communication only", found->name);
    if (!mpico_op_valid(found, type))
        return mpico_fault(r, MPI_ERR_OP, "op: %s does not apply to %s", found->name,
                           type->name ? type->name
                           : SMALL    ? "the datatype"
                                      : "a derived datatype");
    if (!SMALL && __builtin_expect(r->settings.checking, 0))
        api_op_beyond(r, found, type);
    *op = found;
    return MPI_SUCCESS;
}

/* One of the functions is given. */
static int create(struct rank *r, op_function *user, op_function_c *user_c, int commute, MPI_Op *op)
{
    int e;
    if (!user && !user_c)
        return api_error(r, NULL, mpico_fault(r, MPI_ERR_ARG, "user_fn: a null function"));
    if ((e = check_pointer(r, op, "op")))
        return api_error(r, NULL, e);
    struct op *made = mpico_heap_alloc(&r->heap, sizeof *made);
    if (!made)
        return api_error(r, NULL, mpico_fault(r, MPI_ERR_NO_MEM, "no memory for an operation"));
    *made = (struct op){.magic = OP_MAGIC,
                        .commutative = commute != 0,
                        .refs = 1,
                        .handle = (uintptr_t)made,
                        .user = user,
                        .user_c = user_c,
                        .name = "a user's operation"};
    held_add(r, HELD_OP, made);
    *op = (MPI_Op)(void *)made;
    return MPI_SUCCESS;
}

/* The function types here and in mpi.h differ in how they spell a handle: a pointer, or a number of its size. */

#pragma weak MPI_Op_create = PMPI_Op_create
int PMPI_Op_create(MPI_User_function *function, int commute, MPI_Op *op)
{
    struct rank *r = api_enter("MPI_Op_create");
    return create(r, (op_function *)(void (*)(void))function, NULL, commute, op);
}

#pragma weak MPI_Op_create_c = PMPI_Op_create_c
int PMPI_Op_create_c(MPI_User_function_c *function, int commute, MPI_Op *op)
{
    struct rank *r = api_enter("MPI_Op_create_c");
    return create(r, NULL, (op_function_c *)(void (*)(void))function, commute, op);
}

#pragma weak MPI_Op_free = PMPI_Op_free
int PMPI_Op_free(MPI_Op *op)
{
    struct rank *r = api_enter("MPI_Op_free");
    const struct op *found = NULL;
    int e;
    if ((e = check_pointer(r, op, "op")) || (e = find_op(r, *op, &found)))
        return api_error(r, NULL, e);
    if (found->predefined)
        return api_error(r, NULL, mpico_fault(r, MPI_ERR_OP, "op: %s is predefined and not to be freed", found->name));
    held_drop(r, found);
    mpico_op_release(r, found);
    *op = MPI_OP_NULL;
    return MPI_SUCCESS;
}

#pragma weak MPI_Op_commutative = PMPI_Op_commutative
int PMPI_Op_commutative(MPI_Op op, int *commute)
{
    struct rank *r = api_enter("MPI_Op_commutative");
    const struct op *found = NULL;
    int e;
    if ((e = find_op(r, op, &found)) || (e = check_pointer(r, commute, "commute")))
        return api_error(r, NULL, e);
    *commute = found->commutative;
    return MPI_SUCCESS;
}

static int reduce_local(struct rank *r, const void *inbuf, void *inoutbuf, MPI_Count count, MPI_Datatype type,
                        MPI_Op op)
{
    const struct type *t = NULL;
    const struct op *o = NULL;
    int e;
    if ((e = check_count(r, count, "count")) || (e = check_type(r, type, &t)) ||
        (e = check_buffer(r, inbuf, (size_t)count, t, "inbuf")) ||
        (e = check_buffer(r, inoutbuf, (size_t)count, t, "inoutbuf")) || (e = check_op(r, op, t, &o)))
        return api_error(r, NULL, e);
    if (count > 0 && inbuf == inoutbuf)
        return api_error(r, NULL, mpico_fault(r, MPI_ERR_BUFFER, "inbuf and inoutbuf are the same buffer"));
    mpico_op_apply(o, t, inbuf, inoutbuf, (size_t)count);
    return MPI_SUCCESS;
}

#pragma weak MPI_Reduce_local = PMPI_Reduce_local
int PMPI_Reduce_local(const void *inbuf, void *inoutbuf, int count, MPI_Datatype type, MPI_Op op)
{
    struct rank *r = api_enter("MPI_Reduce_local");
    return reduce_local(r, inbuf, inoutbuf, count, type, op);
}

#pragma weak MPI_Reduce_local_c = PMPI_Reduce_local_c
int PMPI_Reduce_local_c(const void *inbuf, void *inoutbuf, MPI_Count count, MPI_Datatype type, MPI_Op op)
{
    struct rank *r = api_enter("MPI_Reduce_local_c");
    return reduce_local(r, inbuf, inoutbuf, count, type, op);
}
