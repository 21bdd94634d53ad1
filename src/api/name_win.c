/* name_win.c: names of windows (MPI 5.0, section 7.8). */
#include "slots.h"

static int find(struct rank *r, MPI_Win win, struct slots *s)
{
    *s = (struct slots){0};
    return check_win_slots ? check_win_slots(r, win, s) : mpico_fault(r, MPI_ERR_WIN, "win: the handle is no window");
}

static int end(struct rank *r, const struct slots *s, int e) { return e ? api_error_slots(r, s, e) : MPI_SUCCESS; }

#pragma weak MPI_Win_set_name = PMPI_Win_set_name
int PMPI_Win_set_name(MPI_Win win, const char *win_name)
{
    struct rank *r = api_enter("MPI_Win_set_name");
    struct slots s;
    int e = find(r, win, &s);
    return end(r, &s, e ? e : api_name_set(r, s.name, win_name));
}

#pragma weak MPI_Win_get_name = PMPI_Win_get_name
int PMPI_Win_get_name(MPI_Win win, char *win_name, int *resultlen)
{
    struct rank *r = api_enter("MPI_Win_get_name");
    struct slots s = {0};
    int e = win == MPI_WIN_NULL ? MPI_SUCCESS : find(r, win, &s);
    if (!e)
        e = api_name_get(r, s.name ? *s.name : NULL, s.name ? "" : "MPI_WIN_NULL", win_name, resultlen);
    return end(r, &s, e);
}
