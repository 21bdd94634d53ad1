/* runner.h: a job whose ranks live in one process. */
#ifndef MPIEXEC_RUNNER_H
#define MPIEXEC_RUNNER_H

#include <limits.h>

#include "options.h"

/* Turn a job with --fibers or --machine into one of a single process, the runner, whose arguments say the rest;
 * other jobs stay as they are. 0, or mpiexec's exit status with the reason in `why`. What it allocates lives as
 * long as the process. */
int runner_plan(struct options *, char *why, unsigned room);

/* The file of a machine: itself, if the name has a '/' or ends in ".toml"; else NAME.toml in `folder`. 0, or
 * negative with the known names in `why`. */
int runner_machine(const char *name, const char *folder, char *path, unsigned path_room, char *why, unsigned room);

/* The path of <folder of mpiexec>/../<name>; empty when it is too long. */
void runner_beside(const char *name, char path[PATH_MAX]);

#endif
