/* neighbor_i.c: nonblocking neighbourhood collectives (MPI 5.0, section 8.7). */
#include "neighbor.h"

#pragma weak MPI_Ineighbor_allgather = PMPI_Ineighbor_allgather
int PMPI_Ineighbor_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                             MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ineighbor_allgather");
    const struct neighbor_side send = {.buf = sendbuf, .count = sendcount, .type = sendtype, .one = 1};
    const struct neighbor_side recv = {.buf = recvbuf, .count = recvcount, .type = recvtype};
    return api_neighbor(r, &send, &recv, comm, api_launch_start, request);
}

#pragma weak MPI_Ineighbor_allgather_c = PMPI_Ineighbor_allgather_c
int PMPI_Ineighbor_allgather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                               MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ineighbor_allgather_c");
    const struct neighbor_side send = {.buf = sendbuf, .count = sendcount, .type = sendtype, .one = 1};
    const struct neighbor_side recv = {.buf = recvbuf, .count = recvcount, .type = recvtype};
    return api_neighbor(r, &send, &recv, comm, api_launch_start, request);
}

#pragma weak MPI_Ineighbor_allgatherv = PMPI_Ineighbor_allgatherv
int PMPI_Ineighbor_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                              const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm,
                              MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ineighbor_allgatherv");
    const struct neighbor_side send = {.buf = sendbuf, .count = sendcount, .type = sendtype, .one = 1};
    const struct neighbor_side recv = {
        .vector = 1, .buf = recvbuf, .counts = recvcounts, .displs = displs, .type = recvtype};
    return api_neighbor(r, &send, &recv, comm, api_launch_start, request);
}

#pragma weak MPI_Ineighbor_allgatherv_c = PMPI_Ineighbor_allgatherv_c
int PMPI_Ineighbor_allgatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                                const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                                MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ineighbor_allgatherv_c");
    const struct neighbor_side send = {.buf = sendbuf, .count = sendcount, .type = sendtype, .one = 1};
    const struct neighbor_side recv = {.vector = 1,
                                       .buf = recvbuf,
                                       .counts = recvcounts,
                                       .displs = displs,
                                       .type = recvtype,
                                       .wide_counts = 1,
                                       .wide_displs = 1};
    return api_neighbor(r, &send, &recv, comm, api_launch_start, request);
}

#pragma weak MPI_Ineighbor_alltoall = PMPI_Ineighbor_alltoall
int PMPI_Ineighbor_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                            MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ineighbor_alltoall");
    const struct neighbor_side send = {.buf = sendbuf, .count = sendcount, .type = sendtype};
    const struct neighbor_side recv = {.buf = recvbuf, .count = recvcount, .type = recvtype};
    return api_neighbor(r, &send, &recv, comm, api_launch_start, request);
}

#pragma weak MPI_Ineighbor_alltoall_c = PMPI_Ineighbor_alltoall_c
int PMPI_Ineighbor_alltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                              MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ineighbor_alltoall_c");
    const struct neighbor_side send = {.buf = sendbuf, .count = sendcount, .type = sendtype};
    const struct neighbor_side recv = {.buf = recvbuf, .count = recvcount, .type = recvtype};
    return api_neighbor(r, &send, &recv, comm, api_launch_start, request);
}

#pragma weak MPI_Ineighbor_alltoallv = PMPI_Ineighbor_alltoallv
int PMPI_Ineighbor_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                             void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                             MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ineighbor_alltoallv");
    const struct neighbor_side send = {
        .vector = 1, .buf = sendbuf, .counts = sendcounts, .displs = sdispls, .type = sendtype};
    const struct neighbor_side recv = {
        .vector = 1, .buf = recvbuf, .counts = recvcounts, .displs = rdispls, .type = recvtype};
    return api_neighbor(r, &send, &recv, comm, api_launch_start, request);
}

#pragma weak MPI_Ineighbor_alltoallv_c = PMPI_Ineighbor_alltoallv_c
int PMPI_Ineighbor_alltoallv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                               MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
                               const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ineighbor_alltoallv_c");
    const struct neighbor_side send = {.vector = 1,
                                       .buf = sendbuf,
                                       .counts = sendcounts,
                                       .displs = sdispls,
                                       .type = sendtype,
                                       .wide_counts = 1,
                                       .wide_displs = 1};
    const struct neighbor_side recv = {.vector = 1,
                                       .buf = recvbuf,
                                       .counts = recvcounts,
                                       .displs = rdispls,
                                       .type = recvtype,
                                       .wide_counts = 1,
                                       .wide_displs = 1};
    return api_neighbor(r, &send, &recv, comm, api_launch_start, request);
}

#pragma weak MPI_Ineighbor_alltoallw = PMPI_Ineighbor_alltoallw
int PMPI_Ineighbor_alltoallw(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                             const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                             const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                             MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ineighbor_alltoallw");
    const struct neighbor_side send = {
        .vector = 1, .buf = sendbuf, .counts = sendcounts, .displs = sdispls, .types = sendtypes, .wide_displs = 1};
    const struct neighbor_side recv = {
        .vector = 1, .buf = recvbuf, .counts = recvcounts, .displs = rdispls, .types = recvtypes, .wide_displs = 1};
    return api_neighbor(r, &send, &recv, comm, api_launch_start, request);
}

#pragma weak MPI_Ineighbor_alltoallw_c = PMPI_Ineighbor_alltoallw_c
int PMPI_Ineighbor_alltoallw_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                               const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
                               const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                               MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ineighbor_alltoallw_c");
    const struct neighbor_side send = {.vector = 1,
                                       .buf = sendbuf,
                                       .counts = sendcounts,
                                       .displs = sdispls,
                                       .types = sendtypes,
                                       .wide_counts = 1,
                                       .wide_displs = 1};
    const struct neighbor_side recv = {.vector = 1,
                                       .buf = recvbuf,
                                       .counts = recvcounts,
                                       .displs = rdispls,
                                       .types = recvtypes,
                                       .wide_counts = 1,
                                       .wide_displs = 1};
    return api_neighbor(r, &send, &recv, comm, api_launch_start, request);
}
