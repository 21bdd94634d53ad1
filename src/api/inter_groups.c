/* inter_groups.c: an intercommunicator made by the members of two groups, without a communicator (MPI 5.0, section 7.6.2). All know
 * both groups: leaders have nothing to tell.
 */
#include "comm_named.h"

static int check_leader(struct rank *r, const struct group *g, int leader, const char *name)
{
    if (leader >= 0 && leader < g->size)
        return MPI_SUCCESS;
    return mpico_fault(r, MPI_ERR_RANK, "%s: %d is no rank of a group of %d", name, leader, g->size);
}

static int check_groups(struct rank *r, const struct group *local, const struct group *remote)
{
    if (local->self < 0)
        return mpico_fault(r, MPI_ERR_GROUP, "local_group: this process is no member");
    for (int i = 0; i < local->size; i++)
        if (mpico_group_find(remote, group_world(local, i)) >= 0)
            return mpico_fault(r, MPI_ERR_GROUP, "the groups have a member in common: rank %d of local_group", i);
    return MPI_SUCCESS;
}

#pragma weak MPI_Intercomm_create_from_groups = PMPI_Intercomm_create_from_groups
int PMPI_Intercomm_create_from_groups(MPI_Group local_group, int local_leader, MPI_Group remote_group,
                                      int remote_leader, const char *stringtag, MPI_Info info,
                                      MPI_Errhandler errhandler, MPI_Comm *newintercomm)
{
    struct rank *r = api_enter("MPI_Intercomm_create_from_groups");
    struct comm *made = NULL;
    struct group *local = NULL, *remote = NULL;
    uint32_t id;
    int e;
    if ((e = check_named(r, stringtag, errhandler, newintercomm)) || (e = check_hints(r, info)) ||
        (e = check_group(r, local_group, &local)) || (e = check_group(r, remote_group, &remote)) ||
        (e = check_leader(r, local, local_leader, "local_leader")) ||
        (e = check_leader(r, remote, remote_leader, "remote_leader")) || (e = check_groups(r, local, remote)) ||
        (e = comm_agree_groups(r, r->world, local, remote, comm_named_tag(stringtag), &id)) ||
        (e = comm_make(r, r->world, local, remote, id, &made)))
        return comm_named_error(r, errhandler, e);
    made->errhandler = (uintptr_t)errhandler;
    made->session = local->session;
    *newintercomm = api_comm_handle(made);
    return MPI_SUCCESS;
}
