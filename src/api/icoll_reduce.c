/* icoll_reduce.c: nonblocking reductions (MPI 5.0, section 6.12). */
#include "coll_args.h"

#pragma weak MPI_Ireduce = PMPI_Ireduce
int PMPI_Ireduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                 MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ireduce");
    const struct buffer recv = api_buffer(recvbuf, count, datatype);
    return api_do_reduction(r, COLL_REDUCE, sendbuf, &recv, op, root, comm, api_launch_start, request);
}

#pragma weak MPI_Iallreduce = PMPI_Iallreduce
int PMPI_Iallreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                    MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Iallreduce");
    const struct buffer recv = api_buffer(recvbuf, count, datatype);
    return api_do_reduction(r, COLL_ALLREDUCE, sendbuf, &recv, op, 0, comm, api_launch_start, request);
}

#pragma weak MPI_Iscan = PMPI_Iscan
int PMPI_Iscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
               MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Iscan");
    const struct buffer recv = api_buffer(recvbuf, count, datatype);
    return api_do_reduction(r, COLL_SCAN, sendbuf, &recv, op, 0, comm, api_launch_start, request);
}

#pragma weak MPI_Iexscan = PMPI_Iexscan
int PMPI_Iexscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                 MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Iexscan");
    const struct buffer recv = api_buffer(recvbuf, count, datatype);
    return api_do_reduction(r, COLL_EXSCAN, sendbuf, &recv, op, 0, comm, api_launch_start, request);
}

#pragma weak MPI_Ireduce_scatter = PMPI_Ireduce_scatter
int PMPI_Ireduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op,
                         MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ireduce_scatter");
    const struct buffer recv = {.buf = recvbuf, .counts = recvcounts, .type = datatype};
    return api_do_reduction(r, COLL_REDUCE_SCATTER, sendbuf, &recv, op, 0, comm, api_launch_start, request);
}

#pragma weak MPI_Ireduce_scatter_block = PMPI_Ireduce_scatter_block
int PMPI_Ireduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                               MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ireduce_scatter_block");
    const struct buffer recv = api_buffer(recvbuf, recvcount, datatype);
    return api_do_reduction(r, COLL_REDUCE_SCATTER_BLOCK, sendbuf, &recv, op, 0, comm, api_launch_start, request);
}
