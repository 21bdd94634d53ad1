/* complaint.h: what is wrong with a file that a person wrote, shown at its place. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct place {
    int line, column; /* from 1 */
};

struct complaint {
    char text[400];
    struct place place; /* line 0: no place in the file is to blame */
};

/* Fills the complaint and returns false, so that a check can end in it. */
bool complain(struct complaint *, struct place, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* "FILE:LINE:COLUMN: sentence", below it the line and a caret, both after `indent` blanks; cut to the room. */
void complaint_show(const struct complaint *, const char *file, const char *text, int indent, char *out, size_t room);
