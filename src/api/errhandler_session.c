/* errhandler_session.c: error handlers of sessions, which may have them before MPI_Init (MPI 5.0, section 9.3.5). */
#include "errhandler.h"

static int find(struct rank *r, MPI_Session session, struct slots *s)
{
    *s = (struct slots){.kind = ERRHANDLER_SESSION};
    return check_session_slots ? check_session_slots(r, session, s)
                               : mpico_fault(r, MPI_ERR_SESSION, "session: the handle is no session");
}

#pragma weak MPI_Session_create_errhandler = PMPI_Session_create_errhandler
int PMPI_Session_create_errhandler(MPI_Session_errhandler_function *session_errhandler_fn, MPI_Errhandler *errhandler)
{
    struct rank *r = api_enter_any("MPI_Session_create_errhandler");
    /* Handles of all kinds are pointers, so one type of function serves. */
    int e =
        api_errhandler_make(r, ERRHANDLER_SESSION, (MPI_Comm_errhandler_function *)session_errhandler_fn, errhandler);
    return e ? api_error(r, NULL, e) : MPI_SUCCESS;
}

#pragma weak MPI_Session_set_errhandler = PMPI_Session_set_errhandler
int PMPI_Session_set_errhandler(MPI_Session session, MPI_Errhandler errhandler)
{
    struct rank *r = api_enter_any("MPI_Session_set_errhandler");
    struct slots s;
    int e = find(r, session, &s);
    if (!e)
        e = api_errhandler_set(r, ERRHANDLER_SESSION, s.errhandler, errhandler);
    return e ? api_error_slots(r, &s, e) : MPI_SUCCESS;
}

#pragma weak MPI_Session_get_errhandler = PMPI_Session_get_errhandler
int PMPI_Session_get_errhandler(MPI_Session session, MPI_Errhandler *errhandler)
{
    struct rank *r = api_enter_any("MPI_Session_get_errhandler");
    struct slots s;
    int e = find(r, session, &s);
    if (!e)
        e = api_errhandler_get(r, *s.errhandler, errhandler);
    return e ? api_error_slots(r, &s, e) : MPI_SUCCESS;
}

#pragma weak MPI_Session_call_errhandler = PMPI_Session_call_errhandler
int PMPI_Session_call_errhandler(MPI_Session session, int errorcode)
{
    struct rank *r = api_enter_any("MPI_Session_call_errhandler");
    struct slots s;
    int e = find(r, session, &s);
    if (e)
        return api_error_slots(r, &s, e);
    api_error_slots(r, &s, api_errhandler_called(r, errorcode));
    return MPI_SUCCESS;
}
