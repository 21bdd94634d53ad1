/* type_match.c: predefined datatypes by what they can hold (MPI 5.0, section 19.1.9), and pairs by their members (5.1.15). */
#include "state.h"
#include "type_make.h"

/* By the logarithm of the size in bytes, complex ones of each half; 0: none. */
enum { SIZES = 5, TYPECLASS_LOGICAL = 191 /* MPI 5.1 */ };
static const uint16_t sized_logical[SIZES] = {0x2c0, 0x2c8, 0x2d0, 0x2d8, 0x2e0};
static const uint16_t sized_integer[SIZES] = {0x2c1, 0x2c9, 0x2d1, 0x2d9, 0x2e1};
static const uint16_t sized_real[SIZES] = {0, 0x2ca, 0x2d2, 0x2da, 0x2e2};
static const uint16_t sized_complex[SIZES] = {0, 0x2d3, 0x2db, 0x2e3, 0x2eb};

static const uint16_t *class_of(int typeclass)
{
    switch (typeclass) {
    case TYPECLASS_LOGICAL:
        return sized_logical;
    case MPI_TYPECLASS_INTEGER:
        return sized_integer;
    case MPI_TYPECLASS_REAL:
        return sized_real;
    case MPI_TYPECLASS_COMPLEX:
        return sized_complex;
    default:
        return NULL;
    }
}

#pragma weak MPI_Type_match_size = PMPI_Type_match_size
int PMPI_Type_match_size(int typeclass, int size, MPI_Datatype *datatype)
{
    struct rank *r = api_enter("MPI_Type_match_size");
    const uint16_t *class = class_of(typeclass);
    int e = check_pointer(r, datatype, "datatype");
    if (!e && !class)
        e = mpico_fault(r, MPI_ERR_ARG, "typeclass: %d is none of the MPI_TYPECLASS constants", typeclass);
    if (e)
        return api_error(r, NULL, e);
    int each = typeclass == MPI_TYPECLASS_COMPLEX ? size / 2 : size;
    for (int i = 0; i < SIZES; i++)
        if (class[i] && each == 1 << i && (each == size || size == 2 * each)) {
            *datatype = (MPI_Datatype)(uintptr_t) class[i];
            return MPI_SUCCESS;
        }
    return api_error(r, NULL, mpico_fault(r, MPI_ERR_ARG, "size: no datatype of this class has %d bytes", size));
}

/* ---- By precision and range ---- */

/* One that was asked for: the same answer every time. It lives as long as the rank. */
struct by_range {
    int combiner, p, r;
    struct own_type *type;
    struct by_range *next;
};

static struct own_type *asked_before(const struct rank *r, const struct by_range *wanted)
{
    const struct by_range *b = api_state(r)->types_by_range;
    while (b && (b->combiner != wanted->combiner || b->p != wanted->p || b->r != wanted->r))
        b = b->next;
    return b ? b->type : NULL;
}

/* Predefined, though made now: committed, never freed, and good for reductions as what it is a copy of. */
static int make(struct rank *r, const struct by_range *wanted, const struct type *model, struct own_type **made)
{
    struct by_range *entry = mpico_heap_alloc(&r->heap, sizeof *entry);
    if (!entry || mpico_type_make_copy(&r->heap, model, made)) {
        mpico_heap_free(&r->heap, entry);
        return mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a datatype");
    }
    int numbers = wanted->combiner == MPI_COMBINER_F90_INTEGER ? 1 : 2;
    struct recipe p = {.combiner = wanted->combiner};
    if (numbers == 2)
        recipe_add(&p, RECIPE_INT, just(wanted->p), 1);
    recipe_add(&p, RECIPE_INT, just(wanted->r), 1);
    int e = SMALL ? MPI_SUCCESS : api_type_remember(r, *made, &p);
    if (e) {
        mpico_type_release_own(&r->heap, &(*made)->type);
        mpico_heap_free(&r->heap, entry);
        return e;
    }
    (*made)->type.predefined = 1;
    (*made)->type.class = model->class;
    *entry = *wanted;
    entry->type = *made;
    entry->next = api_state(r)->types_by_range;
    api_state(r)->types_by_range = entry;
    return MPI_SUCCESS;
}

/* `size`: the logarithm of the size that suffices; SIZES: none does. */
static int by_range(struct rank *r, const struct by_range *wanted, const uint16_t class[SIZES], int size,
                    MPI_Datatype *newtype)
{
    int e = check_pointer(r, newtype, "newtype");
    if (!e && size >= SIZES)
        e = mpico_fault(r, MPI_ERR_ARG, "p, r: no datatype has precision %d and range %d", wanted->p, wanted->r);
    struct own_type *o = e ? NULL : asked_before(r, wanted);
    if (!e && !o)
        e = make(r, wanted, mpico_type_of(class[size]), &o);
    if (e)
        return api_error(r, NULL, e);
    *newtype = (MPI_Datatype)o->type.handle;
    return MPI_SUCCESS;
}

/* Decimal digits and exponents of IEEE's formats of 4, 8 and 16 bytes. What is not asked for is MPI_UNDEFINED, which is
 * negative. */
static int real_size(int p, int r)
{
    static const struct {
        int precision, range;
    } can[] = {{6, 37}, {15, 307}, {33, 4931}};
    int i = 0;
    while (i < 3 && (p > can[i].precision || r > can[i].range))
        i++;
    return (p < 0 && r < 0) ? SIZES : 2 + i;
}

#pragma weak MPI_Type_create_f90_real = PMPI_Type_create_f90_real
int PMPI_Type_create_f90_real(int p, int r, MPI_Datatype *newtype)
{
    struct rank *me = api_enter("MPI_Type_create_f90_real");
    const struct by_range wanted = {.combiner = MPI_COMBINER_F90_REAL, .p = p, .r = r};
    return by_range(me, &wanted, sized_real, real_size(p, r), newtype);
}

#pragma weak MPI_Type_create_f90_complex = PMPI_Type_create_f90_complex
int PMPI_Type_create_f90_complex(int p, int r, MPI_Datatype *newtype)
{
    struct rank *me = api_enter("MPI_Type_create_f90_complex");
    const struct by_range wanted = {.combiner = MPI_COMBINER_F90_COMPLEX, .p = p, .r = r};
    return by_range(me, &wanted, sized_complex, real_size(p, r), newtype);
}

#pragma weak MPI_Type_create_f90_integer = PMPI_Type_create_f90_integer
int PMPI_Type_create_f90_integer(int r, MPI_Datatype *newtype)
{
    struct rank *me = api_enter("MPI_Type_create_f90_integer");
    static const int digits[SIZES] = {2, 4, 9, 18, 38};
    const struct by_range wanted = {.combiner = MPI_COMBINER_F90_INTEGER, .r = r};
    int size = 0;
    while (size < SIZES && r > digits[size])
        size++;
    return by_range(me, &wanted, sized_integer, size, newtype);
}

/* ---- Pairs ---- */

static const struct {
    uint16_t value, index, pair;
} pairs[] = {{0x210, 0x209, 0x228}, {0x214, 0x209, 0x229}, {0x20a, 0x209, 0x22a},
             {0x209, 0x209, 0x22b}, {0x208, 0x209, 0x22c}, {0x220, 0x209, 0x22d},
             {0x21a, 0x21a, 0x230}, {0x21c, 0x21c, 0x231}, {0x219, 0x219, 0x232}};

#pragma weak MPI_Type_get_value_index = PMPI_Type_get_value_index
int PMPI_Type_get_value_index(MPI_Datatype value_type, MPI_Datatype index_type, MPI_Datatype *pair_type)
{
    struct rank *r = api_enter("MPI_Type_get_value_index");
    const struct type *value = NULL, *index = NULL;
    int e;
    if ((e = check_any_type(r, value_type, &value)) || (e = check_any_type(r, index_type, &index)) ||
        (e = check_pointer(r, pair_type, "pair_type")))
        return api_error(r, NULL, e);
    *pair_type = MPI_DATATYPE_NULL;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i].value == value->handle && pairs[i].index == index->handle)
            *pair_type = (MPI_Datatype)(uintptr_t)pairs[i].pair;
    return MPI_SUCCESS;
}
