/* rma_accumulate.c: operations that combine (MPI 5.0, sections 12.3.3 to 12.3.5): with the target's elements, and perhaps fetching what
 * was there.
 */
#include "../coll/op.h"
#include "../rma/accumulate.h"
#include "../type/make.h"
#include "rma.h"

/* A call as it comes. */
struct args {
    struct rma_buffer origin, result;
    struct rma_target target;
    MPI_Op op;
    int fetches;
    MPI_Request *request;
    int wants_request;
};

static int check_elements(struct rank *r, const char *name, const struct rma_buffer *b, struct rma_data *d)
{
    int e;
    if ((e = check_count(r, b->count, name)) || (e = check_type(r, b->type, &d->type)) ||
        (e = check_buffer(r, b->buf, (size_t)b->count, d->type, name)))
        return e;
    d->buf = (void *)(uintptr_t)b->buf;
    d->count = (size_t)b->count;
    if (!mpico_type_basic(d->type) && d->type->size)
        return mpico_fault(r, MPI_ERR_TYPE, "%s: the datatype has elements of several kinds", name);
    return MPI_SUCCESS;
}

/* The same elements as `basic`, under whatever name. */
static int check_alike(struct rank *r, const struct type *basic, const struct rma_data *d, const char *name)
{
    const struct type *t = mpico_type_basic(d->type);
    if (t && (t->class != basic->class || t->size != basic->size || t->extent != basic->extent))
        return mpico_fault(r, MPI_ERR_TYPE, "%s: has elements of %s, the target of %s", name, t->name, basic->name);
    return MPI_SUCCESS;
}

/* As they move: of elements with gaps more than the data. */
static size_t bytes_of(const struct rma_data *d, const struct type *basic)
{
    return d->count * d->type->size / basic->size * mpico_rma_unit(basic);
}

/* Of nothing any operation may be asked. */
static int check_rma_op(struct rank *r, MPI_Op handle, const struct type *basic, size_t count, const struct op **op)
{
    uintptr_t value = (uintptr_t)handle;
    *op = value < 0x1000 ? mpico_op_of(value) : NULL;
    if (!*op)
        return mpico_fault(r, MPI_ERR_OP, "op: is not one of the standard's operations");
    if (count && !mpico_op_valid(*op, basic))
        return mpico_fault(r, MPI_ERR_OP, "op: %s does not apply to %s", (*op)->name, basic->name);
    if (r->settings.checking)
        api_op_beyond(r, *op, basic);
    return MPI_SUCCESS;
}

static int same_length(struct rank *r, size_t here, size_t there)
{
    if (here == there)
        return MPI_SUCCESS;
    return mpico_fault(r, MPI_ERR_COUNT, "origin_count: %z bytes are to be combined with %z bytes at the target", here,
                       there);
}

/* All of a call but its window and target rank. */
static int check_data_of(struct rank *r, const struct args *a, struct rma_call *x)
{
    const struct rma_buffer there = {r, a->target.count, a->target.type}; /* any address: it is not one of ours */
    int e = check_elements(r, "target_datatype", &there, &x->there);
    if (e)
        return e;
    x->basic = x->there.type->size ? mpico_type_basic(x->there.type) : &mpico_type_byte;
    if ((e = check_rma_op(r, a->op, x->basic, x->there.count, &x->op)))
        return e;
    x->unit = mpico_rma_unit(x->basic);
    x->bytes = bytes_of(&x->there, x->basic);
    if (a->op != MPI_NO_OP && ((e = check_elements(r, "origin_addr", &a->origin, &x->from)) ||
                               (e = check_alike(r, x->basic, &x->from, "origin_datatype")) ||
                               (e = same_length(r, bytes_of(&x->from, x->basic), x->bytes))))
        return e;
    if (!a->fetches)
        return MPI_SUCCESS;
    if ((e = check_elements(r, "result_addr", &a->result, &x->to)) ||
        (e = check_alike(r, x->basic, &x->to, "result_datatype")))
        return e;
    return rma_check_fits(r, x->bytes, bytes_of(&x->to, x->basic));
}

static int accumulate(struct rank *r, const struct args *a, MPI_Win win)
{
    struct win *w = NULL;
    struct rma_call x = {.kind = RMA_ACCUMULATE};
    MPI_Request *request = a->wants_request ? a->request : NULL;
    int e, nobody = 0;
    if ((e = check_win(r, win, &w)) || (a->wants_request && (e = check_pointer(r, request, "request"))) ||
        (e = rma_check_target(r, w, &a->target, &x, &nobody)))
        return api_win_end(r, w, e);
    if (nobody)
        return rma_start(r, w, NULL, request, 0);
    if (!(e = check_data_of(r, a, &x)))
        e = rma_check_place(r, w, &a->target, &x);
    return rma_start(r, w, &x, request, e);
}

#pragma weak MPI_Accumulate = PMPI_Accumulate
int PMPI_Accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
                    MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win)
{
    struct rank *r = api_enter("MPI_Accumulate");
    const struct args a = {.origin = {origin_addr, origin_count, origin_datatype},
                           .target = {target_rank, target_disp, target_count, target_datatype},
                           .op = op};
    return accumulate(r, &a, win);
}

#pragma weak MPI_Accumulate_c = PMPI_Accumulate_c
int PMPI_Accumulate_c(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
                      MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op,
                      MPI_Win win)
{
    struct rank *r = api_enter("MPI_Accumulate_c");
    const struct args a = {.origin = {origin_addr, origin_count, origin_datatype},
                           .target = {target_rank, target_disp, target_count, target_datatype},
                           .op = op};
    return accumulate(r, &a, win);
}

#pragma weak MPI_Raccumulate = PMPI_Raccumulate
int PMPI_Raccumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
                     MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win,
                     MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Raccumulate");
    const struct args a = {.origin = {origin_addr, origin_count, origin_datatype},
                           .target = {target_rank, target_disp, target_count, target_datatype},
                           .op = op,
                           .request = request,
                           .wants_request = 1};
    return accumulate(r, &a, win);
}

#pragma weak MPI_Raccumulate_c = PMPI_Raccumulate_c
int PMPI_Raccumulate_c(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
                       MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op,
                       MPI_Win win, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Raccumulate_c");
    const struct args a = {.origin = {origin_addr, origin_count, origin_datatype},
                           .target = {target_rank, target_disp, target_count, target_datatype},
                           .op = op,
                           .request = request,
                           .wants_request = 1};
    return accumulate(r, &a, win);
}

#pragma weak MPI_Get_accumulate = PMPI_Get_accumulate
int PMPI_Get_accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, void *result_addr,
                        int result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
                        int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win)
{
    struct rank *r = api_enter("MPI_Get_accumulate");
    const struct args a = {.origin = {origin_addr, origin_count, origin_datatype},
                           .result = {result_addr, result_count, result_datatype},
                           .target = {target_rank, target_disp, target_count, target_datatype},
                           .op = op,
                           .fetches = 1};
    return accumulate(r, &a, win);
}

#pragma weak MPI_Get_accumulate_c = PMPI_Get_accumulate_c
int PMPI_Get_accumulate_c(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype,
                          void *result_addr, MPI_Count result_count, MPI_Datatype result_datatype, int target_rank,
                          MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op,
                          MPI_Win win)
{
    struct rank *r = api_enter("MPI_Get_accumulate_c");
    const struct args a = {.origin = {origin_addr, origin_count, origin_datatype},
                           .result = {result_addr, result_count, result_datatype},
                           .target = {target_rank, target_disp, target_count, target_datatype},
                           .op = op,
                           .fetches = 1};
    return accumulate(r, &a, win);
}

#pragma weak MPI_Rget_accumulate = PMPI_Rget_accumulate
int PMPI_Rget_accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, void *result_addr,
                         int result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
                         int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Rget_accumulate");
    const struct args a = {.origin = {origin_addr, origin_count, origin_datatype},
                           .result = {result_addr, result_count, result_datatype},
                           .target = {target_rank, target_disp, target_count, target_datatype},
                           .op = op,
                           .fetches = 1,
                           .request = request,
                           .wants_request = 1};
    return accumulate(r, &a, win);
}

#pragma weak MPI_Rget_accumulate_c = PMPI_Rget_accumulate_c
int PMPI_Rget_accumulate_c(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype,
                           void *result_addr, MPI_Count result_count, MPI_Datatype result_datatype, int target_rank,
                           MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op,
                           MPI_Win win, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Rget_accumulate_c");
    const struct args a = {.origin = {origin_addr, origin_count, origin_datatype},
                           .result = {result_addr, result_count, result_datatype},
                           .target = {target_rank, target_disp, target_count, target_datatype},
                           .op = op,
                           .fetches = 1,
                           .request = request,
                           .wants_request = 1};
    return accumulate(r, &a, win);
}

/* ---- One element ---- */

static int check_predefined(struct rank *r, MPI_Datatype handle, const struct type **type)
{
    int e = check_type(r, handle, type);
    if (e || (*type)->predefined)
        return e;
    return mpico_fault(r, MPI_ERR_TYPE, "datatype: must be a predefined one here");
}

#pragma weak MPI_Fetch_and_op = PMPI_Fetch_and_op
int PMPI_Fetch_and_op(const void *origin_addr, void *result_addr, MPI_Datatype datatype, int target_rank,
                      MPI_Aint target_disp, MPI_Op op, MPI_Win win)
{
    struct rank *r = api_enter("MPI_Fetch_and_op");
    const struct args a = {.origin = {origin_addr, 1, datatype},
                           .result = {result_addr, 1, datatype},
                           .target = {target_rank, target_disp, 1, datatype},
                           .op = op,
                           .fetches = 1};
    struct win *w = NULL;
    const struct type *t = NULL;
    int e;
    if (target_rank != MPI_PROC_NULL && ((e = check_win(r, win, &w)) || (e = check_predefined(r, datatype, &t))))
        return api_win_end(r, w, e);
    return accumulate(r, &a, win);
}

/* What can be compared as it lies there. */
static int check_comparable(struct rank *r, MPI_Datatype handle, const struct type **type)
{
    int e = check_predefined(r, handle, type);
    if (e || (*type)->class <= TYPE_UNSIGNED || (*type)->class == TYPE_LOGICAL)
        return e;
    return mpico_fault(r, MPI_ERR_TYPE, "datatype: %s is not for comparing (integers, logicals and bytes are)",
                       (*type)->name);
}

#pragma weak MPI_Compare_and_swap = PMPI_Compare_and_swap
int PMPI_Compare_and_swap(const void *origin_addr, const void *compare_addr, void *result_addr, MPI_Datatype datatype,
                          int target_rank, MPI_Aint target_disp, MPI_Win win)
{
    struct rank *r = api_enter("MPI_Compare_and_swap");
    const struct rma_target t = {target_rank, target_disp, 1, datatype};
    const void *values[2] = {compare_addr, origin_addr};
    struct rma_call x = {.kind = RMA_SWAP};
    const struct type *type = NULL;
    struct win *w = NULL;
    int e, nobody = 0;
    if ((e = check_win(r, win, &w)) || (e = rma_check_target(r, w, &t, &x, &nobody)) || nobody)
        return api_win_end(r, w, e);
    if ((e = check_comparable(r, datatype, &type)) || (e = check_buffer(r, origin_addr, 1, type, "origin_addr")) ||
        (e = check_buffer(r, compare_addr, 1, type, "compare_addr")) ||
        (e = check_buffer(r, result_addr, 1, type, "result_addr")))
        return api_win_end(r, w, e);
    x.bytes = x.unit = type->size;
    x.from = (struct rma_data){values, 1, type};
    x.to = (struct rma_data){result_addr, 1, type};
    x.there = (struct rma_data){NULL, 1, type};
    return rma_start(r, w, &x, NULL, rma_check_place(r, w, &t, &x));
}
