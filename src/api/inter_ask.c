/* inter_ask.c: the other group of an intercommunicator (MPI 5.0, section 7.6.1). */
#include "comm.h"

int check_inter(struct rank *r, MPI_Comm handle, struct comm **comm)
{
    int e = check_comm(r, handle, comm);
    return !e && !(*comm)->local ? mpico_fault(r, MPI_ERR_COMM, "comm: is no intercommunicator") : e;
}

#pragma weak MPI_Comm_test_inter = PMPI_Comm_test_inter
int PMPI_Comm_test_inter(MPI_Comm comm, int *flag)
{
    struct rank *r = api_enter("MPI_Comm_test_inter");
    struct comm *c = NULL;
    int e;
    if ((e = check_comm(r, comm, &c)) || (e = check_pointer(r, flag, "flag")))
        return api_error(r, c, e);
    *flag = c->local != NULL;
    return MPI_SUCCESS;
}

#pragma weak MPI_Comm_remote_size = PMPI_Comm_remote_size
int PMPI_Comm_remote_size(MPI_Comm comm, int *size)
{
    struct rank *r = api_enter("MPI_Comm_remote_size");
    struct comm *c = NULL;
    int e;
    if ((e = check_inter(r, comm, &c)) || (e = check_pointer(r, size, "size")))
        return api_error(r, c, e);
    *size = c->size;
    return MPI_SUCCESS;
}

#pragma weak MPI_Comm_remote_group = PMPI_Comm_remote_group
int PMPI_Comm_remote_group(MPI_Comm comm, MPI_Group *group)
{
    struct rank *r = api_enter("MPI_Comm_remote_group");
    struct comm *c = NULL;
    int e;
    if ((e = check_inter(r, comm, &c)) || (e = check_pointer(r, group, "group")))
        return api_error(r, c, e);
    mpico_group_keep(c->group);
    *group = api_group_handle(c->group);
    return MPI_SUCCESS;
}
