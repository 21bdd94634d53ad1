/* Text files line by line, and sentences for what is wrong in them. */
#ifndef MFT_TEXT_H
#define MFT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "limits.h"

struct reader {
    FILE *file;
    const char *path;
    int line_no;
    char line[LINE_BYTES];
};

/* Prints "mft: " and the sentence to stderr, unless muted; always returns -1, so that a caller can return it. */
int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Every rank runs the same checks; all but rank 0 mute their complaints. */
void complain_mute(bool muted);

/* 0, or -1 after complaining. A reader opened must be closed. */
int reader_open(struct reader *reader, const char *folder, const char *name);
void reader_close(struct reader *reader);

/* Reads the next line without its end. Returns 1, 0 at the end of the file, or -1 after complaining of a line too
   long. */
int reader_next(struct reader *reader);

/* As reader_next, but the end of the file is an error as well: 0 or -1. `what` names the missing thing in the
   sentence. */
int reader_need(struct reader *reader, const char *what);

/* Complains of the reader's current line. Returns -1. */
int reader_reject(const struct reader *reader, const char *expected);

/* Reads up to max numbers as Fortran's list-directed input does: blanks or commas between, '/' and '!' end the record.
   Stops at the first thing that is no finite number. Returns how many it stored. */
size_t text_numbers(const char *line, double *out, size_t max);

#endif
