/* comm_ask.c: who am I, of how many (MPI 5.0, section 7.4.1). */
#include "fast.h"

static int tell(struct rank *r, MPI_Comm comm, int *value, const char *name, size_t member)
{
    struct comm *c = NULL;
    int e;
    if ((e = check_comm(r, comm, &c)) || (e = check_pointer(r, value, name)))
        return api_error(r, c, e);
    *value = *(const int *)(const void *)((const char *)c + member);
    return MPI_SUCCESS;
}

#pragma weak MPI_Comm_rank = PMPI_Comm_rank
int PMPI_Comm_rank(MPI_Comm comm, int *rank)
{
    return tell(api_enter("MPI_Comm_rank"), comm, rank, "rank", offsetof(struct comm, rank));
}

#pragma weak MPI_Comm_size = PMPI_Comm_size
int PMPI_Comm_size(MPI_Comm comm, int *size)
{
    return tell(api_enter("MPI_Comm_size"), comm, size, "size", offsetof(struct comm, size));
}
