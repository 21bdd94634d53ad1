/* comm_ask.c: who am I, of how many (MPI 5.0, section 7.4.1). */
#include "fast.h"

#pragma weak MPI_Comm_rank = PMPI_Comm_rank
int PMPI_Comm_rank(MPI_Comm comm, int *rank)
{
    struct rank *r = api_enter("MPI_Comm_rank");
    struct comm *c = NULL;
    int e;
    if ((e = check_comm(r, comm, &c)) || (e = check_pointer(r, rank, "rank")))
        return api_error(r, c, e);
    *rank = c->rank;
    return MPI_SUCCESS;
}

#pragma weak MPI_Comm_size = PMPI_Comm_size
int PMPI_Comm_size(MPI_Comm comm, int *size)
{
    struct rank *r = api_enter("MPI_Comm_size");
    struct comm *c = NULL;
    int e;
    if ((e = check_comm(r, comm, &c)) || (e = check_pointer(r, size, "size")))
        return api_error(r, c, e);
    *size = c->size;
    return MPI_SUCCESS;
}
