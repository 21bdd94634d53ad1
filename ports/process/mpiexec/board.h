/* board.h: mpiexec --board: a job whose ranks are boards, or emulators of them, wired into a ring. */
#ifndef MPIEXEC_BOARD_H
#define MPIEXEC_BOARD_H

#include <sys/types.h>

#include "launch.h"
#include "options.h"

/* Turn a job with --board into one of emulators: each rank becomes a part with a command line, its links are made; other jobs stay
 * as they are. 0, or mpiexec's exit status with the reason in `why`. What it allocates and opens lives as long as the process: both
 * ends of each link stay open, so that a node that leaves takes nothing with it that its neighbour has not read. */
int board_plan(struct options *, char *why, unsigned room);

/* Before a rank is started: a node's place in its environment, and our descriptors that it is to find as BOARD_LINKS and the next one; -1: none. */
enum { BOARD_LINKS = 3 };
void board_prepare(const struct part *, int link[2]);

/* The nodes run: start the process that stands between those that are to be disturbed, and kills those that are to be killed. 0, or
 * negative with errno. */
int board_disturb(const struct options *, const struct child *);

/* A node has written to its console. */
void board_spoke(void);

/* Each node that listens to its console prints what it waits for. */
void board_ask(void);

/* Has this rank ended because the command line says so? */
int board_killed(const struct options *, int rank, int wait_status);

#endif
