/* errhandler_win.c: error handlers of windows (MPI 5.0, section 9.3.3). */
#include "errhandler.h"

static int find(struct rank *r, MPI_Win win, struct slots *s)
{
    *s = (struct slots){.kind = ERRHANDLER_WIN};
    return check_win_slots ? check_win_slots(r, win, s) : mpico_fault(r, MPI_ERR_WIN, "win: the handle is no window");
}

#pragma weak MPI_Win_create_errhandler = PMPI_Win_create_errhandler
int PMPI_Win_create_errhandler(MPI_Win_errhandler_function *win_errhandler_fn, MPI_Errhandler *errhandler)
{
    struct rank *r = api_enter("MPI_Win_create_errhandler");
    /* Handles of all kinds are pointers, so one type of function serves. */
    int e = api_errhandler_make(r, ERRHANDLER_WIN, (MPI_Comm_errhandler_function *)win_errhandler_fn, errhandler);
    return e ? api_error(r, NULL, e) : MPI_SUCCESS;
}

#pragma weak MPI_Win_set_errhandler = PMPI_Win_set_errhandler
int PMPI_Win_set_errhandler(MPI_Win win, MPI_Errhandler errhandler)
{
    struct rank *r = api_enter("MPI_Win_set_errhandler");
    struct slots s;
    int e = find(r, win, &s);
    if (!e)
        e = api_errhandler_set(r, ERRHANDLER_WIN, s.errhandler, errhandler);
    return e ? api_error_slots(r, &s, e) : MPI_SUCCESS;
}

#pragma weak MPI_Win_get_errhandler = PMPI_Win_get_errhandler
int PMPI_Win_get_errhandler(MPI_Win win, MPI_Errhandler *errhandler)
{
    struct rank *r = api_enter("MPI_Win_get_errhandler");
    struct slots s;
    int e = find(r, win, &s);
    if (!e)
        e = api_errhandler_get(r, *s.errhandler, errhandler);
    return e ? api_error_slots(r, &s, e) : MPI_SUCCESS;
}

#pragma weak MPI_Win_call_errhandler = PMPI_Win_call_errhandler
int PMPI_Win_call_errhandler(MPI_Win win, int errorcode)
{
    struct rank *r = api_enter("MPI_Win_call_errhandler");
    struct slots s;
    int e = find(r, win, &s);
    if (e)
        return api_error_slots(r, &s, e);
    api_error_slots(r, &s, api_errhandler_called(r, errorcode));
    return MPI_SUCCESS;
}
