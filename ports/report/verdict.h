/* verdict.h: was the end of a rank a failure? */
#ifndef MPICO_VERDICT_H
#define MPICO_VERDICT_H

#include "../process/job.h"

struct verdict {
    int status; /* for mpiexec's exit status; 0: fine */
    int late;   /* after MPI_Finalize: the other ranks need not end */
};

/* From the status that waitpid() gave; `why` becomes the end of a sentence about the rank. Pure. */
struct verdict verdict_of(struct slot *, int wait_status, char *why, unsigned room);

#endif
