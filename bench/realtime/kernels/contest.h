/* contest.h: what runs against what: a kernel of one size, its programs, and the working set. */
#ifndef REALTIME_CONTEST_H
#define REALTIME_CONTEST_H

#include <stdbool.h>
#include <stddef.h>

#include "race.h"
#include "simd.h"

enum { HELD_MOST = 24 };

/* Where the data are: bytes of input altogether, and of a portion; repeated: one portion again and again. */
struct working_set {
    const char *name;
    size_t bytes, portion;
    bool repeated;
};

struct contest {
    struct race race;
    const struct working_set *set;
    const char *kernel;  /* "fft", "foldfft", "turn" */
    int n, f;            /* points, 0; n, f; rows, columns */
    double flops, bytes; /* of an item; bytes read and written once */
    enum simd simd;
    bool fftw;     /* installed */
    int reference; /* the runner in plain C */
    struct {
        void (*release)(void *);
        void *what;
    } held[HELD_MOST];
    int n_held;
};

/* Each fills in a contest of which set, simd and fftw are given. False: no memory. Afterwards contest_free() in any case. */
bool contest_fft(struct contest *, int points);
bool contest_fold(struct contest *, int n, int f);
bool contest_turn(struct contest *, int rows, int columns);
void contest_free(struct contest *);

/* For these: arrays for items of so many floats. */
bool contest_room(struct contest *, size_t in_floats, size_t out_floats);
/* What contest_free() releases; false for NULL. */
bool contest_hold(struct contest *, void *what, void (*release)(void *));
/* A runner of one call for the whole portion; `plan` is held already. */
struct runner *contest_add(struct contest *, enum team, const char *how,
                           void (*run)(const struct runner *, const float *, float *), void *plan);
/* That runner by calls of at most `bytes` of input each, where a portion has more; 0: no limit. */
void contest_cut(struct contest *, struct runner *, size_t bytes);
/* Reading the input, copying as much of it as the output holds, and (in_place) reading and writing it. */
void contest_bounds(struct contest *, bool in_place);

#endif
