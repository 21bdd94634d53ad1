/* neighbor_init.c: persistent neighbourhood collectives (MPI 5.0, section 8.8). */
#include "neighbor.h"

#pragma weak MPI_Neighbor_allgather_init = PMPI_Neighbor_allgather_init
int PMPI_Neighbor_allgather_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                 int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                 MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Neighbor_allgather_init");
    r->hints = info;
    const struct neighbor_side send = {.buf = sendbuf, .count = sendcount, .type = sendtype, .one = 1};
    const struct neighbor_side recv = {.buf = recvbuf, .count = recvcount, .type = recvtype};
    return api_neighbor(r, &send, &recv, comm, api_launch_keep, request);
}

#pragma weak MPI_Neighbor_allgather_init_c = PMPI_Neighbor_allgather_init_c
int PMPI_Neighbor_allgather_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                                   MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                   MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Neighbor_allgather_init_c");
    r->hints = info;
    const struct neighbor_side send = {.buf = sendbuf, .count = sendcount, .type = sendtype, .one = 1};
    const struct neighbor_side recv = {.buf = recvbuf, .count = recvcount, .type = recvtype};
    return api_neighbor(r, &send, &recv, comm, api_launch_keep, request);
}

#pragma weak MPI_Neighbor_allgatherv_init = PMPI_Neighbor_allgatherv_init
int PMPI_Neighbor_allgatherv_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                  const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm,
                                  MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Neighbor_allgatherv_init");
    r->hints = info;
    const struct neighbor_side send = {.buf = sendbuf, .count = sendcount, .type = sendtype, .one = 1};
    const struct neighbor_side recv = {
        .vector = 1, .buf = recvbuf, .counts = recvcounts, .displs = displs, .type = recvtype};
    return api_neighbor(r, &send, &recv, comm, api_launch_keep, request);
}

#pragma weak MPI_Neighbor_allgatherv_init_c = PMPI_Neighbor_allgatherv_init_c
int PMPI_Neighbor_allgatherv_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                                    const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                                    MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Neighbor_allgatherv_init_c");
    r->hints = info;
    const struct neighbor_side send = {.buf = sendbuf, .count = sendcount, .type = sendtype, .one = 1};
    const struct neighbor_side recv = {.vector = 1,
                                       .buf = recvbuf,
                                       .counts = recvcounts,
                                       .displs = displs,
                                       .type = recvtype,
                                       .wide_counts = 1,
                                       .wide_displs = 1};
    return api_neighbor(r, &send, &recv, comm, api_launch_keep, request);
}

#pragma weak MPI_Neighbor_alltoall_init = PMPI_Neighbor_alltoall_init
int PMPI_Neighbor_alltoall_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                                MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Neighbor_alltoall_init");
    r->hints = info;
    const struct neighbor_side send = {.buf = sendbuf, .count = sendcount, .type = sendtype};
    const struct neighbor_side recv = {.buf = recvbuf, .count = recvcount, .type = recvtype};
    return api_neighbor(r, &send, &recv, comm, api_launch_keep, request);
}

#pragma weak MPI_Neighbor_alltoall_init_c = PMPI_Neighbor_alltoall_init_c
int PMPI_Neighbor_alltoall_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                                  MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                  MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Neighbor_alltoall_init_c");
    r->hints = info;
    const struct neighbor_side send = {.buf = sendbuf, .count = sendcount, .type = sendtype};
    const struct neighbor_side recv = {.buf = recvbuf, .count = recvcount, .type = recvtype};
    return api_neighbor(r, &send, &recv, comm, api_launch_keep, request);
}

#pragma weak MPI_Neighbor_alltoallv_init = PMPI_Neighbor_alltoallv_init
int PMPI_Neighbor_alltoallv_init(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                 MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[],
                                 MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Neighbor_alltoallv_init");
    r->hints = info;
    const struct neighbor_side send = {
        .vector = 1, .buf = sendbuf, .counts = sendcounts, .displs = sdispls, .type = sendtype};
    const struct neighbor_side recv = {
        .vector = 1, .buf = recvbuf, .counts = recvcounts, .displs = rdispls, .type = recvtype};
    return api_neighbor(r, &send, &recv, comm, api_launch_keep, request);
}

#pragma weak MPI_Neighbor_alltoallv_init_c = PMPI_Neighbor_alltoallv_init_c
int PMPI_Neighbor_alltoallv_init_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                                   MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
                                   const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                   MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Neighbor_alltoallv_init_c");
    r->hints = info;
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
    return api_neighbor(r, &send, &recv, comm, api_launch_keep, request);
}

#pragma weak MPI_Neighbor_alltoallw_init = PMPI_Neighbor_alltoallw_init
int PMPI_Neighbor_alltoallw_init(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                                 const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                                 const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
                                 MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Neighbor_alltoallw_init");
    r->hints = info;
    const struct neighbor_side send = {
        .vector = 1, .buf = sendbuf, .counts = sendcounts, .displs = sdispls, .types = sendtypes, .wide_displs = 1};
    const struct neighbor_side recv = {
        .vector = 1, .buf = recvbuf, .counts = recvcounts, .displs = rdispls, .types = recvtypes, .wide_displs = 1};
    return api_neighbor(r, &send, &recv, comm, api_launch_keep, request);
}

#pragma weak MPI_Neighbor_alltoallw_init_c = PMPI_Neighbor_alltoallw_init_c
int PMPI_Neighbor_alltoallw_init_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                                   const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
                                   const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                                   MPI_Info info, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Neighbor_alltoallw_init_c");
    r->hints = info;
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
    return api_neighbor(r, &send, &recv, comm, api_launch_keep, request);
}
