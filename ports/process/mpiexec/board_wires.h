/* board_wires.h: the process that stands in the wires: passes bytes on, damages them, cuts, babbles, and kills nodes. */
#ifndef MPIEXEC_BOARD_WIRES_H
#define MPIEXEC_BOARD_WIRES_H

#include <stdint.h>

#include "board_links.h"
#include "launch.h"

/* Both processes see it: when a node first wrote to its console; 0: not yet. NULL without this process. */
extern _Atomic uint64_t *board_wires_spoke_ns;

/* Start it; it lives until it is killed. Faults are counted from now on. 0, or negative with errno. */
int board_wires_start(const struct options *, struct board_link *, const struct child *);

#endif
