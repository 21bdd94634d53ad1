/* type_make.h: what the constructors of datatypes share. A constructor reads: enter; check what the standard says of counts;
 * have the type made (src/type/make.h); api_type_made(), with a recipe that MPI_Type_get_contents can tell later.
 */
#ifndef MPICO_API_TYPE_MAKE_H
#define MPICO_API_TYPE_MAKE_H

#include "../type/make.h"
#include "api.h"

/* One array of a constructor's arguments (a single number: an array of one), in the order in which the standard lists them. */
enum recipe_kind {
    RECIPE_INT,     /* an int in both forms of the call */
    RECIPE_COUNT,   /* int, in the large form MPI_Count */
    RECIPE_ADDRESS, /* MPI_Aint, in the large form MPI_Count */
};
struct recipe_line {
    uint8_t kind; /* enum recipe_kind */
    struct numbers what;
    size_t count;
};
enum { RECIPE_LINES = 8 };

struct recipe {
    int combiner;
    uint8_t large; /* the call was the form with MPI_Count */
    struct recipe_line lines[RECIPE_LINES];
    size_t lines_used;
    const struct type *const *types;
    size_t types_used;
};

static inline struct numbers ints(const int *at) { return (struct numbers){.at = at, .width = sizeof *at}; }
static inline struct numbers aints(const MPI_Aint *at) { return (struct numbers){.at = at, .width = sizeof *at}; }
static inline struct numbers counts(const MPI_Count *at) { return (struct numbers){.at = at, .width = sizeof *at}; }
static inline struct numbers just(ptrdiff_t value) { return (struct numbers){.same = value}; }

static inline void recipe_add(struct recipe *p, enum recipe_kind kind, struct numbers what, size_t count)
{
    p->lines[p->lines_used++] = (struct recipe_line){(uint8_t)kind, what, count};
}

/* Remember how it was made. 0, or an error class with the sentence. Small builds keep no recipes. */
int api_type_remember(struct rank *, struct own_type *, const struct recipe *);

/* An MPI_Count that is no count or address here is an error of these: of the large forms. */
int check_wide(struct rank *, MPI_Count count, const MPI_Count *numbers, const char *name);

/* The end of a constructor: `e` is what a maker returned, or an error class above 0. The handle goes to the program. */
int api_type_made(struct rank *, int e, struct own_type *, const struct recipe *, MPI_Datatype *newtype);

/* The arguments that all constructors have: the old type, and where the new one goes. */
int check_old_type(struct rank *, MPI_Datatype old, const struct type **, const MPI_Datatype *newtype);
/* An array of counts or block lengths, none negative; an array that is there where it is needed. */
int check_lengths(struct rank *, ptrdiff_t count, struct numbers, const char *name);
int check_places(struct rank *, ptrdiff_t count, struct numbers, const char *name);

/* The calls with lists of blocks: `places` in units of the extent, or (`bytes`) in bytes. */
struct block_list {
    const char *call;
    int combiner;
    uint8_t large, bytes, one_length; /* one_length: of the _block calls */
    ptrdiff_t count;
    struct numbers lens, places;
};
int api_type_blocks(struct rank *, const struct block_list *, MPI_Datatype old, MPI_Datatype *newtype);
int api_type_struct(struct rank *, const struct block_list *, const MPI_Datatype types[], MPI_Datatype *newtype);
/* contiguous (one block of `len`), vector, hvector (`bytes`). */
struct loop {
    int combiner;
    uint8_t large, bytes;
    ptrdiff_t count, len, stride;
};
int api_type_loop(struct rank *, const struct loop *, MPI_Datatype old, MPI_Datatype *newtype);

#endif
