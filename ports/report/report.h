/* report.h: what all ranks wait for, as text. Pure: from copies of the ranks' notes. */
#ifndef MPIEXEC_REPORT_H
#define MPIEXEC_REPORT_H

#include <stdint.h>
#include <stdio.h>

#include "../../src/core/note.h"

/* A rank as the launcher sees it. */
struct view {
    struct note note;
    int attached; /* has called MPI_Init */
    int finalized;
    int ended; /* the process is gone */
    int sleeping;
    int threads; /* of the process, where several of them may call MPI and some wait in it; 0: not known */
};

/* Write the report to `out`: each rank, cycles, near misses. From REPORT_GROUPED ranks on, ranks that say the
 * same share a line. */
void report_write(FILE *out, const struct view *, int ranks);
enum { REPORT_GROUPED = 17 };

#endif
