/* toml.h: the part of TOML that a machine is described in: tables, bare keys, strings of one line, decimal numbers,
 * booleans, arrays of whole numbers, comments. The rest of TOML is refused with a sentence that says what to write
 * instead; what is accepted means the same to any reader of TOML. Nothing is allocated, nothing recurses. Private to
 * sim/.
 */
#ifndef MPICO_SIM_TOML_H
#define MPICO_SIM_TOML_H

#include <stddef.h>

enum { TOML_KEY = 64, TOML_TEXT = 512, TOML_LIST = 16, TOML_BYTES = 1 << 20 };

enum toml_kind { TOML_TABLE, TOML_STRING, TOML_INTEGER, TOML_REAL, TOML_BOOLEAN, TOML_ARRAY };

/* One table's header, or one key with its value. */
struct toml_item {
    enum toml_kind kind;
    int line;           /* of the key, from 1 */
    char key[TOML_KEY]; /* of a header: the table's name */
    char text[TOML_TEXT];
    double number;     /* INTEGER and REAL: finite */
    long long integer; /* INTEGER; BOOLEAN: 0 or 1 */
    int count;
    long long list[TOML_LIST];
};

struct toml {
    const char *at, *end;
    int line;
    char *why;
    size_t room;
};

/* `text` and `why` are the caller's and outlive the struct. A sentence goes to `why` when the text is wrong. */
void toml_start(struct toml *, const char *text, size_t len, char *why, size_t room);
/* 1: the next item; 0: the text is at its end; negative: it is wrong in line `toml->line`, see `why`. */
int toml_next(struct toml *, struct toml_item *);

#endif
