/* carried.h: what a communicator carries besides its group: attributes, topology, name, hints. Linked only with what makes them.
 */
#ifndef MPICO_API_CARRIED_H
#define MPICO_API_CARRIED_H

#include "slots.h"

/* The copy gets the original's topology. */
OPTIONAL int api_topo_copy(struct rank *, const struct comm *from, struct comm *to);

/* After a communicator was duplicated, before the copy's handle is given out: topology and attributes. An error class, and the
 * sentence is in the rank: then free the copy (mpico_comm_release). */
static inline int api_comm_carry(struct rank *r, const struct comm *from, struct comm *to)
{
    int e = from->topology ? api_topo_copy(r, from, to) : MPI_SUCCESS;
    return e || !from->attributes
               ? e
               : api_attr_copy(r, ATTR_COMM, from->handle, from->attributes, to->handle, &to->attributes);
}

/* Before a communicator's handle is given up: everything it carries goes. On an error (of an attribute's delete function) the
 * communicator stays. */
static inline int api_comm_unload(struct rank *r, struct comm *c)
{
    int e = c->attributes ? api_attr_drop(r, ATTR_COMM, c->handle, &c->attributes) : MPI_SUCCESS;
    if (e)
        return e;
    if (c->info)
        api_info_release(r, c->info);
    mpico_heap_free(&r->heap, c->topology);
    mpico_heap_free(&r->heap, c->name);
    c->topology = NULL;
    c->name = NULL;
    c->info = NULL;
    return MPI_SUCCESS;
}

#endif
