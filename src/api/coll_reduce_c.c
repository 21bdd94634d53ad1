/* coll_reduce_c.c: blocking reductions with counts of type MPI_Count (MPI 5.0, sections 6.9 to 6.11). */
#include "coll_args.h"

#pragma weak MPI_Reduce_c = PMPI_Reduce_c
int PMPI_Reduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root,
                  MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Reduce_c");
    const struct buffer recv = api_buffer(recvbuf, count, datatype);
    return api_do_reduction(r, COLL_REDUCE, sendbuf, &recv, op, root, comm, api_launch_run, NULL);
}

#pragma weak MPI_Allreduce_c = PMPI_Allreduce_c
int PMPI_Allreduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                     MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Allreduce_c");
    const struct buffer recv = api_buffer(recvbuf, count, datatype);
    return api_do_reduction(r, COLL_ALLREDUCE, sendbuf, &recv, op, 0, comm, api_launch_run, NULL);
}

#pragma weak MPI_Scan_c = PMPI_Scan_c
int PMPI_Scan_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Scan_c");
    const struct buffer recv = api_buffer(recvbuf, count, datatype);
    return api_do_reduction(r, COLL_SCAN, sendbuf, &recv, op, 0, comm, api_launch_run, NULL);
}

#pragma weak MPI_Exscan_c = PMPI_Exscan_c
int PMPI_Exscan_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Exscan_c");
    const struct buffer recv = api_buffer(recvbuf, count, datatype);
    return api_do_reduction(r, COLL_EXSCAN, sendbuf, &recv, op, 0, comm, api_launch_run, NULL);
}

#pragma weak MPI_Reduce_scatter_c = PMPI_Reduce_scatter_c
int PMPI_Reduce_scatter_c(const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[], MPI_Datatype datatype,
                          MPI_Op op, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Reduce_scatter_c");
    const struct buffer recv = {.buf = recvbuf, .counts = recvcounts, .type = datatype, .wide = 1};
    return api_do_reduction(r, COLL_REDUCE_SCATTER, sendbuf, &recv, op, 0, comm, api_launch_run, NULL);
}

#pragma weak MPI_Reduce_scatter_block_c = PMPI_Reduce_scatter_block_c
int PMPI_Reduce_scatter_block_c(const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype,
                                MPI_Op op, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Reduce_scatter_block_c");
    const struct buffer recv = api_buffer(recvbuf, recvcount, datatype);
    return api_do_reduction(r, COLL_REDUCE_SCATTER_BLOCK, sendbuf, &recv, op, 0, comm, api_launch_run, NULL);
}
