/* icoll_reduce_c.c: nonblocking reductions with counts of type MPI_Count (MPI 5.0, section 6.12). */
#include "coll_args.h"

#pragma weak MPI_Ireduce_c = PMPI_Ireduce_c
int PMPI_Ireduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root,
                   MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ireduce_c");
    const struct buffer recv = api_buffer(recvbuf, count, datatype);
    return api_do_reduction(r, COLL_REDUCE, sendbuf, &recv, op, root, comm, api_launch_start, request);
}

#pragma weak MPI_Iallreduce_c = PMPI_Iallreduce_c
int PMPI_Iallreduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                      MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Iallreduce_c");
    const struct buffer recv = api_buffer(recvbuf, count, datatype);
    return api_do_reduction(r, COLL_ALLREDUCE, sendbuf, &recv, op, 0, comm, api_launch_start, request);
}

#pragma weak MPI_Iscan_c = PMPI_Iscan_c
int PMPI_Iscan_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                 MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Iscan_c");
    const struct buffer recv = api_buffer(recvbuf, count, datatype);
    return api_do_reduction(r, COLL_SCAN, sendbuf, &recv, op, 0, comm, api_launch_start, request);
}

#pragma weak MPI_Iexscan_c = PMPI_Iexscan_c
int PMPI_Iexscan_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                   MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Iexscan_c");
    const struct buffer recv = api_buffer(recvbuf, count, datatype);
    return api_do_reduction(r, COLL_EXSCAN, sendbuf, &recv, op, 0, comm, api_launch_start, request);
}

#pragma weak MPI_Ireduce_scatter_c = PMPI_Ireduce_scatter_c
int PMPI_Ireduce_scatter_c(const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[], MPI_Datatype datatype,
                           MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ireduce_scatter_c");
    const struct buffer recv = {.buf = recvbuf, .counts = recvcounts, .type = datatype, .wide = 1};
    return api_do_reduction(r, COLL_REDUCE_SCATTER, sendbuf, &recv, op, 0, comm, api_launch_start, request);
}

#pragma weak MPI_Ireduce_scatter_block_c = PMPI_Ireduce_scatter_block_c
int PMPI_Ireduce_scatter_block_c(const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype,
                                 MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ireduce_scatter_block_c");
    const struct buffer recv = api_buffer(recvbuf, recvcount, datatype);
    return api_do_reduction(r, COLL_REDUCE_SCATTER_BLOCK, sendbuf, &recv, op, 0, comm, api_launch_start, request);
}
