/* attr_win.c: attributes of windows (MPI 5.0, sections 7.7.3 and 12.2.6). */
#include "slots.h"

static int find(struct rank *r, MPI_Win win, struct slots *s)
{
    *s = (struct slots){0};
    return check_win_slots ? check_win_slots(r, win, s) : mpico_fault(r, MPI_ERR_WIN, "win: the handle is no window");
}

static int end(struct rank *r, const struct slots *s, int e) { return e ? api_error_slots(r, s, e) : MPI_SUCCESS; }

#pragma weak MPI_Win_create_keyval = PMPI_Win_create_keyval
int PMPI_Win_create_keyval(MPI_Win_copy_attr_function *win_copy_attr_fn,
                           MPI_Win_delete_attr_function *win_delete_attr_fn, int *win_keyval, void *extra_state)
{
    struct rank *r = api_enter("MPI_Win_create_keyval");
    int e = api_keyval_make(r, ATTR_WIN, (attr_function *)win_copy_attr_fn, (attr_function *)win_delete_attr_fn,
                            win_keyval, extra_state);
    return e ? api_error(r, NULL, e) : MPI_SUCCESS;
}

#pragma weak MPI_Win_free_keyval = PMPI_Win_free_keyval
int PMPI_Win_free_keyval(int *win_keyval)
{
    struct rank *r = api_enter("MPI_Win_free_keyval");
    int e = api_keyval_free(r, ATTR_WIN, win_keyval);
    return e ? api_error(r, NULL, e) : MPI_SUCCESS;
}

#pragma weak MPI_Win_set_attr = PMPI_Win_set_attr
int PMPI_Win_set_attr(MPI_Win win, int win_keyval, void *attribute_val)
{
    struct rank *r = api_enter("MPI_Win_set_attr");
    struct slots s;
    int e = find(r, win, &s);
    return end(r, &s, e ? e : api_attr_set(r, ATTR_WIN, s.handle, s.attributes, win_keyval, attribute_val));
}

#pragma weak MPI_Win_get_attr = PMPI_Win_get_attr
int PMPI_Win_get_attr(MPI_Win win, int win_keyval, void *attribute_val, int *flag)
{
    struct rank *r = api_enter("MPI_Win_get_attr");
    struct slots s;
    int found = 0, e;
    if ((e = find(r, win, &s)) || (e = check_pointer(r, attribute_val, "attribute_val")) ||
        (e = check_pointer(r, flag, "flag")))
        return end(r, &s, e);
    void *value = api_win_predefined ? api_win_predefined(r, win, win_keyval, &found) : NULL;
    if (!found)
        return end(r, &s, api_attr_get(r, ATTR_WIN, *s.attributes, win_keyval, attribute_val, flag));
    *(void **)attribute_val = value;
    *flag = 1;
    return MPI_SUCCESS;
}

#pragma weak MPI_Win_delete_attr = PMPI_Win_delete_attr
int PMPI_Win_delete_attr(MPI_Win win, int win_keyval)
{
    struct rank *r = api_enter("MPI_Win_delete_attr");
    struct slots s;
    int e = find(r, win, &s);
    return end(r, &s, e ? e : api_attr_delete(r, ATTR_WIN, s.handle, s.attributes, win_keyval));
}
