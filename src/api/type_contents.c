/* type_contents.c: how a datatype was made (MPI 5.0, section 5.1.13). What is kept is the arguments of the constructor, as wide
 * as its large form would have them, in the order in which the standard lists them.
 */
#include <limits.h>

#include "../core/held.h"
#include "type_make.h"

/* In one piece of the heap: the numbers, of each kind (int, address, large count) together, and the types. */
struct contents {
    int combiner;
    uint8_t large;
    size_t ints, addresses, counts, types;
    int64_t *number;
    const struct type *type[];
};

/* Of which kind the numbers of a line are handed out. */
enum { KIND_INT, KIND_ADDRESS, KIND_COUNT, KINDS };
static int kind_of(const struct recipe *p, const struct recipe_line *line)
{
    if (line->kind == RECIPE_INT)
        return KIND_INT;
    return p->large ? KIND_COUNT : line->kind == RECIPE_ADDRESS ? KIND_ADDRESS : KIND_INT;
}

static size_t numbers_of(const struct recipe *p, int kind)
{
    size_t n = 0;
    for (size_t i = 0; i < p->lines_used; i++)
        n += kind_of(p, &p->lines[i]) == kind ? p->lines[i].count : 0;
    return n;
}

static void copy_numbers(struct contents *c, const struct recipe *p)
{
    int64_t *next = c->number;
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t i = 0; i < p->lines_used; i++)
            for (size_t k = 0; kind_of(p, &p->lines[i]) == kind && k < p->lines[i].count; k++)
                *next++ = number(p->lines[i].what, k);
}

int api_type_remember(struct rank *r, struct own_type *o, const struct recipe *p)
{
    size_t ints = numbers_of(p, KIND_INT), addresses = numbers_of(p, KIND_ADDRESS), counts = numbers_of(p, KIND_COUNT);
    size_t bytes = p->types_used * sizeof(struct type *); /* lists of as many were read: no sum overflows */
    struct contents *c =
        mpico_heap_alloc(&r->heap, sizeof *c + bytes + (ints + addresses + counts) * sizeof *c->number);
    if (!c)
        return mpico_fault(r, MPI_ERR_NO_MEM, "no memory for the arguments of a datatype");
    *c = (struct contents){
        p->combiner, p->large, ints, addresses, counts, p->types_used, (int64_t *)(void *)((char *)c->type + bytes)};
    for (size_t i = 0; i < p->types_used; i++) {
        c->type[i] = p->types[i];
        type_keep(c->type[i]);
    }
    copy_numbers(c, p);
    o->contents = c;
    return MPI_SUCCESS;
}

const struct type *mpico_type_content(const void *contents, size_t i)
{
    const struct contents *c = contents;
    return i < c->types ? c->type[i] : NULL;
}

/* What a predefined type is made of; NULL contents of another: not kept. */
static const struct contents named = {.combiner = MPI_COMBINER_NAMED};

static int find(struct rank *r, MPI_Datatype handle, const struct contents **c)
{
    const struct type *t = NULL;
    int e = check_any_type(r, handle, &t);
    if (e)
        return e;
    int is_named = t->predefined && t->handle < TYPE_HANDLES + 0x100;
    *c = is_named ? &named : own_type(t)->contents;
    return *c ? MPI_SUCCESS
              : mpico_fault(r, MPI_ERR_UNSUPPORTED_OPERATION, "datatype: how it was made is not kept in small builds");
}

/* The forms without MPI_Count cannot tell of a type that was made with it. */
static int find_narrow(struct rank *r, MPI_Datatype handle, const struct contents **c)
{
    int e = find(r, handle, c);
    if (!e && ((*c)->counts || (*c)->types > INT_MAX || (*c)->ints > INT_MAX))
        e = mpico_fault(r, MPI_ERR_TYPE, "datatype: was made with large counts; ask with the form of this call in _c");
    return e;
}

#pragma weak MPI_Type_get_envelope = PMPI_Type_get_envelope
int PMPI_Type_get_envelope(MPI_Datatype type, int *num_integers, int *num_addresses, int *num_datatypes, int *combiner)
{
    struct rank *r = api_enter("MPI_Type_get_envelope");
    const struct contents *c = NULL;
    int e;
    if ((e = find_narrow(r, type, &c)) || (e = check_pointer(r, num_integers, "num_integers")) ||
        (e = check_pointer(r, num_addresses, "num_addresses")) ||
        (e = check_pointer(r, num_datatypes, "num_datatypes")) || (e = check_pointer(r, combiner, "combiner")))
        return api_error(r, NULL, e);
    *num_integers = (int)c->ints;
    *num_addresses = (int)c->addresses;
    *num_datatypes = (int)c->types;
    *combiner = c->combiner;
    return MPI_SUCCESS;
}

#pragma weak MPI_Type_get_envelope_c = PMPI_Type_get_envelope_c
int PMPI_Type_get_envelope_c(MPI_Datatype type, MPI_Count *num_integers, MPI_Count *num_addresses,
                             MPI_Count *num_large_counts, MPI_Count *num_datatypes, int *combiner)
{
    struct rank *r = api_enter("MPI_Type_get_envelope_c");
    const struct contents *c = NULL;
    int e;
    if ((e = find(r, type, &c)) || (e = check_pointer(r, num_integers, "num_integers")) ||
        (e = check_pointer(r, num_addresses, "num_addresses")) ||
        (e = check_pointer(r, num_large_counts, "num_large_counts")) ||
        (e = check_pointer(r, num_datatypes, "num_datatypes")) || (e = check_pointer(r, combiner, "combiner")))
        return api_error(r, NULL, e);
    *num_integers = (MPI_Count)c->ints;
    *num_addresses = (MPI_Count)c->addresses;
    *num_large_counts = (MPI_Count)c->counts;
    *num_datatypes = (MPI_Count)c->types;
    *combiner = c->combiner;
    return MPI_SUCCESS;
}

/* ---- Contents ---- */

/* Room for what is there: `need` entries in an array of `room`. */
static int check_room(struct rank *r, size_t need, MPI_Count room, const void *array, const char *name)
{
    if (room < 0 || (uint64_t)room < need)
        return mpico_fault(r, MPI_ERR_ARG, "%s: has room for %l, but there are %z (MPI_Type_get_envelope)", name,
                           (long long)room, need);
    return need ? check_pointer(r, array, name) : MPI_SUCCESS;
}

static int check_contents(struct rank *r, const struct contents *c, MPI_Count max_integers, MPI_Count max_addresses,
                          MPI_Count max_datatypes, const int *integers, const MPI_Aint *addresses,
                          const MPI_Datatype *types)
{
    int e;
    if (c == &named)
        return mpico_fault(r, MPI_ERR_TYPE, "datatype: is predefined and has no contents");
    if ((e = check_room(r, c->ints, max_integers, integers, "array_of_integers")) ||
        (e = check_room(r, c->addresses, max_addresses, addresses, "array_of_addresses")))
        return e;
    return check_room(r, c->types, max_datatypes, types, "array_of_datatypes");
}

/* Each is a handle of its own, to be freed by the program, unless it is predefined. */
static MPI_Datatype new_handle(const struct type *t)
{
    if (t == &mpico_type_lower_marker || t == &mpico_type_upper_marker)
        return t == &mpico_type_lower_marker ? MPI_LB : MPI_UB;
    if (!t->predefined) {
        struct own_type *o = own_type(t);
        o->handles++;
        o->type.magic = TYPE_MAGIC;
        type_keep(t);
        held_add(rank_self(), HELD_TYPE, o);
    }
    return (MPI_Datatype)t->handle;
}

static void give(const struct contents *c, int integers[], MPI_Aint addresses[], MPI_Datatype types[])
{
    for (size_t i = 0; i < c->ints; i++)
        integers[i] = (int)c->number[i];
    for (size_t i = 0; i < c->addresses; i++)
        addresses[i] = (MPI_Aint)c->number[c->ints + i];
    for (size_t i = 0; i < c->types; i++)
        types[i] = new_handle(c->type[i]);
}

#pragma weak MPI_Type_get_contents = PMPI_Type_get_contents
int PMPI_Type_get_contents(MPI_Datatype type, int max_integers, int max_addresses, int max_datatypes,
                           int array_of_integers[], MPI_Aint array_of_addresses[], MPI_Datatype array_of_datatypes[])
{
    struct rank *r = api_enter("MPI_Type_get_contents");
    const struct contents *c = NULL;
    int e;
    if ((e = find_narrow(r, type, &c)) ||
        (e = check_contents(r, c, max_integers, max_addresses, max_datatypes, array_of_integers, array_of_addresses,
                            array_of_datatypes)))
        return api_error(r, NULL, e);
    give(c, array_of_integers, array_of_addresses, array_of_datatypes);
    return MPI_SUCCESS;
}

#pragma weak MPI_Type_get_contents_c = PMPI_Type_get_contents_c
int PMPI_Type_get_contents_c(MPI_Datatype type, MPI_Count max_integers, MPI_Count max_addresses,
                             MPI_Count max_large_counts, MPI_Count max_datatypes, int array_of_integers[],
                             MPI_Aint array_of_addresses[], MPI_Count array_of_large_counts[],
                             MPI_Datatype array_of_datatypes[])
{
    struct rank *r = api_enter("MPI_Type_get_contents_c");
    const struct contents *c = NULL;
    int e;
    if ((e = find(r, type, &c)) ||
        (e = check_contents(r, c, max_integers, max_addresses, max_datatypes, array_of_integers, array_of_addresses,
                            array_of_datatypes)) ||
        (e = check_room(r, c->counts, max_large_counts, array_of_large_counts, "array_of_large_counts")))
        return api_error(r, NULL, e);
    give(c, array_of_integers, array_of_addresses, array_of_datatypes);
    for (size_t i = 0; i < c->counts; i++)
        array_of_large_counts[i] = c->number[c->ints + c->addresses + i];
    return MPI_SUCCESS;
}
