/* machine.h: what mpiexec asks of the kernel before a job, and how it makes an end of one. */
#ifndef MPIEXEC_MACHINE_H
#define MPIEXEC_MACHINE_H

#include <stdint.h>

#include "../job.h"

/* CPUs that this process may really use: affinity mask and cgroup quota, at least 1. */
int machine_cpus(void);

/* The shared memory of a job of so many ranks, reserved and laid out; its descriptor is inherited by programs.
 * NULL with the reason in `why` (`room` bytes). */
struct job *machine_job(int ranks, int *fd, char *why, unsigned room);

/* Kill (SIGKILL) every descendant of this process; reap all, wherever they stand in the tree. Blocks until none
 * is left. The caller is a child subreaper, so whatever loses its parent comes here. */
void machine_kill_tree(void);

/* How many threads the process of a rank has, whose number is the rank's own word. 0: not known, as it is gone, may not be looked at, or
 * is none of our descendants: its number is that of a container. */
int machine_threads(int pid);

uint64_t machine_now_ns(void);

#endif
