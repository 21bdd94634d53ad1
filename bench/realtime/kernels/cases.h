/* cases.h: which kernels of which sizes on which working sets. */
#ifndef REALTIME_CASES_H
#define REALTIME_CASES_H

#include <stdbool.h>
#include <stddef.h>

#include "contest.h"

enum { CASES_MOST = 64, SETS = 4 };

enum case_kernel { CASE_FFT, CASE_FOLD, CASE_TURN };

struct size_case {
    enum case_kernel kernel;
    int n, f;
};

struct cases {
    struct size_case sizes[CASES_MOST];
    int n;
    const struct working_set *sets[SETS];
    int n_sets;
};

/* Adds the sizes of a text such as "8,16" or, of pairs, "64x8,512x512"; "none" adds none. False: `wrong` is a sentence. */
bool cases_read(struct cases *, enum case_kernel, const char *text, char *wrong, size_t room);
/* "repeated", "second", "third", "multiple" with commas between; `memory`: bytes of the last one's arrays, 0: four times the
 * largest cache. */
bool cases_read_sets(struct cases *, const char *text, double memory, char *wrong, size_t room);

#endif
