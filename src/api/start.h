/* start.h: the library's life in a process. It is up from MPI_Init to MPI_Finalize (the world), and while a session is open: the
 * first of them starts it, the last one's end stops it, and where the place can come back (machine.away) that may repeat.
 */
#ifndef MPICO_API_START_H
#define MPICO_API_START_H

#include "api.h"

/* Up from now on: 0; negative: it has left the job, and here that is for good. */
int api_up(struct rank *, const char *call, int *argc, char ***argv);
/* No longer, if nothing holds it up: 0 or an error class. All that this process has to do for others is done then. */
int api_down(struct rank *);
/* MPI_THREAD_x: what can be had of what is asked for. The rank gives that much from now on. */
int api_thread_level(struct rank *, int required);

#endif
