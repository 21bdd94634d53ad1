/* neighbor.c: blocking neighbourhood collectives (MPI 5.0, section 8.6). */
#include "neighbor.h"

#pragma weak MPI_Neighbor_allgather = PMPI_Neighbor_allgather
int PMPI_Neighbor_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                            MPI_Datatype recvtype, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Neighbor_allgather");
    const struct neighbor_side send = {.buf = sendbuf, .count = sendcount, .type = sendtype, .one = 1};
    const struct neighbor_side recv = {.buf = recvbuf, .count = recvcount, .type = recvtype};
    return api_neighbor(r, &send, &recv, comm, api_launch_run, NULL);
}

#pragma weak MPI_Neighbor_allgather_c = PMPI_Neighbor_allgather_c
int PMPI_Neighbor_allgather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                              MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Neighbor_allgather_c");
    const struct neighbor_side send = {.buf = sendbuf, .count = sendcount, .type = sendtype, .one = 1};
    const struct neighbor_side recv = {.buf = recvbuf, .count = recvcount, .type = recvtype};
    return api_neighbor(r, &send, &recv, comm, api_launch_run, NULL);
}

#pragma weak MPI_Neighbor_allgatherv = PMPI_Neighbor_allgatherv
int PMPI_Neighbor_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                             const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Neighbor_allgatherv");
    const struct neighbor_side send = {.buf = sendbuf, .count = sendcount, .type = sendtype, .one = 1};
    const struct neighbor_side recv = {
        .vector = 1, .buf = recvbuf, .counts = recvcounts, .displs = displs, .type = recvtype};
    return api_neighbor(r, &send, &recv, comm, api_launch_run, NULL);
}

#pragma weak MPI_Neighbor_allgatherv_c = PMPI_Neighbor_allgatherv_c
int PMPI_Neighbor_allgatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                               const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                               MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Neighbor_allgatherv_c");
    const struct neighbor_side send = {.buf = sendbuf, .count = sendcount, .type = sendtype, .one = 1};
    const struct neighbor_side recv = {.vector = 1,
                                       .buf = recvbuf,
                                       .counts = recvcounts,
                                       .displs = displs,
                                       .type = recvtype,
                                       .wide_counts = 1,
                                       .wide_displs = 1};
    return api_neighbor(r, &send, &recv, comm, api_launch_run, NULL);
}

#pragma weak MPI_Neighbor_alltoall = PMPI_Neighbor_alltoall
int PMPI_Neighbor_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                           MPI_Datatype recvtype, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Neighbor_alltoall");
    const struct neighbor_side send = {.buf = sendbuf, .count = sendcount, .type = sendtype};
    const struct neighbor_side recv = {.buf = recvbuf, .count = recvcount, .type = recvtype};
    return api_neighbor(r, &send, &recv, comm, api_launch_run, NULL);
}

#pragma weak MPI_Neighbor_alltoall_c = PMPI_Neighbor_alltoall_c
int PMPI_Neighbor_alltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                             MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Neighbor_alltoall_c");
    const struct neighbor_side send = {.buf = sendbuf, .count = sendcount, .type = sendtype};
    const struct neighbor_side recv = {.buf = recvbuf, .count = recvcount, .type = recvtype};
    return api_neighbor(r, &send, &recv, comm, api_launch_run, NULL);
}

#pragma weak MPI_Neighbor_alltoallv = PMPI_Neighbor_alltoallv
int PMPI_Neighbor_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                            void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                            MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Neighbor_alltoallv");
    const struct neighbor_side send = {
        .vector = 1, .buf = sendbuf, .counts = sendcounts, .displs = sdispls, .type = sendtype};
    const struct neighbor_side recv = {
        .vector = 1, .buf = recvbuf, .counts = recvcounts, .displs = rdispls, .type = recvtype};
    return api_neighbor(r, &send, &recv, comm, api_launch_run, NULL);
}

#pragma weak MPI_Neighbor_alltoallv_c = PMPI_Neighbor_alltoallv_c
int PMPI_Neighbor_alltoallv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                              MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
                              const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Neighbor_alltoallv_c");
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
    return api_neighbor(r, &send, &recv, comm, api_launch_run, NULL);
}

#pragma weak MPI_Neighbor_alltoallw = PMPI_Neighbor_alltoallw
int PMPI_Neighbor_alltoallw(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                            const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                            const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Neighbor_alltoallw");
    const struct neighbor_side send = {
        .vector = 1, .buf = sendbuf, .counts = sendcounts, .displs = sdispls, .types = sendtypes, .wide_displs = 1};
    const struct neighbor_side recv = {
        .vector = 1, .buf = recvbuf, .counts = recvcounts, .displs = rdispls, .types = recvtypes, .wide_displs = 1};
    return api_neighbor(r, &send, &recv, comm, api_launch_run, NULL);
}

#pragma weak MPI_Neighbor_alltoallw_c = PMPI_Neighbor_alltoallw_c
int PMPI_Neighbor_alltoallw_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                              const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
                              const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Neighbor_alltoallw_c");
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
    return api_neighbor(r, &send, &recv, comm, api_launch_run, NULL);
}
