/* type_more.c: constructors of datatypes that MPI 1 had not: blocks of one length, other bounds, copies (MPI 5.0, section 5.1). */
#include "attr.h"
#include "type_make.h"

static int blocks_of_one(struct rank *r, int combiner, int count, int len, struct numbers places, int bytes,
                         MPI_Datatype old, MPI_Datatype *newtype)
{
    return api_type_blocks(r,
                           &(struct block_list){.combiner = combiner,
                                                .bytes = (uint8_t)bytes,
                                                .one_length = 1,
                                                .count = count,
                                                .lens = just(len),
                                                .places = places},
                           old, newtype);
}

#pragma weak MPI_Type_create_indexed_block = PMPI_Type_create_indexed_block
int PMPI_Type_create_indexed_block(int count, int blocklength, const int array_of_displacements[], MPI_Datatype oldtype,
                                   MPI_Datatype *newtype)
{
    struct rank *r = api_enter("MPI_Type_create_indexed_block");
    return blocks_of_one(r, MPI_COMBINER_INDEXED_BLOCK, count, blocklength, ints(array_of_displacements), 0, oldtype,
                         newtype);
}

#pragma weak MPI_Type_create_hindexed_block = PMPI_Type_create_hindexed_block
int PMPI_Type_create_hindexed_block(int count, int blocklength, const MPI_Aint array_of_displacements[],
                                    MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct rank *r = api_enter("MPI_Type_create_hindexed_block");
    return blocks_of_one(r, MPI_COMBINER_HINDEXED_BLOCK, count, blocklength, aints(array_of_displacements), 1, oldtype,
                         newtype);
}

static int resized(struct rank *r, MPI_Datatype old, MPI_Count lb, MPI_Count extent, int large, MPI_Datatype *newtype)
{
    const struct type *t = NULL;
    struct own_type *o = NULL;
    int e = check_old_type(r, old, &t, newtype);
    if (e)
        return api_error(r, NULL, e);
    int fits = (MPI_Count)(ptrdiff_t)lb == lb && (MPI_Count)(ptrdiff_t)extent == extent;
    e = fits ? mpico_type_make_resized(&r->heap, t, (ptrdiff_t)lb, (ptrdiff_t)extent, &o) : TYPE_OVERFLOWS;
    struct recipe p = {.combiner = MPI_COMBINER_RESIZED, .large = (uint8_t)large, .types = &t, .types_used = 1};
    recipe_add(&p, RECIPE_ADDRESS, just((ptrdiff_t)lb), 1);
    recipe_add(&p, RECIPE_ADDRESS, just((ptrdiff_t)extent), 1);
    return api_type_made(r, e, o, &p, newtype);
}

#pragma weak MPI_Type_create_resized = PMPI_Type_create_resized
int PMPI_Type_create_resized(MPI_Datatype oldtype, MPI_Aint lb, MPI_Aint extent, MPI_Datatype *newtype)
{
    struct rank *r = api_enter("MPI_Type_create_resized");
    return resized(r, oldtype, lb, extent, 0, newtype);
}

#pragma weak MPI_Type_create_resized_c = PMPI_Type_create_resized_c
int PMPI_Type_create_resized_c(MPI_Datatype oldtype, MPI_Count lb, MPI_Count extent, MPI_Datatype *newtype)
{
    struct rank *r = api_enter("MPI_Type_create_resized_c");
    return resized(r, oldtype, lb, extent, 1, newtype);
}

/* Attributes come along; when one of their functions objects, there is no copy. */
static const struct attr *attributes_of(const struct rank *r, const struct type *t)
{
    return !t->predefined ? t->attributes : api_attr_of_predefined ? api_attr_of_predefined(r, t) : NULL;
}

#pragma weak MPI_Type_dup = PMPI_Type_dup
int PMPI_Type_dup(MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct rank *r = api_enter("MPI_Type_dup");
    const struct type *t = NULL;
    struct own_type *o = NULL;
    int e = check_old_type(r, oldtype, &t, newtype);
    if (e)
        return api_error(r, NULL, e);
    e = mpico_type_make_copy(&r->heap, t, &o);
    const struct attr *attributes = attributes_of(r, t);
    if (!e && attributes &&
        (e = api_attr_copy(r, ATTR_TYPE, t->handle, attributes, o->type.handle, &o->type.attributes))) {
        mpico_type_release_own(&r->heap, &o->type);
        return api_error(r, NULL, e);
    }
    struct recipe p = {.combiner = MPI_COMBINER_DUP, .types = &t, .types_used = 1};
    return api_type_made(r, e, o, &p, newtype);
}
