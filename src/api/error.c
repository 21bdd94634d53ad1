/* error.c: the one place where an error becomes a code, and a call of the communicator's error handler. Codes are classes: the
 * detail is in the sentence.
 */
#include "fast.h"
#include "state.h"

int api_error(struct rank *r, struct comm *comm, int e)
{
    struct api *api = api_state(r);
    if (!comm)
        comm = r->self;
    api->last_class = e;
    api->last_call = r->call;
    if (comm->errhandler == (uintptr_t)MPI_ERRORS_RETURN)
        return e;
    if (comm->errhandler == (uintptr_t)MPI_ERRORS_ARE_FATAL || comm->errhandler == (uintptr_t)MPI_ERRORS_ABORT)
        api_die(r, comm, e);
    MPI_Comm handle = api_comm_handle(comm);
    int code = e;
    ((struct errhandler *)comm->errhandler)->function(&handle, &code);
    return e;
}
