/* pcoll_reduce.c: persistent reductions (MPI 5.0, section 6.13). */
#include "coll_args.h"

#pragma weak MPI_Reduce_init = PMPI_Reduce_init
int PMPI_Reduce_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                     MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Reduce_init");
    const struct buffer recv = api_buffer(recvbuf, count, datatype);
    r->hints = info;
    return api_do_reduction(r, COLL_REDUCE, sendbuf, &recv, op, root, comm, api_launch_keep, request);
}

#pragma weak MPI_Allreduce_init = PMPI_Allreduce_init
int PMPI_Allreduce_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                        MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Allreduce_init");
    const struct buffer recv = api_buffer(recvbuf, count, datatype);
    r->hints = info;
    return api_do_reduction(r, COLL_ALLREDUCE, sendbuf, &recv, op, 0, comm, api_launch_keep, request);
}

#pragma weak MPI_Scan_init = PMPI_Scan_init
int PMPI_Scan_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                   MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Scan_init");
    const struct buffer recv = api_buffer(recvbuf, count, datatype);
    r->hints = info;
    return api_do_reduction(r, COLL_SCAN, sendbuf, &recv, op, 0, comm, api_launch_keep, request);
}

#pragma weak MPI_Exscan_init = PMPI_Exscan_init
int PMPI_Exscan_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                     MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Exscan_init");
    const struct buffer recv = api_buffer(recvbuf, count, datatype);
    r->hints = info;
    return api_do_reduction(r, COLL_EXSCAN, sendbuf, &recv, op, 0, comm, api_launch_keep, request);
}

#pragma weak MPI_Reduce_scatter_init = PMPI_Reduce_scatter_init
int PMPI_Reduce_scatter_init(const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype,
                             MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Reduce_scatter_init");
    const struct buffer recv = {.buf = recvbuf, .counts = recvcounts, .type = datatype};
    r->hints = info;
    return api_do_reduction(r, COLL_REDUCE_SCATTER, sendbuf, &recv, op, 0, comm, api_launch_keep, request);
}

#pragma weak MPI_Reduce_scatter_block_init = PMPI_Reduce_scatter_block_init
int PMPI_Reduce_scatter_block_init(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                                   MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Reduce_scatter_block_init");
    const struct buffer recv = api_buffer(recvbuf, recvcount, datatype);
    r->hints = info;
    return api_do_reduction(r, COLL_REDUCE_SCATTER_BLOCK, sendbuf, &recv, op, 0, comm, api_launch_keep, request);
}
