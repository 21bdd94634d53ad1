/* coll_reduce.c: blocking reductions (MPI 5.0, sections 6.9 to 6.11). */
#include "coll_args.h"

#pragma weak MPI_Reduce = PMPI_Reduce
int PMPI_Reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Reduce");
    const struct buffer recv = api_buffer(recvbuf, count, datatype);
    return api_do_reduction(r, COLL_REDUCE, sendbuf, &recv, op, root, comm, api_launch_run, NULL);
}

#pragma weak MPI_Allreduce = PMPI_Allreduce
int PMPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Allreduce");
    const struct buffer recv = api_buffer(recvbuf, count, datatype);
    return api_do_reduction(r, COLL_ALLREDUCE, sendbuf, &recv, op, 0, comm, api_launch_run, NULL);
}

#pragma weak MPI_Scan = PMPI_Scan
int PMPI_Scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Scan");
    const struct buffer recv = api_buffer(recvbuf, count, datatype);
    return api_do_reduction(r, COLL_SCAN, sendbuf, &recv, op, 0, comm, api_launch_run, NULL);
}

#pragma weak MPI_Exscan = PMPI_Exscan
int PMPI_Exscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Exscan");
    const struct buffer recv = api_buffer(recvbuf, count, datatype);
    return api_do_reduction(r, COLL_EXSCAN, sendbuf, &recv, op, 0, comm, api_launch_run, NULL);
}

#pragma weak MPI_Reduce_scatter = PMPI_Reduce_scatter
int PMPI_Reduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op,
                        MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Reduce_scatter");
    const struct buffer recv = {.buf = recvbuf, .counts = recvcounts, .type = datatype};
    return api_do_reduction(r, COLL_REDUCE_SCATTER, sendbuf, &recv, op, 0, comm, api_launch_run, NULL);
}

#pragma weak MPI_Reduce_scatter_block = PMPI_Reduce_scatter_block
int PMPI_Reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                              MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Reduce_scatter_block");
    const struct buffer recv = api_buffer(recvbuf, recvcount, datatype);
    return api_do_reduction(r, COLL_REDUCE_SCATTER_BLOCK, sendbuf, &recv, op, 0, comm, api_launch_run, NULL);
}
