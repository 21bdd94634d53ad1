/* A bar on the terminal that says how far the search is. */
#include "progress.h"

#include <stdio.h>
#include <unistd.h>

enum { BAR = 40 };

void progress_start(struct progress *progress, bool wanted)
{
    progress->shown = wanted && isatty(STDERR_FILENO);
    progress->percent = -1;
}

void progress_step(void *context, int step, int steps, const char *stage)
{
    struct progress *progress = context;
    int percent = (int)(100L * step / steps), filled = percent * BAR / 100;

    if (!progress->shown || percent == progress->percent)
        return;
    progress->percent = percent;
    fprintf(stderr, "\r[%.*s%*s] %3d%%  %-10s%s", filled, "########################################", BAR - filled, "",
            percent, stage, step == steps ? "\n" : "");
    fflush(stderr);
}
