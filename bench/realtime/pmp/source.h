/* source.h: what rank 0 holds of a pattern until all nodes have their part. */
#pragma once

#include "pmp/check.h"

struct source {
    struct pattern pattern;
    struct stages stages;
    int *largest; /* by node: bytes of the largest message sent to it */
};

/* Reads and judges a file. subperiods as share_pattern() has it; ranks 0: for any number of nodes. False: the sentence says what is
 * wrong and where. source_free() is in order either way, the source being zeroed before. */
bool source_read(struct source *, const char *file, int default_bytes, int subperiods, bool exact, int ranks,
                 char *wrong, size_t room);

void source_free(struct source *);
