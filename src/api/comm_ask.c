/* comm_ask.c: who am I, of how many (MPI 5.0, section 7.4.1). */
#include "comm.h"

static int tell(struct rank *r, MPI_Comm comm, int *value, const char *name, size_t member)
{
    struct comm *c = NULL;
    int e;
    if ((e = check_comm(r, comm, &c)) || (e = check_pointer(r, value, name)))
        return api_error(r, c, e);
    *value = *(const int *)(const void *)((const char *)comm_own(c) + member);
    return MPI_SUCCESS;
}

#pragma weak MPI_Comm_rank = PMPI_Comm_rank
int PMPI_Comm_rank(MPI_Comm comm, int *rank)
{
    struct rank *r = api_enter("MPI_Comm_rank");
    return tell(r, comm, rank, "rank", offsetof(struct comm, rank));
}

#pragma weak MPI_Comm_size = PMPI_Comm_size
int PMPI_Comm_size(MPI_Comm comm, int *size)
{
    struct rank *r = api_enter("MPI_Comm_size");
    return tell(r, comm, size, "size", offsetof(struct comm, size));
}
