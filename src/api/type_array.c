/* type_array.c: pieces of arrays of several dimensions (MPI 5.0, sections 5.1.3 and 5.1.4): loops in loops, the dimension whose
 * neighbours are neighbours in memory innermost, at the place of the first element, with the extent of the whole array.
 */
#include "type_make.h"

/* A piece that grows by one dimension at a time. */
struct piece {
    struct rank *rank;
    const struct type *type; /* so far; it is the piece's own once one dimension is in it */
    ptrdiff_t slice;         /* bytes from one index of the next dimension to the next index */
    ptrdiff_t offset;        /* of the first element */
    int error;
};

/* The new type in place of the one it was made of, which it keeps. */
static void replace(struct piece *p, int e, struct own_type *made, const struct type *first)
{
    if (p->type != first)
        mpico_type_release_own(&p->rank->heap, p->type);
    p->error = e;
    if (!e)
        p->type = &made->type;
}

/* A run of indices: `count` blocks of `len` from `start` on, the blocks `step` apart. */
struct indices {
    ptrdiff_t start, count, len, step;
};

static int make_run(const struct piece *p, const struct indices *i, struct own_type **made)
{
    struct heap *h = &p->rank->heap;
    struct own_type *block = NULL;
    ptrdiff_t stride;
    int e = mpico_type_make_repeat(h, p->type, (size_t)i->len, 1, p->slice, &block);
    if (e)
        return e;
    e = __builtin_mul_overflow(i->step, p->slice, &stride)
            ? TYPE_OVERFLOWS
            : mpico_type_make_repeat(h, &block->type, (size_t)i->count, 1, stride, made);
    mpico_type_release_own(h, &block->type);
    return e;
}

/* Cyclic distributions may end in a shorter block. */
static int make_tail(const struct piece *p, const struct indices *i, ptrdiff_t tail, struct own_type **made)
{
    struct heap *h = &p->rank->heap;
    struct own_type *whole = NULL, *rest = NULL;
    const struct indices last = {0, 1, tail, 0};
    int e = make_run(p, i, &whole);
    if (!e)
        e = make_run(p, &last, &rest);
    if (!e) {
        /* No overflow: it is inside the array. */
        const ptrdiff_t places[2] = {0, i->count * i->step * p->slice};
        const struct type *const types[2] = {&whole->type, &rest->type};
        const struct blocks b = {
            .count = 2, .lens = just(1), .places = {.at = places, .width = sizeof *places}, .unit = 1, .types = types};
        e = mpico_type_make_blocks(h, &b, made);
    }
    if (whole)
        mpico_type_release_own(h, &whole->type);
    if (rest)
        mpico_type_release_own(h, &rest->type);
    return e;
}

/* One more dimension of `size`, and of it these indices, `tail` more behind the blocks. */
static void grow(struct piece *p, const struct type *old, ptrdiff_t size, const struct indices *i, ptrdiff_t tail)
{
    struct own_type *made = NULL;
    ptrdiff_t slice, offset;
    if (p->error)
        return;
    if (__builtin_mul_overflow(p->slice, size, &slice) || __builtin_mul_overflow(i->start, p->slice, &offset) ||
        __builtin_add_overflow(p->offset, offset, &p->offset)) {
        p->error = TYPE_OVERFLOWS;
        return;
    }
    int e = tail ? make_tail(p, i, tail, &made) : make_run(p, i, &made);
    if (!e) {
        replace(p, e, made, old);
        p->slice = slice;
    }
    p->error = e;
}

/* At its place, with the bounds of the array. */
static int finish(struct piece *p, const struct type *old, struct own_type **made)
{
    struct own_type *placed = NULL;
    struct heap *h = &p->rank->heap;
    const struct blocks b = {
        .count = 1, .lens = just(1), .places = just(p->offset), .unit = 1, .types = &p->type, .one_type = 1};
    if (!p->error)
        p->error = mpico_type_make_blocks(h, &b, &placed);
    if (!p->error) {
        p->error = mpico_type_make_resized(h, &placed->type, 0, p->slice, made);
        mpico_type_release_own(h, &placed->type);
    }
    if (p->type != old)
        mpico_type_release_own(h, p->type);
    return p->error;
}

static int check_order(struct rank *r, int order)
{
    if (order == MPI_ORDER_C || order == MPI_ORDER_FORTRAN)
        return MPI_SUCCESS;
    return mpico_fault(r, MPI_ERR_ARG, "order: %d is neither MPI_ORDER_C nor MPI_ORDER_FORTRAN", order);
}

/* The k-th dimension, from the innermost. */
static size_t inner(int order, int ndims, int k) { return (size_t)(order == MPI_ORDER_C ? ndims - 1 - k : k); }

/* ---- Subarrays ---- */

struct subarray {
    int ndims, order, large;
    struct numbers sizes, subsizes, starts;
};

static int check_subarray(struct rank *r, const struct subarray *a)
{
    int e;
    if (a->ndims < 1)
        return mpico_fault(r, MPI_ERR_ARG, "ndims: %d is less than 1", a->ndims);
    if (a->large && ((e = check_wide(r, a->ndims, a->sizes.at, "array_of_sizes")) ||
                     (e = check_wide(r, a->ndims, a->subsizes.at, "array_of_subsizes")) ||
                     (e = check_wide(r, a->ndims, a->starts.at, "array_of_starts"))))
        return e;
    if ((e = check_lengths(r, a->ndims, a->sizes, "array_of_sizes")) ||
        (e = check_lengths(r, a->ndims, a->subsizes, "array_of_subsizes")) ||
        (e = check_lengths(r, a->ndims, a->starts, "array_of_starts")) || (e = check_order(r, a->order)))
        return e;
    for (size_t i = 0; i < (size_t)a->ndims; i++)
        if (number(a->subsizes, i) < 1 || number(a->subsizes, i) > number(a->sizes, i) ||
            number(a->starts, i) > number(a->sizes, i) - number(a->subsizes, i))
            return mpico_fault(r, MPI_ERR_ARG,
                               "dimension %d: a subarray of %d from index %d on is not inside an array of %d", (int)i,
                               (int)number(a->subsizes, i), (int)number(a->starts, i), (int)number(a->sizes, i));
    return MPI_SUCCESS;
}

static int subarray(struct rank *r, const struct subarray *a, MPI_Datatype old, MPI_Datatype *newtype)
{
    const struct type *t = NULL;
    struct own_type *o = NULL;
    int e;
    if ((e = check_subarray(r, a)) || (e = check_old_type(r, old, &t, newtype)))
        return api_error(r, NULL, e);
    struct piece p = {.rank = r, .type = t, .slice = (ptrdiff_t)t->extent};
    for (int k = 0; k < a->ndims; k++) {
        size_t i = inner(a->order, a->ndims, k);
        const struct indices taken = {number(a->starts, i), 1, number(a->subsizes, i), 0};
        grow(&p, t, number(a->sizes, i), &taken, 0);
    }
    e = finish(&p, t, &o);
    struct recipe q = {.combiner = MPI_COMBINER_SUBARRAY, .large = (uint8_t)a->large, .types = &t, .types_used = 1};
    recipe_add(&q, RECIPE_INT, just(a->ndims), 1);
    recipe_add(&q, RECIPE_COUNT, a->sizes, (size_t)a->ndims);
    recipe_add(&q, RECIPE_COUNT, a->subsizes, (size_t)a->ndims);
    recipe_add(&q, RECIPE_COUNT, a->starts, (size_t)a->ndims);
    recipe_add(&q, RECIPE_INT, just(a->order), 1);
    return api_type_made(r, e, o, &q, newtype);
}

#pragma weak MPI_Type_create_subarray = PMPI_Type_create_subarray
int PMPI_Type_create_subarray(int ndims, const int array_of_sizes[], const int array_of_subsizes[],
                              const int array_of_starts[], int order, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    const struct subarray a = {ndims, order, 0, ints(array_of_sizes), ints(array_of_subsizes), ints(array_of_starts)};
    struct rank *r = api_enter("MPI_Type_create_subarray");
    return subarray(r, &a, oldtype, newtype);
}

#pragma weak MPI_Type_create_subarray_c = PMPI_Type_create_subarray_c
int PMPI_Type_create_subarray_c(int ndims, const MPI_Count array_of_sizes[], const MPI_Count array_of_subsizes[],
                                const MPI_Count array_of_starts[], int order, MPI_Datatype oldtype,
                                MPI_Datatype *newtype)
{
    const struct subarray a = {
        ndims, order, 1, counts(array_of_sizes), counts(array_of_subsizes), counts(array_of_starts)};
    struct rank *r = api_enter("MPI_Type_create_subarray_c");
    return subarray(r, &a, oldtype, newtype);
}

/* ---- Distributed arrays ---- */

struct darray {
    int size, rank, ndims, order, large;
    struct numbers gsizes;
    const int *distribs, *dargs, *psizes;
};

/* Indices of one dimension per block: given, or what spreads it evenly. 0: impossible. */
static ptrdiff_t block_length(const struct darray *a, size_t i)
{
    ptrdiff_t all = number(a->gsizes, i), ranks = a->psizes[i];
    if (a->distribs[i] == MPI_DISTRIBUTE_NONE)
        return all;
    if (a->dargs[i] != MPI_DISTRIBUTE_DFLT_DARG)
        return a->dargs[i] > 0 ? a->dargs[i] : 0;
    return a->distribs[i] == MPI_DISTRIBUTE_BLOCK ? all / ranks + (all % ranks != 0) : 1;
}

static int check_dimension(struct rank *r, const struct darray *a, size_t i)
{
    int how = a->distribs[i], block = how == MPI_DISTRIBUTE_BLOCK, none = how == MPI_DISTRIBUTE_NONE;
    if (!block && !none && how != MPI_DISTRIBUTE_CYCLIC)
        return mpico_fault(r, MPI_ERR_ARG, "array_of_distribs: %d in dimension %d is no distribution", how, (int)i);
    if (number(a->gsizes, i) < 1 || a->psizes[i] < 1 || (none && a->psizes[i] != 1))
        return mpico_fault(r, MPI_ERR_ARG, "dimension %d: %d indices cannot be distributed over %d ranks this way",
                           (int)i, (int)number(a->gsizes, i), a->psizes[i]);
    ptrdiff_t len = block_length(a, i), all;
    if (len < 1 || (block && !__builtin_mul_overflow(len, (ptrdiff_t)a->psizes[i], &all) && all < number(a->gsizes, i)))
        return mpico_fault(r, MPI_ERR_ARG, "array_of_dargs: %d in dimension %d is too small", a->dargs[i], (int)i);
    return MPI_SUCCESS;
}

static int check_darray(struct rank *r, const struct darray *a)
{
    int e, ranks = 1;
    if (a->ndims < 1)
        return mpico_fault(r, MPI_ERR_ARG, "ndims: %d is less than 1", a->ndims);
    if (a->large && (e = check_wide(r, a->ndims, a->gsizes.at, "array_of_gsizes")))
        return e;
    if ((e = check_lengths(r, a->ndims, a->gsizes, "array_of_gsizes")) ||
        (e = check_pointer(r, a->distribs, "array_of_distribs")) ||
        (e = check_pointer(r, a->dargs, "array_of_dargs")) || (e = check_pointer(r, a->psizes, "array_of_psizes")) ||
        (e = check_order(r, a->order)))
        return e;
    for (int i = 0; i < a->ndims && !e; i++) {
        e = check_dimension(r, a, (size_t)i);
        if (!e && __builtin_mul_overflow(ranks, a->psizes[i], &ranks))
            ranks = -1;
    }
    if (!e && (ranks != a->size || a->rank < 0 || a->rank >= a->size))
        e = mpico_fault(r, MPI_ERR_ARG, "size, rank: %d and %d do not go with array_of_psizes", a->size, a->rank);
    return e;
}

/* The rank's coordinate in dimension i; ranks are numbered with the last dimension fastest, whatever the order of the array. */
static ptrdiff_t coordinate(const struct darray *a, size_t i)
{
    int rest = a->rank;
    for (size_t k = (size_t)a->ndims - 1; k > i; k--)
        rest /= a->psizes[k];
    return rest % a->psizes[i];
}

static void grow_distributed(struct piece *p, const struct type *t, const struct darray *a, size_t i)
{
    ptrdiff_t all = number(a->gsizes, i), ranks = a->psizes[i], len = block_length(a, i), at = coordinate(a, i);
    if (len < 1)
        return;                                    /* check_dimension() has refused it */
    ptrdiff_t whole = all / len, tail = all % len; /* blocks of the dimension, and a shorter one */
    struct indices mine = {at * len, whole / ranks + (at < whole % ranks), len, whole >= ranks ? ranks * len : 0};
    int last_is_mine = tail && whole % ranks == at;
    if (mine.count == 0) /* at most the shorter one */
        mine = (struct indices){at * len, last_is_mine, tail, 0};
    else if (last_is_mine) {
        grow(p, t, all, &mine, tail);
        return;
    }
    if (mine.count == 0)
        mine.start = 0; /* nothing, wherever it would be */
    grow(p, t, all, &mine, 0);
}

static int darray(struct rank *r, const struct darray *a, MPI_Datatype old, MPI_Datatype *newtype)
{
    const struct type *t = NULL;
    struct own_type *o = NULL;
    int e;
    if ((e = check_darray(r, a)) || (e = check_old_type(r, old, &t, newtype)))
        return api_error(r, NULL, e);
    struct piece p = {.rank = r, .type = t, .slice = (ptrdiff_t)t->extent};
    for (int k = 0; k < a->ndims; k++)
        grow_distributed(&p, t, a, inner(a->order, a->ndims, k));
    e = finish(&p, t, &o);
    size_t n = (size_t)a->ndims;
    struct recipe q = {.combiner = MPI_COMBINER_DARRAY, .large = (uint8_t)a->large, .types = &t, .types_used = 1};
    recipe_add(&q, RECIPE_INT, ints((const int[]){a->size, a->rank, a->ndims}), 3);
    recipe_add(&q, RECIPE_COUNT, a->gsizes, n);
    recipe_add(&q, RECIPE_INT, ints(a->distribs), n);
    recipe_add(&q, RECIPE_INT, ints(a->dargs), n);
    recipe_add(&q, RECIPE_INT, ints(a->psizes), n);
    recipe_add(&q, RECIPE_INT, just(a->order), 1);
    return api_type_made(r, e, o, &q, newtype);
}

#pragma weak MPI_Type_create_darray = PMPI_Type_create_darray
int PMPI_Type_create_darray(int size, int rank, int ndims, const int array_of_gsizes[], const int array_of_distribs[],
                            const int array_of_dargs[], const int array_of_psizes[], int order, MPI_Datatype oldtype,
                            MPI_Datatype *newtype)
{
    const struct darray a = {size,           rank,           ndims, order, 0, ints(array_of_gsizes), array_of_distribs,
                             array_of_dargs, array_of_psizes};
    struct rank *r = api_enter("MPI_Type_create_darray");
    return darray(r, &a, oldtype, newtype);
}

#pragma weak MPI_Type_create_darray_c = PMPI_Type_create_darray_c
int PMPI_Type_create_darray_c(int size, int rank, int ndims, const MPI_Count array_of_gsizes[],
                              const int array_of_distribs[], const int array_of_dargs[], const int array_of_psizes[],
                              int order, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    const struct darray a = {
        size, rank, ndims, order, 1, counts(array_of_gsizes), array_of_distribs, array_of_dargs, array_of_psizes};
    struct rank *r = api_enter("MPI_Type_create_darray_c");
    return darray(r, &a, oldtype, newtype);
}
