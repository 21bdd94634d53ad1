/* coll_args_parts.c: buffers with a count, and perhaps a datatype, for each rank. */
#include "coll_args.h"

static int part_types(struct rank *r, struct side *side, const struct buffer *b, int parts)
{
    const struct type **types = mpico_heap_alloc(&r->heap, (size_t)parts * sizeof(struct type *));
    if (!types)
        return mpico_fault(r, MPI_ERR_NO_MEM, "no memory for %d datatypes", parts);
    side->types = types;
    for (int i = 0; i < parts; i++) {
        int e = MPI_SUCCESS;
        if (api_is_nothing(r, buffer_count(b, i), b->types[i]))
            types[i] = &mpico_type_byte;
        else
            e = check_type(r, b->types[i], &types[i]);
        if (e)
            return e;
    }
    side->type = types[0];
    return 0;
}

/* Of all parts; the byte, if there are none. */
static int one_type(struct rank *r, struct side *side, const struct buffer *b, int parts)
{
    int i = 0;
    while (!SMALL && i < parts && buffer_count(b, i) == 0)
        i++;
    if (!api_is_nothing(r, i < parts, b->type))
        return check_type(r, b->type, &side->type);
    side->type = &mpico_type_byte;
    return MPI_SUCCESS;
}

/* The i-th part begins at an address: sum and product may be any, as with MPI_BOTTOM, but no larger than one can be. */
static int check_displ(struct rank *r, const struct side *side, int i)
{
    ptrdiff_t at, unit = side->types ? 1 : (ptrdiff_t)side->type->extent;
    if (!__builtin_mul_overflow(side_displ(side, i), unit, &at))
        return MPI_SUCCESS;
    return mpico_fault(r, MPI_ERR_ARG, "displs: %l elements of %l bytes are farther than memory reaches",
                       (long long)side_displ(side, i), (long long)unit);
}

/* A buffer of one part a rank. */
int api_coll_sides(struct rank *r, struct side *side, const struct buffer *b, const char *name, int parts)
{
    int e;
    if ((e = check_pointer(r, b->counts, "counts")) || (e = check_pointer(r, b->displs, "displs")))
        return e;
    if (b->buf == MPI_IN_PLACE)
        return mpico_fault(r, MPI_ERR_BUFFER, "%s: MPI_IN_PLACE is not for this argument of this rank", name);
    if ((e = b->types ? part_types(r, side, b, parts) : one_type(r, side, b, parts)))
        return e;
    side->buf = (void *)(uintptr_t)b->buf;
    side->counts = b->counts;
    side->displs = b->displs;
    side->wide = b->wide;
    for (int i = 0; i < parts; i++) {
        MPI_Count count = buffer_count(b, i);
        if ((e = check_count(r, count, "counts")) ||
            (e = check_buffer(r, b->buf, (size_t)count, side->types ? side->types[i] : side->type, name)))
            return e;
        if (!SMALL && count && (e = check_displ(r, side, i)))
            return e;
    }
    return 0;
}
