/* info_win.c: hints of windows (MPI 5.0, sections 12.2.1, 12.2.3 and 12.2.7). The library uses but "alloc_shared_noncontig", and that when
 * the window is made; it keeps all, and tells them with the standard's defaults for those that were not given.
 */
#include <string.h>

#include "info.h"
#include "win.h"

enum value { BOOLEAN, NUMBER, OPS, ORDER };

static const struct hint {
    char key[27], initial[16];
    uint8_t value; /* enum value */
    uint8_t fixed; /* since the window was made */
} hints[] = {
    {"no_locks", "false", BOOLEAN, 0},
    {"accumulate_ordering", "rar,raw,war,waw", ORDER, 0},
    {"accumulate_ops", "same_op_no_op", OPS, 0},
    {"mpi_accumulate_granularity", "0", NUMBER, 0},
    {"same_size", "false", BOOLEAN, 0},
    {"same_disp_unit", "false", BOOLEAN, 0},
    {"alloc_shared_noncontig", "false", BOOLEAN, 1}, /* of shared windows: the last */
};
enum { HINTS = sizeof hints / sizeof *hints };

static int is_one_of(const char *value, const char *a, const char *b) { return !strcmp(value, a) || !strcmp(value, b); }

/* "none", or some of these with commas between them. */
static int is_order(const char *value)
{
    if (!strcmp(value, "none"))
        return 1;
    for (;; value += 4) {
        if ((value[0] != 'r' && value[0] != 'w') || value[1] != 'a' || (value[2] != 'r' && value[2] != 'w'))
            return 0;
        if (value[3] != ',')
            return !value[3];
    }
}

static int is_number(const char *value)
{
    const char *c = value;
    while (*c >= '0' && *c <= '9')
        c++;
    return c > value && !*c;
}

static int is_valid(enum value kind, const char *value)
{
    switch (kind) {
    case BOOLEAN:
        return is_one_of(value, "true", "false");
    case NUMBER:
        return is_number(value);
    case OPS:
        return is_one_of(value, "same_op", "same_op_no_op");
    default:
        return is_order(value);
    }
}

/* Keys of the standard with a value that they have; keys of others as they are. */
static int takes(const struct win *w, const struct info_pair *p, int made)
{
    for (const struct hint *h = hints; h < hints + HINTS; h++)
        if (!strcmp(h->key, p->key))
            return is_valid(h->value, p->value) && (!h->fixed || (made && w->flavor == MPI_WIN_FLAVOR_SHARED));
    return 1;
}

int api_win_hints(struct rank *r, struct win *w, MPI_Info handle, int made)
{
    struct info *given;
    if (handle == MPI_INFO_NULL)
        return MPI_SUCCESS;
    int e = check_info(r, handle, &given);
    if (!e && !w->info)
        e = api_info_make(r, &w->info);
    for (const struct info_pair *p = e ? NULL : given->first; p && !e; p = p->next)
        if (takes(w, p, made))
            e = api_info_put(r, w->info, p->key, p->value);
    return e;
}

/* The standard's first, whether given or not. */
static int tell(struct rank *r, const struct win *w, struct info **out)
{
    int e = api_info_make(r, out), count = w->flavor == MPI_WIN_FLAVOR_SHARED ? HINTS : HINTS - 1;
    if (e)
        return e;
    for (int i = 0; i < count && !e; i++)
        e = api_info_put(r, *out, hints[i].key, hints[i].initial);
    for (const struct info_pair *p = w->info ? w->info->first : NULL; p && !e; p = p->next)
        e = api_info_put(r, *out, p->key, p->value);
    if (e)
        api_info_release(r, *out);
    return e;
}

static int find(struct rank *r, MPI_Win win, struct win **w)
{
    struct slots s = {0};
    *w = NULL;
    int e = check_win_slots ? check_win_slots(r, win, &s) : mpico_fault(r, MPI_ERR_WIN, "win: the handle is no window");
    if (!e)
        *w = (struct win *)s.handle;
    return e;
}

static int end(struct rank *r, struct win *w, int e)
{
    const struct slots s = {.handle = (uintptr_t)w, .errhandler = w ? &w->errhandler : NULL};
    return e ? api_error_slots(r, &s, e) : MPI_SUCCESS;
}

#pragma weak MPI_Win_set_info = PMPI_Win_set_info
int PMPI_Win_set_info(MPI_Win win, MPI_Info info)
{
    struct rank *r = api_enter("MPI_Win_set_info");
    struct win *w;
    int e = find(r, win, &w);
    return end(r, w, e ? e : api_win_hints(r, w, info, 0));
}

#pragma weak MPI_Win_get_info = PMPI_Win_get_info
int PMPI_Win_get_info(MPI_Win win, MPI_Info *info_used)
{
    struct rank *r = api_enter("MPI_Win_get_info");
    struct info *made;
    struct win *w;
    int e;
    if ((e = find(r, win, &w)) || (e = check_pointer(r, info_used, "info_used")) || (e = tell(r, w, &made)))
        return end(r, w, e);
    *info_used = api_info_handle(made);
    return MPI_SUCCESS;
}
