/* description_schema.h: one row a key of a machine file. The rows check what is read (description.c), show it and
 * document it (description_show.c); no other place knows a key by name. Private to sim/.
 */
#ifndef MPICO_SIM_DESCRIPTION_SCHEMA_H
#define MPICO_SIM_DESCRIPTION_SCHEMA_H

#include "description.h"

enum { SCHEMA_ROWS_MAX = 96, SCHEMA_KINDS = 4, SCHEMA_COST_MAX = 1000000000 };

enum row_type {
    ROW_TEXT,   /* char[] of `room` */
    ROW_WHOLE,  /* int */
    ROW_NUMBER, /* double */
    ROW_FLAG,   /* int, 0 or 1 */
    ROW_CHOICE, /* an enum: the place of the text in `words` */
    ROW_WORD,   /* char[] of `room`: one of `words` */
    ROW_EXTENTS /* int[DESCRIPTION_AXES] at `offset`, their number in an int at `room` */
};

struct row {
    const char *table; /* "": before the first table */
    const char *key;
    enum row_type type;
    unsigned kinds; /* bit k: a network of kind k has it; 0: every machine has it */
    int optional;   /* `otherwise` is its value when the file is silent */
    double otherwise;
    double least, most; /* of WHOLE, NUMBER; of each of EXTENTS */
    int above;          /* `least` itself is not allowed */
    size_t offset, room;
    const char *const *words; /* ends with NULL */
    const char *unit;
    const char *pity; /* what is wrong with a value out of range */
    const char *meaning;
};

/* The words of network.kind, in the order of enum network_kind. */
extern const char *const schema_kinds[SCHEMA_KINDS + 1];

/* How many rows there are with so many costs, and row `i` of them: the top, [processor], [cost], [network]. */
int schema_rows(int costs);
struct row schema_row(const char *const *cost_names, int costs, int i);
/* Does a network of this kind have the row? `kind` is negative while it is not known. */
int schema_has(const struct row *, int kind);
/* "network.ports", as messages name it. */
void schema_name(const struct row *, char *text, size_t room);
/* "1 to 64", "above 0", "'a' or 'b'": what may be written. */
void schema_range(const struct row *, char *text, size_t room);

static inline void *schema_target(const struct row *r, struct description *d) { return (char *)d + r->offset; }
static inline const void *schema_source(const struct row *r, const struct description *d)
{
    return (const char *)d + r->offset;
}

#endif
