/* race.h: several programs for the same work, timed in turn on data of one size, so that whatever else the machine does meets all of
 * them alike.
 *
 * A working set is cut into portions. A slice is one program's run over one portion; a round is a slice of every program, each on a
 * portion of its own; the next round goes on with the next portions. So a set far larger than the caches gives every slice new data. */
#ifndef REALTIME_RACE_H
#define REALTIME_RACE_H

#include <stdbool.h>
#include <stddef.h>

enum { RUNNERS_MOST = 14, ROUNDS_MOST = 1000 };
enum team { TEAM_OURS, TEAM_FFTW, TEAM_PLAIN, TEAM_BOUND, TEAMS };

struct runner {
    const char *how; /* "in place", "out of place", ... */
    enum team team;
    bool in_place;
    void (*run)(const struct runner *, const float *in, float *out);
    void *plan;
    size_t calls, items;      /* calls of the library for a portion, and items a call */
    size_t in_step, out_step; /* floats from call to call */
};

struct race {
    struct runner runners[RUNNERS_MOST];
    int n;
    size_t in_floats, out_floats; /* an item's: a transform or a matrix */
    size_t items;                 /* a portion's */
    size_t portions;
    int repeat;      /* a slice goes over its portion so often */
    float *in, *out; /* portions of in_step and out_step floats */
    size_t in_step, out_step;
    double slice_s[RUNNERS_MOST][ROUNDS_MOST]; /* of one time over a portion */
    int rounds;
};

/* Rounds until `seconds` have passed and at least `rounds_least`. */
void race_run(struct race *, double seconds, int rounds_least);

/* Whether all runners but the bounds compute what runner `reference` does, within `error` of the largest number. On failure *which is one
 * that does not. Uses the first portion. */
bool race_agrees(struct race *, int reference, double error, int *which);

/* The runner of a team with the least median, or -1. */
int race_best(const struct race *, enum team);
double race_median(const struct race *, int runner);
/* Of slow's time over fast's, round by round: the quartiles. */
void race_ratio(const struct race *, int slow, int fast, double quartiles[3]);

#endif
