/* finish.h: the life of a program's request inside src/api: made, started, its result handed over. */
#ifndef MPICO_API_FINISH_H
#define MPICO_API_FINISH_H

#include "fast.h"

/* A message to or from MPI_PROC_NULL: done, nothing moved. */
void api_nobody(struct request *);

/* Start a send or a receive that was filled by mpico_send_init() or mpico_recv_init(). */
static inline void api_start(struct rank *r, struct request *q)
{
    if (__builtin_expect(q->peer == MPI_PROC_NULL, 0))
        api_nobody(q);
    else if (q->kind == REQUEST_SEND)
        mpico_send_start(r, q);
    else
        mpico_recv_start(r, q);
}

/* A handle's request keeps its communicator until api_request_drop(), so that a late error still has
 * its handler. */
static inline void api_request_own(struct request *q)
{
    q->flags |= REQUEST_OWNS_COMM;
    mpico_comm_keep(q->comm);
}
void api_request_drop(struct rank *, struct request *);

/* A persistent collective: as MPI_Start, and at the end of its request (coll_request.c). */
OPTIONAL void api_kept_start(struct request *);
OPTIONAL void api_kept_free(struct rank *, struct request *);

/* The sentence of a request that failed; returns its class. */
SELDOM int api_request_fault(struct rank *, const struct request *);

/* A status of a message that was found, not received. */
void api_status_of_message(MPI_Status *, int source, int tag, uint64_t bytes);

/* Buffered send: pack into the attached buffer and let the copy travel. 0 or an error class. */
int api_bsend(struct rank *, const void *buf, size_t count, const struct type *, int dest, int tag, struct comm *);
/* Until every buffered message has left. */
void api_bsend_flush(struct rank *);

/* In checking mode a line for everything that was not completed, freed or received. */
OPTIONAL void api_say_leaks(struct rank *);

#endif
