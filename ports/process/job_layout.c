/* job_layout.c: how much shared memory a job of so many ranks gets.
 *
 * There is a ring for each ordered pair, so memory grows with the square of the ranks. All of it is
 * reserved, hence zeroed, before the job starts: at about 4 GB/s, 16 MiB are 4 ms. So the payload
 * areas shrink first, to keep starting fast; then the cells, to keep the job small.
 */
#include "job.h"

#include <assert.h>

/* A launcher and a library of different builds meet here: whoever changes the layout raises the version, which both compare. */
static_assert(JOB_VERSION == 3 && sizeof(struct slot) == 448 && sizeof(struct job) == 128, "raise JOB_VERSION");

enum {
    DATA_MOST = 64 * 1024,
    DATA_LEAST = 4 * 1024,
    CELLS_MOST = 128,
    CELLS_LEAST = 16,
    CELL = JOB_LINE,
    CONTROL = 2 * JOB_LINE /* the receiver's line, and the sender's */
};
static const uint64_t quick_bytes = 16u << 20, most_bytes = 64u << 20;

static uint64_t round_up(uint64_t n, uint64_t step) { return (n + step - 1) / step * step; }

static uint64_t ring_bytes(const struct job *job)
{
    return round_up(CONTROL + (uint64_t)job->cells * CELL + job->data_bytes, JOB_LINE);
}

/* size <= 1024 and a ring <= 2^17 bytes: below 2^37, no overflow. */
static uint64_t all_rings(const struct job *job) { return (uint64_t)job->size * job->size * ring_bytes(job); }

uint64_t job_layout(struct job *job, uint32_t size, int32_t cpus, uint64_t page_bytes)
{
    job->magic = JOB_MAGIC;
    job->version = JOB_VERSION;
    job->size = size;
    job->cpus = cpus;
    job->cells = CELLS_MOST;
    job->data_bytes = DATA_MOST;
    while (all_rings(job) > quick_bytes && job->data_bytes > DATA_LEAST)
        job->data_bytes /= 2;
    while (all_rings(job) > most_bytes && job->cells > CELLS_LEAST)
        job->cells /= 2;
    job->ring_bytes = ring_bytes(job);
    job->slot_at = round_up(sizeof *job, JOB_LINE);
    job->ring_at = round_up(job->slot_at + (uint64_t)size * sizeof(struct slot), JOB_LINE);
    job->bytes = round_up(job->ring_at + all_rings(job), page_bytes);
    return job->bytes;
}
