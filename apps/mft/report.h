/* What the run found: a table to read, a file to plot. */
#ifndef MFT_REPORT_H
#define MFT_REPORT_H

#include "scene.h"
#include "search.h"
#include "surface.h"

struct timing {
    int ranks;
    double setup_s, search_s;            /* wall time of rank 0 */
    double computing_s, communicating_s; /* within the search, mean over the ranks */
    long allgathers;
};

struct findings {
    const struct options *options;
    const struct scene *scene;
    const struct search_plan *plan;
    const struct search_result *result;
    struct timing timing;
    const struct surface *surface;
    int n_surfaces;
};

/* The legs, their errors against the log, and the time, to stdout. */
void report_table(const struct findings *findings);

/* All of it as JSON. 0, or -1 after complaining. */
int report_write(const struct findings *findings, const char *path);

#endif
