/* comm_group.c: communicators made by the members of a group alone (MPI 5.0, sections 7.4.2 and 7.4.3). */
#include "comm.h"
#include "comm_named.h"
#include "errhandler.h"

#pragma weak MPI_Comm_create_group = PMPI_Comm_create_group
int PMPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm)
{
    struct rank *r = api_enter("MPI_Comm_create_group");
    struct comm *c = NULL, *made = NULL;
    struct group *g = NULL;
    uint32_t id;
    int e;
    if ((e = check_intra(r, comm, &c)) || (e = check_group(r, group, &g)) || (e = check_send_tag(r, tag)) ||
        (e = check_pointer(r, newcomm, "newcomm")) || (e = check_subgroup(r, c, g)))
        return api_error(r, c, e);
    if (g->self >= 0 && ((e = comm_agree_groups(r, c, g, NULL, COMM_TAG_GROUP | (tag & COMM_TAG_BITS), &id)) ||
                         (e = comm_make(r, c, g, NULL, id, &made))))
        return api_error(r, c, e);
    *newcomm = comm_handle_or_null(made);
    return MPI_SUCCESS;
}

/* The tag that a name stands for: FNV-1a, G. Fowler, L. C. Noll, K.-P. Vo. */
int comm_named_tag(const char *name)
{
    uint32_t h = 2166136261u;
    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * 16777619u;
    return COMM_TAG_NAMED | (int)((h ^ h >> 28) & COMM_TAG_BITS);
}

int comm_named_error(struct rank *r, MPI_Errhandler errhandler, int e)
{
    struct comm stand_in = *r->self;
    if (e == MPI_ERR_ERRHANDLER)
        return api_error(r, NULL, e);
    stand_in.errhandler = (uintptr_t)errhandler;
    return api_error(r, &stand_in, e);
}

int check_named(struct rank *r, const char *stringtag, MPI_Errhandler errhandler, MPI_Comm *newcomm)
{
    size_t len = 0;
    int e;
    if ((e = api_errhandler_check(r, ERRHANDLER_COMM, errhandler)) || (e = check_pointer(r, stringtag, "stringtag")) ||
        (e = check_pointer(r, newcomm, "newcomm")))
        return e;
    while (len < MPI_MAX_STRINGTAG_LEN && stringtag[len])
        len++;
    return len < MPI_MAX_STRINGTAG_LEN
               ? MPI_SUCCESS
               : mpico_fault(r, MPI_ERR_ARG, "stringtag: is longer than %d bytes", MPI_MAX_STRINGTAG_LEN - 1);
}

#pragma weak MPI_Comm_create_from_group = PMPI_Comm_create_from_group
int PMPI_Comm_create_from_group(MPI_Group group, const char *stringtag, MPI_Info info, MPI_Errhandler errhandler,
                                MPI_Comm *newcomm)
{
    struct rank *r = api_enter("MPI_Comm_create_from_group");
    struct comm *made = NULL;
    struct group *g = NULL;
    uint32_t id;
    int e;
    if ((e = check_named(r, stringtag, errhandler, newcomm)) || (e = check_hints(r, info)) ||
        (e = check_group(r, group, &g)))
        return comm_named_error(r, errhandler, e);
    if (g->size > 0 && g->self < 0)
        return comm_named_error(r, errhandler, mpico_fault(r, MPI_ERR_GROUP, "group: this process is no member"));
    if (g->size > 0 && ((e = comm_agree_groups(r, r->world, g, NULL, comm_named_tag(stringtag), &id)) ||
                        (e = comm_make(r, r->world, g, NULL, id, &made))))
        return comm_named_error(r, errhandler, e);
    if (made) {
        made->errhandler = (uintptr_t)errhandler;
        made->session = g->session;
    }
    *newcomm = comm_handle_or_null(made);
    return MPI_SUCCESS;
}
