/* error.c: the one place where an error becomes a code, and a call of the error handler. Codes are classes, but for the
 * program's own: the detail is in the sentence.
 */
#include "slots.h"
#include "state.h"

/* `comm` is NULL for an object of another kind. Handles of all kinds are pointers, so one type of function serves. */
static int raise(struct rank *r, const struct comm *comm, uintptr_t errhandler, uintptr_t object, int e)
{
    struct api *api = api_state(r);
    api->last_class = e;
    api->last_call = r->call;
    if (errhandler == (uintptr_t)MPI_ERRORS_RETURN)
        return e;
    if (errhandler == (uintptr_t)MPI_ERRORS_ARE_FATAL || errhandler == (uintptr_t)MPI_ERRORS_ABORT)
        api_die(r, comm, e);
    MPI_Comm handle = (MPI_Comm)object;
    int code = e;
    ((struct errhandler *)errhandler)->function(&handle, &code);
    return e;
}

int api_error(struct rank *r, struct comm *comm, int e)
{
    if (!comm)
        comm = api_unattached(r);
    return raise(r, comm, comm->errhandler, comm->handle, e);
}

int api_error_slots(struct rank *r, const struct slots *s, int e)
{
    return s->errhandler ? raise(r, NULL, *s->errhandler, s->handle, e) : api_error(r, NULL, e);
}
