/* session_pset.c: the sets of processes that a session knows (MPI 5.0, section 11.3.2): all of the job, and this one. */
#include <string.h>

#include "../base/text.h"
#include "carried.h"
#include "info.h"
#include "session.h"

static const char *const psets[] = {"mpi://WORLD", "mpi://SELF"};
enum { PSET_WORLD, PSET_SELF, PSETS };

/* Names of sets are URIs, whose letters' case means nothing (MPI 5.0, section 11.3.2). */
static int same_name(const char *a, const char *b)
{
    for (;; a++, b++) {
        int x = *a >= 'A' && *a <= 'Z' ? *a + 'a' - 'A' : *a, y = *b >= 'A' && *b <= 'Z' ? *b + 'a' - 'A' : *b;
        if (x != y)
            return 0;
        if (!x)
            return 1;
    }
}

static int check_pset(struct rank *r, const char *name, int *pset)
{
    int e = check_pointer(r, name, "pset_name");
    if (e)
        return e;
    for (*pset = 0; *pset < PSETS; ++*pset)
        if (same_name(name, psets[*pset]))
            return MPI_SUCCESS;
    return mpico_fault(r, MPI_ERR_ARG, "pset_name: no such set; there are mpi://WORLD and mpi://SELF");
}

#pragma weak MPI_Session_get_num_psets = PMPI_Session_get_num_psets
int PMPI_Session_get_num_psets(MPI_Session session, MPI_Info info, int *npset_names)
{
    struct rank *r = api_enter_any("MPI_Session_get_num_psets");
    struct session *s = NULL;
    int e;
    if ((e = check_session(r, session, &s)) || (e = check_hints(r, info)) ||
        (e = check_pointer(r, npset_names, "npset_names")))
        return api_session_error(r, s, e);
    *npset_names = PSETS;
    return MPI_SUCCESS;
}

/* As much of the name as there is room for, and the length it needs with its end. */
static void give_name(const char *name, int *room, char *out)
{
    size_t need = strlen(name) + 1, len = (size_t)*room < need ? (size_t)*room : need;
    if (len) {
        memcpy(out, name, len);
        out[len - 1] = 0;
    }
    *room = (int)need;
}

#pragma weak MPI_Session_get_nth_pset = PMPI_Session_get_nth_pset
int PMPI_Session_get_nth_pset(MPI_Session session, MPI_Info info, int n, int *pset_len, char *pset_name)
{
    struct rank *r = api_enter_any("MPI_Session_get_nth_pset");
    struct session *s = NULL;
    int e;
    if ((e = check_session(r, session, &s)) || (e = check_hints(r, info)) ||
        (e = check_pointer(r, pset_len, "pset_len")))
        return api_session_error(r, s, e);
    if (n < 0 || n >= PSETS)
        e = mpico_fault(r, MPI_ERR_ARG, "n: there is no set %d, only 0 to %d", n, PSETS - 1);
    else if (*pset_len < 0)
        e = mpico_fault(r, MPI_ERR_ARG, "pset_len: %d is negative", *pset_len);
    else if (*pset_len)
        e = check_pointer(r, pset_name, "pset_name");
    if (e)
        return api_session_error(r, s, e);
    give_name(psets[n], pset_len, pset_name);
    return MPI_SUCCESS;
}

#pragma weak MPI_Session_get_pset_info = PMPI_Session_get_pset_info
int PMPI_Session_get_pset_info(MPI_Session session, const char *pset_name, MPI_Info *info)
{
    struct rank *r = api_enter_any("MPI_Session_get_pset_info");
    struct session *s = NULL;
    struct info *made = NULL;
    char size[12];
    int e, pset;
    if ((e = check_session(r, session, &s)) || (e = check_pset(r, pset_name, &pset)) ||
        (e = check_pointer(r, info, "info")) || (e = api_info_make(r, &made)))
        return api_session_error(r, s, e);
    mpico_text_format(size, sizeof size, "%d", pset == PSET_SELF ? 1 : r->world_size);
    if ((e = api_info_put(r, made, "mpi_size", size))) {
        api_info_release(r, made);
        return api_session_error(r, s, e);
    }
    *info = api_info_handle(made);
    return MPI_SUCCESS;
}

#pragma weak MPI_Group_from_session_pset = PMPI_Group_from_session_pset
int PMPI_Group_from_session_pset(MPI_Session session, const char *pset_name, MPI_Group *newgroup)
{
    struct rank *r = api_enter_any("MPI_Group_from_session_pset");
    struct session *s = NULL;
    int e, pset;
    if ((e = check_session(r, session, &s)) || (e = check_pset(r, pset_name, &pset)) ||
        (e = check_pointer(r, newgroup, "newgroup")))
        return api_session_error(r, s, e);
    int alone = pset == PSET_SELF;
    struct group *g = mpico_group_range(r, alone ? r->world_rank : 0, alone ? 1 : r->world_size);
    if (!g)
        return api_session_error(r, s, mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a group"));
    g->session = s;
    *newgroup = api_group_handle(g);
    return MPI_SUCCESS;
}
