/* keeper.h: the process between mpiexec and the ranks: starts them, carries their output, ends them. */
#ifndef MPIEXEC_KEEPER_H
#define MPIEXEC_KEEPER_H

#include <signal.h>
#include <sys/types.h>

#include "options.h"
#include "trace.h"

/* Run the job; returns mpiexec's exit status when no process of it is left. `outer` is the parent, at whose death
 * the job ends; the trace, if there is one, is written last. All signals are blocked; `mask` is what the ranks get, `handled` what mpiexec listens to. */
int keeper_run(const struct options *, struct tracer *, pid_t outer, const sigset_t *mask, const sigset_t *handled);

#endif
