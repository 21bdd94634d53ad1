/* description_reader.h: what the files that read a machine share: where they are in the text, and what they have found.
 * Private to the reading of descriptions.
 */
#ifndef MPICO_SIM_DESCRIPTION_READER_H
#define MPICO_SIM_DESCRIPTION_READER_H

#include "description_schema.h"
#include "toml.h"

enum { READER_NAME = 2 * TOML_KEY + 2, READER_SENTENCE = 640, READER_TABLES = 5 };

/* "", "processor", "cost", "network", "pauses". */
extern const char *const reader_tables[READER_TABLES];

struct reader {
    struct toml toml;
    struct toml_item item; /* the table or key that is looked at */
    struct description d;
    const char *path;
    const char *const *cost_names;
    int costs, kind;                                          /* of the network; negative: not known */
    int table;                                                /* that the item stands in */
    int table_line[READER_TABLES], row_line[SCHEMA_ROWS_MAX]; /* 0: not there */
    char *why;
    size_t room;
};

/* Say what is wrong in that line; negative. */
__attribute__((format(printf, 3, 4))) int reader_refuse(struct reader *, int line, const char *format, ...);

/* Check the item and put it where its row says; negative when it is refused. */
int reader_take(struct reader *, const struct row *);
/* Of all that was read: is it a machine that can be? 0, or negative. */
int reader_check(struct reader *);

/* The item is a table, or a key of the reader's table, that is not in the schema: guess what was meant. Negative. */
int reader_unknown_table(struct reader *);
int reader_unknown_key(struct reader *);
/* Is `name` what was meant by `written`, rather than what was found so far? Begin with *nearest = INT_MAX. */
int reader_nearer(const char *written, const char *name, int *nearest);

#endif
