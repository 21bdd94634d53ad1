/* error.c: the one place where an error becomes a code, and a call of the error handler. Codes are classes, but for the
 * program's own: the detail is in the sentence.
 */
#include "../base/text.h"
#include "slots.h"
#include "state.h"

#if MPICO_SMALL
static void tell(struct rank *r, const struct comm *comm) { (void)r, (void)comm; }
#else
/* What this library cannot do at all is no error that a program expects: a handler that keeps it to itself would leave the user
 * without a word. Of the members of a communicator, who all call, one speaks. */
static void tell(struct rank *r, const struct comm *comm)
{
    struct api *api = api_state(r);
    char line[2 * SIZE_FAULT];
    if (api->told || (comm && comm->rank != 0) || !r->machine->say)
        return;
    mpico_text_format(line, sizeof line, "%s: %s", r->call, r->fault);
    r->machine->say(r, line);
    api->told = 1;
}
#endif

/* `comm` is NULL for an object of another kind. Handles of all kinds are pointers, so one type of function serves. */
static int raise(struct rank *r, const struct comm *comm, uintptr_t errhandler, uintptr_t object, int e)
{
    struct api *api = api_state(r);
    api->last_class = e;
    api->last_call = r->call;
    if (errhandler == (uintptr_t)MPI_ERRORS_ARE_FATAL || errhandler == (uintptr_t)MPI_ERRORS_ABORT)
        api_die(r, comm, e);
    if (e == MPI_ERR_UNSUPPORTED_OPERATION)
        tell(r, comm);
    if (errhandler == (uintptr_t)MPI_ERRORS_RETURN)
        return e;
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
