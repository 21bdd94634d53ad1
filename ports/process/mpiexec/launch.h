/* launch.h: starting the processes of a job. */
#ifndef MPIEXEC_LAUNCH_H
#define MPIEXEC_LAUNCH_H

#include <signal.h>
#include <sys/types.h>

#include "options.h"
#include "output.h"

struct child {
    pid_t pid;
    int ended;
    struct stream out, err;
    const char *program;
};

struct launch {
    const struct options *options;
    int job_fd;
    sigset_t mask; /* of the ranks: what mpiexec was started with */
    struct sink *out, *err;
};

/* Look for all programs before any is started. 0, or the exit status (126, 127) with the reason in `why`. */
int launch_check(const struct options *, char *why, unsigned room);
/* Start rank after rank; child[] has one entry a rank, zeroed. As launch_check(); ranks before the one that
 * failed are running. Returns when every program has been loaded. */
int launch_all(const struct launch *, struct child *, char *why, unsigned room);

#endif
