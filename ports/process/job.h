/* job.h: the shared memory of one job, as mpiexec lays it out and the ranks map it.
 *
 * An unnamed memfd, inherited; MPICO_JOB="<fd>:<rank>" names it to each rank. Reserved up front, so
 * that a shortage is mpiexec's error and never a rank's SIGBUS. All offsets follow from `size` and
 * the two ring lengths: nobody stores pointers.
 *
 *   struct job | struct slot [size] | rings: one for each ordered pair of ranks, grouped by receiver
 */
#ifndef MPICO_JOB_H
#define MPICO_JOB_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "../../src/core/note.h"

#define JOB_VARIABLE "MPICO_JOB"
enum { JOB_MAGIC = 0x6d70696a, JOB_VERSION = 3, JOB_LINE = 64, JOB_RANKS_MAX = 1024 };

/* One rank's own page of the job. */
struct slot {
    _Alignas(JOB_LINE) _Atomic uint32_t doorbell; /* futex: rung to wake the rank */
    _Atomic uint32_t sleeping;                    /* 1: ring the doorbell after sending */
    _Atomic int32_t rung_on;                      /* the processor on which it was rung last */
    _Alignas(JOB_LINE) _Atomic int32_t pid;       /* who claimed the rank, 0: nobody yet */
    _Atomic uint32_t finalized; /* 1: has called MPI_Finalize; its exit is no failure. 2: that, but it may come back */
    _Atomic int32_t exit_code;  /* of MPI_Abort */
    _Atomic uint32_t aborted;   /* 1: called MPI_Abort; the sentence is on its stderr */
    struct note note;
};

struct job {
    uint32_t magic, version;
    uint32_t size;       /* ranks */
    uint32_t cells;      /* of each ring, a power of two */
    uint32_t data_bytes; /* of each ring's payload area, a power of two */
    int32_t cpus;        /* the ranks may really use: affinity mask and cgroup quota */
    uint64_t bytes;      /* of the whole mapping */
    uint64_t slot_at, ring_at, ring_bytes;
    _Alignas(JOB_LINE) _Atomic uint32_t started; /* ranks that have attached */
    _Atomic uint32_t stopped;                    /* ranks that have left; futex */
    _Atomic uint32_t dead;                       /* 1 + the first rank that died */
    _Atomic uint64_t shared_bytes;               /* ever asked for by share.c; they lie behind `bytes` in the memfd */
};

/* Fill every field of a zeroed job for `size` ranks; returns the bytes of the whole mapping, whole pages of the kernel's size. Pure. */
uint64_t job_layout(struct job *, uint32_t size, int32_t cpus, uint64_t page_bytes);

static inline struct slot *job_slot(struct job *job, uint32_t rank)
{
    return (struct slot *)(void *)((char *)job + job->slot_at) + rank;
}
static inline void *job_ring(struct job *job, uint32_t from, uint32_t to)
{
    return (char *)job + job->ring_at + ((uint64_t)to * job->size + from) * job->ring_bytes;
}

#endif
