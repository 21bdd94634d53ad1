/* status.h: what is inside a status, below the three public fields. */
#ifndef MPICO_API_STATUS_H
#define MPICO_API_STATUS_H

#include <stdint.h>

#include "mpi.h"

enum { STATUS_LOW, STATUS_HIGH, STATUS_CANCELLED }; /* of MPI_internal */

/* Bytes of data received. */
static inline uint64_t status_bytes(const MPI_Status *s)
{
    return (uint64_t)(uint32_t)s->MPI_internal[STATUS_HIGH] << 32 | (uint32_t)s->MPI_internal[STATUS_LOW];
}
static inline void status_set_bytes(MPI_Status *s, uint64_t bytes)
{
    s->MPI_internal[STATUS_LOW] = (int)(uint32_t)bytes;
    s->MPI_internal[STATUS_HIGH] = (int)(uint32_t)(bytes >> 32);
}
static inline int status_cancelled(const MPI_Status *s) { return s->MPI_internal[STATUS_CANCELLED] != 0; }
static inline void status_set_cancelled(MPI_Status *s, int flag) { s->MPI_internal[STATUS_CANCELLED] = flag != 0; }

#endif
