/* win.h: what the calls for windows share. */
#ifndef MPICO_API_WIN_H
#define MPICO_API_WIN_H

#include "../rma/rma.h"
#include "fast.h"

/* The window of a handle: MPI_ERR_WIN when there is none. */
int check_win(struct rank *, MPI_Win, struct win **);
/* Only bits of `allowed`: MPI_ERR_ASSERT. */
int check_assert(struct rank *, int assert, int allowed);

/* Report an error class to the window's handler, as api_error() does; `w` NULL: there is none. 0 stays 0. */
int api_win_end(struct rank *, struct win *, int e);
/* The same for what src/rma returns, which has no sentence. */
int api_win_result(struct rank *, struct win *, int e);
/* "what: it is of no use now", as MPI_ERR_RMA_SYNC. */
SELDOM int api_win_misused(struct rank *, const char *what);

/* The window takes the hints that it can: those of its making (`made`), or later ones. */
int api_win_hints(struct rank *, struct win *, MPI_Info, int made);

static inline MPI_Win api_win_handle(struct win *w) { return (MPI_Win)(void *)w; }

#endif
