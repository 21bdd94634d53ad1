/* errhandler.h: what the calls of MPI_Comm_, MPI_Win_, MPI_File_ and MPI_Session_..._errhandler are made of. Each returns 0 or an
 * error class. `slot` is where an object keeps its error handler: the value of a predefined one, or a struct errhandler.
 */
#ifndef MPICO_API_ERRHANDLER_H
#define MPICO_API_ERRHANDLER_H

#include "slots.h"
#include "state.h"

int api_errhandler_make(struct rank *, enum errhandler_kind, MPI_Comm_errhandler_function *, MPI_Errhandler *);
int api_errhandler_set(struct rank *, enum errhandler_kind, uintptr_t *slot, MPI_Errhandler);
int api_errhandler_get(struct rank *, uintptr_t slot, MPI_Errhandler *);
/* The same handle, or an error class: may an object of this kind have it? */
int api_errhandler_check(struct rank *, enum errhandler_kind, MPI_Errhandler);
/* One that counts names it no more. */
void api_errhandler_drop(struct rank *, uintptr_t slot);
/* The sentence of MPI_X_call_errhandler. */
int api_errhandler_called(struct rank *, int errorcode);

#endif
