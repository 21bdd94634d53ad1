/* pcoll_reduce_c.c: persistent reductions with counts of type MPI_Count (MPI 5.0, section 6.13). */
#include "coll_args.h"

#pragma weak MPI_Reduce_init_c = PMPI_Reduce_init_c
int PMPI_Reduce_init_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root,
                       MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Reduce_init_c");
    const struct buffer recv = api_buffer(recvbuf, count, datatype);
    r->hints = info;
    return api_do_reduction(r, COLL_REDUCE, sendbuf, &recv, op, root, comm, api_launch_keep, request);
}

#pragma weak MPI_Allreduce_init_c = PMPI_Allreduce_init_c
int PMPI_Allreduce_init_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                          MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Allreduce_init_c");
    const struct buffer recv = api_buffer(recvbuf, count, datatype);
    r->hints = info;
    return api_do_reduction(r, COLL_ALLREDUCE, sendbuf, &recv, op, 0, comm, api_launch_keep, request);
}

#pragma weak MPI_Scan_init_c = PMPI_Scan_init_c
int PMPI_Scan_init_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                     MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Scan_init_c");
    const struct buffer recv = api_buffer(recvbuf, count, datatype);
    r->hints = info;
    return api_do_reduction(r, COLL_SCAN, sendbuf, &recv, op, 0, comm, api_launch_keep, request);
}

#pragma weak MPI_Exscan_init_c = PMPI_Exscan_init_c
int PMPI_Exscan_init_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                       MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Exscan_init_c");
    const struct buffer recv = api_buffer(recvbuf, count, datatype);
    r->hints = info;
    return api_do_reduction(r, COLL_EXSCAN, sendbuf, &recv, op, 0, comm, api_launch_keep, request);
}

#pragma weak MPI_Reduce_scatter_init_c = PMPI_Reduce_scatter_init_c
int PMPI_Reduce_scatter_init_c(const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[], MPI_Datatype datatype,
                               MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Reduce_scatter_init_c");
    const struct buffer recv = {.buf = recvbuf, .counts = recvcounts, .type = datatype, .wide = 1};
    r->hints = info;
    return api_do_reduction(r, COLL_REDUCE_SCATTER, sendbuf, &recv, op, 0, comm, api_launch_keep, request);
}

#pragma weak MPI_Reduce_scatter_block_init_c = PMPI_Reduce_scatter_block_init_c
int PMPI_Reduce_scatter_block_init_c(const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype,
                                     MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Reduce_scatter_block_init_c");
    const struct buffer recv = api_buffer(recvbuf, recvcount, datatype);
    r->hints = info;
    return api_do_reduction(r, COLL_REDUCE_SCATTER_BLOCK, sendbuf, &recv, op, 0, comm, api_launch_keep, request);
}
