/* board_port.h: between the parts of ports/board. */
#ifndef MPICO_BOARD_PORT_H
#define MPICO_BOARD_PORT_H

/* "mpico: rank N: " and the line, on the console. Any context; before MPI_Init as well. */
void mpico_board_say(const char *line);

/* Has the program called MPI_Init, and not yet MPI_Finalize? */
int mpico_board_in_job(void);

/* Before main() and after it: the program runs between. Called by the start-up code. */
_Noreturn void mpico_board_run(void);

#endif
