/* copy.c: the time of a memcpy whose source and destination are in the cache, on rank 0 alone, the mean of a batch. */
#include <mpi.h>
#include <string.h>

#include "measure.h"

/* Through a pointer that may have changed, so that no copy is left out. */
static void *(*volatile copy)(void *, const void *, size_t) = memcpy;

double measure_copy(const struct place *p, const struct job *job)
{
    double before = MPI_Wtime();
    for (int i = 0; p->rank == 0 && i < job->batch; i++)
        copy(p->in, p->out, (size_t)job->bytes);
    return p->rank == 0 ? (MPI_Wtime() - before) / job->batch : 0;
}
