/* A bar on the terminal that says how far the search is; nothing where stderr is no terminal. */
#ifndef MFT_PROGRESS_H
#define MFT_PROGRESS_H

#include <stdbool.h>

struct progress {
    bool shown;
    int percent;
};

void progress_start(struct progress *progress, bool wanted);
void progress_step(void *progress, int step, int steps, const char *stage);

#endif
