/* Ambiguity surfaces for the picture. */
#ifndef MFT_SURFACE_H
#define MFT_SURFACE_H

#include "scene.h"
#include "search.h"

enum { SURFACE_COLUMNS = 240, SURFACE_ROWS = 120 };

struct surface {
    const char *kind;                    /* "range-depth": along the found bearing; "plan": at the found depth */
    double t;                            /* s, of its one snapshot */
    double x_low, x_high, y_low, y_high; /* m: range and depth, or east and north */
    double value[SURFACE_ROWS][SURFACE_COLUMNS]; /* mean Bartlett power over the tones; rows in order of y */
};

/* Collective: rows are dealt over the ranks and reduced to rank 0, which alone has the values afterwards. */
void surface_range_depth(struct surface *surface, const struct scene *scene, struct source found, int snapshot,
                         int rank, int size);
void surface_plan(struct surface *surface, const struct scene *scene, struct source found, int snapshot, int rank,
                  int size);

#endif
