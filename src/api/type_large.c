/* type_large.c: constructors of datatypes with counts of 64 bits (MPI 5.0, section 5.1; the names in _c). */
#include "type_make.h"

int check_wide(struct rank *r, MPI_Count count, const MPI_Count *numbers, const char *name)
{
    if (sizeof(ptrdiff_t) >= sizeof(MPI_Count))
        return MPI_SUCCESS;
    if ((MPI_Count)(ptrdiff_t)count != count)
        return mpico_fault(r, MPI_ERR_ARG, "count: %l is more than memory can hold", (long long)count);
    for (ptrdiff_t i = 0; numbers && i < (ptrdiff_t)count; i++)
        if ((MPI_Count)(ptrdiff_t)numbers[i] != numbers[i])
            return mpico_fault(r, MPI_ERR_ARG, "%s: a number that is no address here", name);
    return MPI_SUCCESS;
}

static int loop_wide(struct rank *r, const MPI_Count n[3], int combiner, int bytes, MPI_Datatype old,
                     MPI_Datatype *newtype)
{
    int e;
    if ((e = check_wide(r, n[0], NULL, NULL)) || (e = check_wide(r, n[1], NULL, NULL)) ||
        (e = check_wide(r, 1, &n[2], "stride")))
        return api_error(r, NULL, e);
    const struct loop l = {.combiner = combiner,
                           .large = 1,
                           .bytes = (uint8_t)bytes,
                           .count = (ptrdiff_t)n[0],
                           .len = (ptrdiff_t)n[1],
                           .stride = (ptrdiff_t)n[2]};
    return api_type_loop(r, &l, old, newtype);
}

/* Lists of MPI_Count; `lens` of one entry where all blocks are of one length. */
static int check_lists(struct rank *r, MPI_Count count, const MPI_Count *lens, MPI_Count lens_count,
                       const MPI_Count *places)
{
    int e = check_wide(r, lens_count, lens, "array_of_blocklengths");
    return e ? e : check_wide(r, count, places, "array_of_displacements");
}

static int blocks_wide(struct rank *r, struct block_list l, MPI_Count count, const MPI_Count *lens, MPI_Datatype old,
                       MPI_Datatype *newtype)
{
    int e = check_lists(r, count, lens, l.one_length ? 1 : count, l.places.at);
    if (e)
        return api_error(r, NULL, e);
    l.large = 1;
    l.count = (ptrdiff_t)count;
    l.lens = l.one_length ? just((ptrdiff_t)*lens) : counts(lens);
    return api_type_blocks(r, &l, old, newtype);
}

#pragma weak MPI_Type_contiguous_c = PMPI_Type_contiguous_c
int PMPI_Type_contiguous_c(MPI_Count count, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct rank *r = api_enter("MPI_Type_contiguous_c");
    return loop_wide(r, (const MPI_Count[]){1, count, 0}, MPI_COMBINER_CONTIGUOUS, 0, oldtype, newtype);
}

#pragma weak MPI_Type_vector_c = PMPI_Type_vector_c
int PMPI_Type_vector_c(MPI_Count count, MPI_Count blocklength, MPI_Count stride, MPI_Datatype oldtype,
                       MPI_Datatype *newtype)
{
    struct rank *r = api_enter("MPI_Type_vector_c");
    return loop_wide(r, (const MPI_Count[]){count, blocklength, stride}, MPI_COMBINER_VECTOR, 0, oldtype, newtype);
}

#pragma weak MPI_Type_create_hvector_c = PMPI_Type_create_hvector_c
int PMPI_Type_create_hvector_c(MPI_Count count, MPI_Count blocklength, MPI_Count stride, MPI_Datatype oldtype,
                               MPI_Datatype *newtype)
{
    struct rank *r = api_enter("MPI_Type_create_hvector_c");
    return loop_wide(r, (const MPI_Count[]){count, blocklength, stride}, MPI_COMBINER_HVECTOR, 1, oldtype, newtype);
}

#pragma weak MPI_Type_indexed_c = PMPI_Type_indexed_c
int PMPI_Type_indexed_c(MPI_Count count, const MPI_Count array_of_blocklengths[],
                        const MPI_Count array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    const struct block_list l = {.combiner = MPI_COMBINER_INDEXED, .places = counts(array_of_displacements)};
    struct rank *r = api_enter("MPI_Type_indexed_c");
    return blocks_wide(r, l, count, array_of_blocklengths, oldtype, newtype);
}

#pragma weak MPI_Type_create_hindexed_c = PMPI_Type_create_hindexed_c
int PMPI_Type_create_hindexed_c(MPI_Count count, const MPI_Count array_of_blocklengths[],
                                const MPI_Count array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    const struct block_list l = {
        .combiner = MPI_COMBINER_HINDEXED, .bytes = 1, .places = counts(array_of_displacements)};
    struct rank *r = api_enter("MPI_Type_create_hindexed_c");
    return blocks_wide(r, l, count, array_of_blocklengths, oldtype, newtype);
}

#pragma weak MPI_Type_create_indexed_block_c = PMPI_Type_create_indexed_block_c
int PMPI_Type_create_indexed_block_c(MPI_Count count, MPI_Count blocklength, const MPI_Count array_of_displacements[],
                                     MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    const struct block_list l = {
        .combiner = MPI_COMBINER_INDEXED_BLOCK, .one_length = 1, .places = counts(array_of_displacements)};
    struct rank *r = api_enter("MPI_Type_create_indexed_block_c");
    return blocks_wide(r, l, count, &blocklength, oldtype, newtype);
}

#pragma weak MPI_Type_create_hindexed_block_c = PMPI_Type_create_hindexed_block_c
int PMPI_Type_create_hindexed_block_c(MPI_Count count, MPI_Count blocklength, const MPI_Count array_of_displacements[],
                                      MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    const struct block_list l = {
        .combiner = MPI_COMBINER_HINDEXED_BLOCK, .bytes = 1, .one_length = 1, .places = counts(array_of_displacements)};
    struct rank *r = api_enter("MPI_Type_create_hindexed_block_c");
    return blocks_wide(r, l, count, &blocklength, oldtype, newtype);
}

#pragma weak MPI_Type_create_struct_c = PMPI_Type_create_struct_c
int PMPI_Type_create_struct_c(MPI_Count count, const MPI_Count array_of_blocklengths[],
                              const MPI_Count array_of_displacements[], const MPI_Datatype array_of_types[],
                              MPI_Datatype *newtype)
{
    struct rank *r = api_enter("MPI_Type_create_struct_c");
    int e = check_lists(r, count, array_of_blocklengths, count, array_of_displacements);
    if (e)
        return api_error(r, NULL, e);
    const struct block_list l = {.combiner = MPI_COMBINER_STRUCT,
                                 .large = 1,
                                 .bytes = 1,
                                 .count = (ptrdiff_t)count,
                                 .lens = counts(array_of_blocklengths),
                                 .places = counts(array_of_displacements)};
    return api_type_struct(r, &l, array_of_types, newtype);
}
