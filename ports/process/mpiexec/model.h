/* model.h: the parameter file of a machine (docs/model.md), handed to the ranks as numbers (src/model/model.h). */
#ifndef MPIEXEC_MODEL_H
#define MPIEXEC_MODEL_H

#include <stddef.h>

#include "options.h"

/* The numbers of the file at `path` as mpico_model_read() takes them, in `out`; `processors`: of the place, 0: as the file says. 0; -1 with the reason in `why`. */
int model_read(const char *path, int processors, char *out, size_t room, char *why, unsigned why_room);

/* Add the variable MPICO_LOGGP to the ranks' environment: of the file that --model or MPICO_MODEL names, else, for processes, of the one that
 * is shipped for shared memory. 0, or mpiexec's exit status with the reason in `why`. */
int model_plan(struct options *, char *why, unsigned room);

#endif
