/* variables.h: what mpiexec says of the environment variables in ports/host/variables.h. */
#ifndef MPIEXEC_VARIABLES_H
#define MPIEXEC_VARIABLES_H

#include <stdio.h>

#include "options.h"

/* The table, as text. */
void variables_help(FILE *);

/* Are the values that the ranks will see ones that the library takes? 0, or 2 (mpiexec's status) with the sentence in `why`: said once,
 * instead of by each rank. */
int variables_check(const struct options *, char *why, unsigned room);

/* Is the name in "MPICO_NAME=VALUE" likely a misspelling? Then of which variable; else NULL. */
const char *variables_meant(const char *variable);

#endif
