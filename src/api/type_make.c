/* type_make.c: constructors of datatypes that MPI 1 had, commit and free (MPI 5.0, section 5.1). */
#include "type_make.h"

#include "../core/held.h"
#include "attr.h"
#include "state.h"

/* ---- What constructors share ---- */

int check_old_type(struct rank *r, MPI_Datatype old, const struct type **t, const MPI_Datatype *newtype)
{
    int e = check_any_type(r, old, t);
    return e ? e : check_pointer(r, newtype, "newtype");
}

int check_places(struct rank *r, ptrdiff_t count, struct numbers n, const char *name)
{
    return count > 0 && n.width ? check_pointer(r, n.at, name) : MPI_SUCCESS;
}

int check_lengths(struct rank *r, ptrdiff_t count, struct numbers n, const char *name)
{
    int e = check_places(r, count, n, name);
    for (ptrdiff_t i = 0, all = n.at ? count : 1; i < all && !e; i++)
        if (number(n, (size_t)i) < 0)
            e = mpico_fault(r, MPI_ERR_ARG, "%s: %d is negative", name, (int)number(n, (size_t)i));
    return e;
}

static void enlist(struct rank *r, struct own_type *o)
{
    struct api *api = api_state(r);
    o->next = api->types;
    o->link = &api->types;
    if (o->next)
        o->next->link = &o->next;
    api->types = o;
}

int api_type_made(struct rank *r, int e, struct own_type *o, const struct recipe *recipe, MPI_Datatype *newtype)
{
    if (e == TYPE_OVERFLOWS)
        e = mpico_fault(r, MPI_ERR_ARG, "the datatype is larger than memory can be");
    else if (e == TYPE_TOO_DEEP)
        e = mpico_fault(r, MPI_ERR_TYPE, "the datatype is nested too deeply: %d levels of loops", TYPE_DEPTH_MAX);
    else if (e < 0)
        e = mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a datatype");
    else if (!SMALL && !e && (e = api_type_remember(r, o, recipe)))
        mpico_type_release_own(&r->heap, &o->type);
    if (e)
        return api_error(r, NULL, e);
    enlist(r, o);
    held_add(r, HELD_TYPE, o);
    *newtype = (MPI_Datatype)(void *)o;
    return MPI_SUCCESS;
}

/* ---- Loops ---- */

static void recipe_loop(struct recipe *p, const struct loop *l)
{
    int contiguous = l->combiner == MPI_COMBINER_CONTIGUOUS;
    recipe_add(p, RECIPE_COUNT, just(contiguous ? l->len : l->count), 1);
    recipe_add(p, RECIPE_COUNT, just(l->len), !contiguous);
    recipe_add(p, l->bytes ? RECIPE_ADDRESS : RECIPE_COUNT, just(l->stride), !contiguous);
}

int api_type_loop(struct rank *r, const struct loop *l, MPI_Datatype old, MPI_Datatype *newtype)
{
    const struct type *t = NULL;
    struct own_type *o = NULL;
    ptrdiff_t stride = 0;
    int e;
    if ((e = check_count(r, l->count, "count")) || (e = check_count(r, l->len, "blocklength")) ||
        (e = check_old_type(r, old, &t, newtype)))
        return api_error(r, NULL, e);
    if (l->count > 1 && l->len && __builtin_mul_overflow(l->stride, l->bytes ? 1 : (ptrdiff_t)t->extent, &stride))
        e = TYPE_OVERFLOWS;
    else
        e = mpico_type_make_repeat(&r->heap, t, (size_t)l->count, (size_t)l->len, stride, &o);
    if (SMALL)
        return api_type_made(r, e, o, NULL, newtype);
    struct recipe p = {.combiner = l->combiner, .large = l->large, .types = &t, .types_used = 1};
    recipe_loop(&p, l);
    return api_type_made(r, e, o, &p, newtype);
}

#pragma weak MPI_Type_contiguous = PMPI_Type_contiguous
int PMPI_Type_contiguous(int count, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct rank *r = api_enter("MPI_Type_contiguous");
    return api_type_loop(r, &(struct loop){.combiner = MPI_COMBINER_CONTIGUOUS, .count = 1, .len = count}, oldtype,
                         newtype);
}

#pragma weak MPI_Type_vector = PMPI_Type_vector
int PMPI_Type_vector(int count, int blocklength, int stride, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct rank *r = api_enter("MPI_Type_vector");
    return api_type_loop(
        r, &(struct loop){.combiner = MPI_COMBINER_VECTOR, .count = count, .len = blocklength, .stride = stride},
        oldtype, newtype);
}

static int hvector(struct rank *r, int count, int len, MPI_Aint stride, MPI_Datatype old, MPI_Datatype *newtype)
{
    return api_type_loop(
        r, &(struct loop){.combiner = MPI_COMBINER_HVECTOR, .count = count, .len = len, .stride = stride, .bytes = 1},
        old, newtype);
}

#pragma weak MPI_Type_create_hvector = PMPI_Type_create_hvector
int PMPI_Type_create_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct rank *r = api_enter("MPI_Type_create_hvector");
    return hvector(r, count, blocklength, stride, oldtype, newtype);
}

#pragma weak MPI_Type_hvector = PMPI_Type_hvector
int PMPI_Type_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct rank *r = api_enter("MPI_Type_hvector");
    return hvector(r, count, blocklength, stride, oldtype, newtype);
}

/* ---- Lists of blocks ---- */

static void recipe_blocks(struct recipe *p, const struct block_list *l)
{
    size_t n = (size_t)l->count;
    recipe_add(p, RECIPE_COUNT, just((ptrdiff_t)n), 1);
    recipe_add(p, RECIPE_COUNT, l->lens, l->one_length ? 1 : n);
    recipe_add(p, l->bytes ? RECIPE_ADDRESS : RECIPE_COUNT, l->places, n);
}

static int check_blocks(struct rank *r, const struct block_list *l)
{
    int e = check_count(r, l->count, "count");
    if (!e)
        e = check_lengths(r, l->count, l->lens, "array_of_blocklengths");
    return e ? e : check_places(r, l->count, l->places, "array_of_displacements");
}

int api_type_blocks(struct rank *r, const struct block_list *l, MPI_Datatype old, MPI_Datatype *newtype)
{
    const struct type *t = NULL;
    struct own_type *o = NULL;
    int e;
    if ((e = check_blocks(r, l)) || (e = check_old_type(r, old, &t, newtype)))
        return api_error(r, NULL, e);
    const struct blocks b = {.count = (size_t)l->count,
                             .lens = l->lens,
                             .places = l->places,
                             .unit = l->bytes ? 1 : (ptrdiff_t)t->extent,
                             .types = &t,
                             .one_type = 1};
    e = mpico_type_make_blocks(&r->heap, &b, &o);
    if (SMALL)
        return api_type_made(r, e, o, NULL, newtype);
    struct recipe p = {.combiner = l->combiner, .large = l->large, .types = &t, .types_used = 1};
    recipe_blocks(&p, l);
    return api_type_made(r, e, o, &p, newtype);
}

#pragma weak MPI_Type_indexed = PMPI_Type_indexed
int PMPI_Type_indexed(int count, const int array_of_blocklengths[], const int array_of_displacements[],
                      MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct rank *r = api_enter("MPI_Type_indexed");
    return api_type_blocks(r,
                           &(struct block_list){.combiner = MPI_COMBINER_INDEXED,
                                                .count = count,
                                                .lens = ints(array_of_blocklengths),
                                                .places = ints(array_of_displacements)},
                           oldtype, newtype);
}

static int hindexed(struct rank *r, int count, const int lens[], const MPI_Aint places[], MPI_Datatype old,
                    MPI_Datatype *newtype)
{
    return api_type_blocks(
        r,
        &(struct block_list){
            .combiner = MPI_COMBINER_HINDEXED, .bytes = 1, .count = count, .lens = ints(lens), .places = aints(places)},
        old, newtype);
}

#pragma weak MPI_Type_create_hindexed = PMPI_Type_create_hindexed
int PMPI_Type_create_hindexed(int count, const int array_of_blocklengths[], const MPI_Aint array_of_displacements[],
                              MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct rank *r = api_enter("MPI_Type_create_hindexed");
    return hindexed(r, count, array_of_blocklengths, array_of_displacements, oldtype, newtype);
}

#pragma weak MPI_Type_hindexed = PMPI_Type_hindexed
int PMPI_Type_hindexed(int count, int array_of_blocklengths[], MPI_Aint array_of_displacements[], MPI_Datatype oldtype,
                       MPI_Datatype *newtype)
{
    struct rank *r = api_enter("MPI_Type_hindexed");
    return hindexed(r, count, array_of_blocklengths, array_of_displacements, oldtype, newtype);
}

/* ---- Structs ---- */

/* MPI 1's markers of bounds are for lists of blocks alone. */
static int check_member(struct rank *r, MPI_Datatype handle, const struct type **t)
{
    *t = handle == MPI_LB ? &mpico_type_lower_marker : &mpico_type_upper_marker;
    return handle == MPI_LB || handle == MPI_UB ? MPI_SUCCESS : check_any_type(r, handle, t);
}

static int make_struct(struct rank *r, const struct block_list *l, const struct type **t, const MPI_Datatype types[],
                       MPI_Datatype *newtype)
{
    struct own_type *o = NULL;
    size_t n = (size_t)l->count;
    int e = MPI_SUCCESS;
    for (size_t i = 0; i < n && !e; i++)
        e = check_member(r, types[i], &t[i]);
    if (e)
        return api_error(r, NULL, e);
    const struct blocks b = {.count = n, .lens = l->lens, .places = l->places, .unit = 1, .types = t};
    e = mpico_type_make_blocks(&r->heap, &b, &o);
    if (SMALL)
        return api_type_made(r, e, o, NULL, newtype);
    struct recipe p = {.combiner = l->combiner, .large = l->large, .types = t, .types_used = n};
    recipe_blocks(&p, l);
    return api_type_made(r, e, o, &p, newtype);
}

int api_type_struct(struct rank *r, const struct block_list *l, const MPI_Datatype types[], MPI_Datatype *newtype)
{
    int e;
    if ((e = check_blocks(r, l)) || (l->count && (e = check_pointer(r, types, "array_of_types"))) ||
        (e = check_pointer(r, newtype, "newtype")))
        return api_error(r, NULL, e);
    size_t bytes;
    const struct type **t = NULL;
    if (!__builtin_mul_overflow((size_t)l->count, sizeof *t, &bytes))
        t = mpico_heap_alloc(&r->heap, bytes + 1);
    if (!t)
        return api_type_made(r, TYPE_NO_MEMORY, NULL, NULL, newtype);
    e = make_struct(r, l, t, types, newtype);
    mpico_heap_free(&r->heap, t);
    return e;
}

static int structure(struct rank *r, int count, const int lens[], const MPI_Aint places[], const MPI_Datatype types[],
                     MPI_Datatype *newtype)
{
    return api_type_struct(
        r,
        &(struct block_list){
            .combiner = MPI_COMBINER_STRUCT, .bytes = 1, .count = count, .lens = ints(lens), .places = aints(places)},
        types, newtype);
}

#pragma weak MPI_Type_create_struct = PMPI_Type_create_struct
int PMPI_Type_create_struct(int count, const int array_of_blocklengths[], const MPI_Aint array_of_displacements[],
                            const MPI_Datatype array_of_types[], MPI_Datatype *newtype)
{
    struct rank *r = api_enter("MPI_Type_create_struct");
    return structure(r, count, array_of_blocklengths, array_of_displacements, array_of_types, newtype);
}

#pragma weak MPI_Type_struct = PMPI_Type_struct
int PMPI_Type_struct(int count, int array_of_blocklengths[], MPI_Aint array_of_displacements[],
                     MPI_Datatype array_of_types[], MPI_Datatype *newtype)
{
    struct rank *r = api_enter("MPI_Type_struct");
    return structure(r, count, array_of_blocklengths, array_of_displacements, array_of_types, newtype);
}

/* ---- Commit and free ---- */

/* A type is ready when it is made: its layout is. To commit is the program's word that it is complete. */
#pragma weak MPI_Type_commit = PMPI_Type_commit
int PMPI_Type_commit(MPI_Datatype *datatype)
{
    struct rank *r = api_enter("MPI_Type_commit");
    const struct type *t = NULL;
    int e;
    if ((e = check_pointer(r, datatype, "datatype")) || (e = check_any_type(r, *datatype, &t)))
        return api_error(r, NULL, e);
    if (!t->predefined)
        own_type(t)->type.committed = 1;
    return MPI_SUCCESS;
}

#pragma weak MPI_Type_free = PMPI_Type_free
int PMPI_Type_free(MPI_Datatype *datatype)
{
    struct rank *r = api_enter("MPI_Type_free");
    const struct type *t = NULL;
    int e;
    if ((e = check_pointer(r, datatype, "datatype")) || (e = check_any_type(r, *datatype, &t)))
        return api_error(r, NULL, e);
    if (t->predefined)
        return api_error(r, NULL, mpico_fault(r, MPI_ERR_TYPE, "datatype: is predefined and not to be freed"));
    struct own_type *o = own_type(t);
    if (o->handles == 1 && o->type.attributes && (e = api_attr_drop(r, ATTR_TYPE, t->handle, &o->type.attributes)))
        return api_error(r, NULL, e);
    held_drop(r, o);
    if (--o->handles == 0)
        o->type.magic = TYPE_HIDDEN;
    mpico_type_release_own(&r->heap, t);
    *datatype = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}
