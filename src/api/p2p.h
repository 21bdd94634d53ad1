/* p2p.h: the workers behind the calls for messages. Each call has a form for counts of type int and one for MPI_Count, and most
 * have a blocking, a non-blocking and a persistent one; the workers take an MPI_Aint, which is as wide as memory.
 */
#ifndef MPICO_API_P2P_H
#define MPICO_API_P2P_H

#include "finish.h"

/* More than memory can hold stays more than that. */
static inline MPI_Aint api_count(MPI_Count count)
{
    return count > PTRDIFF_MAX ? PTRDIFF_MAX : count < 0 ? -1 : (MPI_Aint)count;
}

/* One direction of a message, as the program gave it: p2p.c, nonblocking.c, persistent.c. The buffered mode only where a request
 * is made. */
int api_send_any(struct rank *, const void *buf, MPI_Aint count, MPI_Datatype, int dest, int tag, MPI_Comm,
                 enum send_mode);
int api_recv_any(struct rank *, void *buf, MPI_Aint count, MPI_Datatype, int source, int tag, MPI_Comm, MPI_Status *);
int api_isend(struct rank *, const void *buf, MPI_Aint count, MPI_Datatype, int dest, int tag, MPI_Comm, MPI_Request *,
              enum send_mode);
int api_ibsend(struct rank *, const void *buf, MPI_Aint count, MPI_Datatype, int dest, int tag, MPI_Comm,
               MPI_Request *);
int api_irecv(struct rank *, void *buf, MPI_Aint count, MPI_Datatype, int source, int tag, MPI_Comm, MPI_Request *);
int api_send_init(struct rank *, const void *buf, MPI_Aint count, MPI_Datatype, int dest, int tag, MPI_Comm,
                  MPI_Request *, enum send_mode);
int api_recv_init(struct rank *, void *buf, MPI_Aint count, MPI_Datatype, int source, int tag, MPI_Comm, MPI_Request *);
/* bsend.c */
int api_bsend_now(struct rank *, const void *buf, MPI_Aint count, MPI_Datatype, int dest, int tag, MPI_Comm);

/* Two directions: sendrecv.c, isendrecv.c. */
struct way {
    const void *buf;
    MPI_Aint count;
    MPI_Datatype type;
    int peer, tag;
};
int api_sendrecv(struct rank *, const struct way *out, const struct way *in, MPI_Comm, MPI_Status *);
int api_isendrecv(struct rank *, const struct way *out, const struct way *in, MPI_Comm, MPI_Request *);
/* Out of the same buffer and into it: `count` and `type` are those of `out`. */
int api_replace(struct rank *, const struct way *out, const struct way *in, MPI_Comm, MPI_Status *);
int api_ireplace(struct rank *, const struct way *out, const struct way *in, MPI_Comm, MPI_Request *);

/* A matched message: probe.c. */
int api_mrecv(struct rank *, void *buf, MPI_Aint count, MPI_Datatype, MPI_Message *, MPI_Status *);
int api_imrecv(struct rank *, void *buf, MPI_Aint count, MPI_Datatype, MPI_Message *, MPI_Request *);

#endif
