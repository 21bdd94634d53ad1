/* p2p_large.c: the forms of the calls for messages whose counts are MPI_Count. They share the workers of the others (p2p.h). */
#include "p2p.h"

/* ---- Blocking ---- */

#pragma weak MPI_Send_c = PMPI_Send_c
int PMPI_Send_c(const void *buf, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Send_c");
    return api_send_any(r, buf, api_count(count), type, dest, tag, comm, SEND_STANDARD);
}

#pragma weak MPI_Ssend_c = PMPI_Ssend_c
int PMPI_Ssend_c(const void *buf, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Ssend_c");
    return api_send_any(r, buf, api_count(count), type, dest, tag, comm, SEND_SYNC);
}

#pragma weak MPI_Rsend_c = PMPI_Rsend_c
int PMPI_Rsend_c(const void *buf, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Rsend_c");
    return api_send_any(r, buf, api_count(count), type, dest, tag, comm, SEND_READY);
}

#pragma weak MPI_Bsend_c = PMPI_Bsend_c
int PMPI_Bsend_c(const void *buf, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Bsend_c");
    return api_bsend_now(r, buf, api_count(count), type, dest, tag, comm);
}

#pragma weak MPI_Recv_c = PMPI_Recv_c
int PMPI_Recv_c(void *buf, MPI_Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    struct rank *r = api_enter("MPI_Recv_c");
    return api_recv_any(r, buf, api_count(count), type, source, tag, comm, status);
}

#pragma weak MPI_Mrecv_c = PMPI_Mrecv_c
int PMPI_Mrecv_c(void *buf, MPI_Count count, MPI_Datatype type, MPI_Message *message, MPI_Status *status)
{
    struct rank *r = api_enter("MPI_Mrecv_c");
    return api_mrecv(r, buf, api_count(count), type, message, status);
}

/* ---- With a request ---- */

#pragma weak MPI_Isend_c = PMPI_Isend_c
int PMPI_Isend_c(const void *buf, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                 MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Isend_c");
    return api_isend(r, buf, api_count(count), type, dest, tag, comm, request, SEND_STANDARD);
}

#pragma weak MPI_Issend_c = PMPI_Issend_c
int PMPI_Issend_c(const void *buf, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                  MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Issend_c");
    return api_isend(r, buf, api_count(count), type, dest, tag, comm, request, SEND_SYNC);
}

#pragma weak MPI_Irsend_c = PMPI_Irsend_c
int PMPI_Irsend_c(const void *buf, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                  MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Irsend_c");
    return api_isend(r, buf, api_count(count), type, dest, tag, comm, request, SEND_READY);
}

#pragma weak MPI_Ibsend_c = PMPI_Ibsend_c
int PMPI_Ibsend_c(const void *buf, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                  MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ibsend_c");
    return api_ibsend(r, buf, api_count(count), type, dest, tag, comm, request);
}

#pragma weak MPI_Irecv_c = PMPI_Irecv_c
int PMPI_Irecv_c(void *buf, MPI_Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                 MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Irecv_c");
    return api_irecv(r, buf, api_count(count), type, source, tag, comm, request);
}

#pragma weak MPI_Imrecv_c = PMPI_Imrecv_c
int PMPI_Imrecv_c(void *buf, MPI_Count count, MPI_Datatype type, MPI_Message *message, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Imrecv_c");
    return api_imrecv(r, buf, api_count(count), type, message, request);
}

/* ---- Persistent ---- */

#pragma weak MPI_Send_init_c = PMPI_Send_init_c
int PMPI_Send_init_c(const void *buf, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                     MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Send_init_c");
    return api_send_init(r, buf, api_count(count), type, dest, tag, comm, request, SEND_STANDARD);
}

#pragma weak MPI_Ssend_init_c = PMPI_Ssend_init_c
int PMPI_Ssend_init_c(const void *buf, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                      MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ssend_init_c");
    return api_send_init(r, buf, api_count(count), type, dest, tag, comm, request, SEND_SYNC);
}

#pragma weak MPI_Rsend_init_c = PMPI_Rsend_init_c
int PMPI_Rsend_init_c(const void *buf, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                      MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Rsend_init_c");
    return api_send_init(r, buf, api_count(count), type, dest, tag, comm, request, SEND_READY);
}

#pragma weak MPI_Bsend_init_c = PMPI_Bsend_init_c
int PMPI_Bsend_init_c(const void *buf, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                      MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Bsend_init_c");
    return api_send_init(r, buf, api_count(count), type, dest, tag, comm, request, SEND_BUFFERED);
}

#pragma weak MPI_Recv_init_c = PMPI_Recv_init_c
int PMPI_Recv_init_c(void *buf, MPI_Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                     MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Recv_init_c");
    return api_recv_init(r, buf, api_count(count), type, source, tag, comm, request);
}

/* ---- Both ways ---- */

#pragma weak MPI_Sendrecv_c = PMPI_Sendrecv_c
int PMPI_Sendrecv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                    void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
                    MPI_Status *status)
{
    struct rank *r = api_enter("MPI_Sendrecv_c");
    struct way out = {sendbuf, api_count(sendcount), sendtype, dest, sendtag};
    struct way in = {recvbuf, api_count(recvcount), recvtype, source, recvtag};
    return api_sendrecv(r, &out, &in, comm, status);
}

#pragma weak MPI_Isendrecv_c = PMPI_Isendrecv_c
int PMPI_Isendrecv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                     void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
                     MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Isendrecv_c");
    struct way out = {sendbuf, api_count(sendcount), sendtype, dest, sendtag};
    struct way in = {recvbuf, api_count(recvcount), recvtype, source, recvtag};
    return api_isendrecv(r, &out, &in, comm, request);
}

#pragma weak MPI_Sendrecv_replace_c = PMPI_Sendrecv_replace_c
int PMPI_Sendrecv_replace_c(void *buf, MPI_Count count, MPI_Datatype type, int dest, int sendtag, int source,
                            int recvtag, MPI_Comm comm, MPI_Status *status)
{
    struct rank *r = api_enter("MPI_Sendrecv_replace_c");
    struct way out = {buf, api_count(count), type, dest, sendtag}, in = {buf, out.count, type, source, recvtag};
    return api_replace(r, &out, &in, comm, status);
}

#pragma weak MPI_Isendrecv_replace_c = PMPI_Isendrecv_replace_c
int PMPI_Isendrecv_replace_c(void *buf, MPI_Count count, MPI_Datatype type, int dest, int sendtag, int source,
                             int recvtag, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Isendrecv_replace_c");
    struct way out = {buf, api_count(count), type, dest, sendtag}, in = {buf, out.count, type, source, recvtag};
    return api_ireplace(r, &out, &in, comm, request);
}
