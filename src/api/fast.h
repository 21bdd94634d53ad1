/* fast.h: the parts of entering and checking a call that stand on the way of every message. Inline: a
 * short send should pay for a few comparisons, not for a dozen calls.
 */
#ifndef MPICO_API_FAST_H
#define MPICO_API_FAST_H

#include "api.h"

/* The communicator of a handle, or NULL. */
static inline struct comm *api_comm(struct rank *r, MPI_Comm handle)
{
    uintptr_t v = (uintptr_t)handle;
    if (v == (uintptr_t)MPI_COMM_WORLD)
        return r->world;
    if (v == (uintptr_t)MPI_COMM_SELF)
        return r->self;
    struct comm *c = (struct comm *)(void *)handle;
    return api_is_object(r, v) && c->magic == COMM_MAGIC ? c : NULL;
}

/* All checks of a message's arguments, in the order of the call's. The outputs are set as far as
 * they are known, so that the right error handler hears of the rest. */
APART int check_send(struct rank *, const void *buf, MPI_Count count, MPI_Datatype, int dest, int tag, MPI_Comm,
                     struct comm **, struct data *);
APART int check_recv(struct rank *, const void *buf, MPI_Count count, MPI_Datatype, int source, int tag, MPI_Comm,
                     struct comm **, struct data *);

#endif
