/* comm_create.c: a communicator over some of another's members (MPI 5.0, section 7.4.2). */
#include "comm.h"

/* Groups of one call may differ if they are disjoint. */
static int create(struct rank *r, struct comm *c, struct group *g, struct comm **made)
{
    uint32_t id;
    int e = check_subgroup(r, c, g);
    if (e)
        return e;
    if (!SMALL && c->local)
        return comm_create_inter(r, c, g, made);
    if ((e = comm_agree(r, c, &id)))
        return e;
    if (g->self >= 0)
        return comm_make(r, c, g, NULL, id, made);
    mpico_comm_id_give(r, id);
    return MPI_SUCCESS;
}

#pragma weak MPI_Comm_create = PMPI_Comm_create
int PMPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm)
{
    struct rank *r = api_enter("MPI_Comm_create");
    struct comm *c = NULL, *made = NULL;
    struct group *g = NULL;
    int e;
    if ((e = SMALL ? check_intra(r, comm, &c) : check_comm(r, comm, &c)) || (e = check_group(r, group, &g)) ||
        (e = check_pointer(r, newcomm, "newcomm")) || (e = create(r, c, g, &made)))
        return api_error(r, c, e);
    *newcomm = comm_handle_or_null(made);
    return MPI_SUCCESS;
}
