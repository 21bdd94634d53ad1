/* trace.h: mpiexec --trace: the memory that the ranks write into, and the file that it becomes when they are gone, however
 * they went.
 */
#ifndef MPIEXEC_TRACE_H
#define MPIEXEC_TRACE_H

#include <limits.h>
#include <stdint.h>
#include <stdio.h>

#include "../../../src/core/trace_format.h"
#include "options.h"

struct tracer {
    struct trace_file *file; /* NULL: the job is not traced */
    const char *path;
    char temp[PATH_MAX]; /* what is written, and renamed in the end; empty: `path` is no regular file, written itself */
    FILE *out;
    uint64_t limit_bytes;
};

/* Nothing without --trace. Else, before any rank is started: open the file, make the memory, and add to the options the
 * environment that leads the ranks to it. 0, or mpiexec's exit status with the reason in `why`. */
int tracer_open(struct tracer *, struct options *, char *why, unsigned room);

/* No rank runs any more: write the file. `now_ns`: the real clock. 0, or negative with the reason in `why`. */
int tracer_close(struct tracer *, uint64_t now_ns, char *why, unsigned room);
/* The job has not begun: no file. */
void tracer_drop(struct tracer *);

/* Did rank `i` write into the trace? */
int tracer_has(const struct tracer *, int rank);
/* Records that found no room. */
uint64_t tracer_dropped(const struct tracer *);

/* Fill every field of a zeroed file for `ranks` ranks whose records together take at most `limit_bytes`. Pure. */
void trace_layout(struct trace_file *, uint32_t ranks, uint64_t limit_bytes);
/* trace_write.c: the whole of a trace as JSON. What has not ended is shown until `now_ns` where the clock is a real one. Trusts no byte
 * that a rank may have written. */
void trace_write(FILE *, struct trace_file *, uint64_t now_ns);

#endif
