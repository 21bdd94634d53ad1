/* run.h: what a run of the grid is asked for, and what came out. */
#pragma once

#include "common/search.h"
#include "grid.h"
#include "sar.h"

struct wishes {
    struct shape shape;
    bool sar, alone;
    const char *chain, *turn; /* as written */
    const char *scene_file, *npy, *pgm;
    double noise;      /* negative: the scene's own */
    int targets, seed; /* seed below zero: the scene's own */
    double period_s;   /* 0: the shortest is sought */
    double most_s;     /* 0: from a first run */
    struct search search;
};

/* Reads the options. True, or the exit status is in *status and what is wrong has been said. */
bool wishes_read(struct wishes *, int argc, char **argv, int *status);
/* Reads the scene's file and the options that change it. NULL, or what is wrong. Collective. */
const char *wishes_scene(const struct wishes *, struct scene *, char *wrong, size_t room);

struct outcome {
    struct found whole, alone[STAGES_MOST];
    struct flow_times times;  /* of this rank */
    double error, error_most; /* of the results of chain fft2d; 0 of others */
    int unequal;              /* results that do not follow their input */
    long long seen, wrong;    /* results compared with the first ones, and those that differ */
};

/* Collective: the records "grid" and "grid-stage", printed by rank 0. */
void grid_report(const struct wishes *, const struct worker *, const struct outcome *);
/* Collective: finds the targets in the image of the last rank, writes the pictures there, and prints the record "sar". NULL, or what
 * went wrong; *good: all targets within half a resolution cell. */
const char *sar_report(const struct wishes *, const struct scene *, const float *image, bool *good, char *wrong,
                       size_t room);
