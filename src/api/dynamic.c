/* dynamic.c: what there is of processes that come later (MPI 5.0, chapter 11): nobody has started this job but its launcher, and a
 * communicator can be left for good.
 */
#include "fast.h"

#pragma weak MPI_Comm_get_parent = PMPI_Comm_get_parent
int PMPI_Comm_get_parent(MPI_Comm *parent)
{
    struct rank *r = api_enter("MPI_Comm_get_parent");
    int e = check_pointer(r, parent, "parent");
    if (e)
        return api_error(r, NULL, e);
    *parent = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

/* A request of this communicator that is still under way, or NULL. */
static const struct request *pending(const struct rank *r, const struct comm *c)
{
    for (const struct list *l = r->requests.next; l != &r->requests; l = l->next) {
        const struct request *q = list_entry(l, struct request, all);
        int idle = q->flags & REQUEST_PERSISTENT && !(q->flags & REQUEST_ACTIVE);
        if (q->flags & REQUEST_POOLED && q->comm == c && !idle && !(q->flags & REQUEST_DONE))
            return q;
    }
    return NULL;
}

#pragma weak MPI_Comm_disconnect = PMPI_Comm_disconnect
int PMPI_Comm_disconnect(MPI_Comm *comm)
{
    struct rank *r = api_enter("MPI_Comm_disconnect");
    struct comm *c = NULL;
    uint32_t idle = 0;
    int e;
    if ((e = check_pointer(r, comm, "comm")) || (e = check_comm(r, *comm, &c)))
        return api_error(r, c, e);
    while (pending(r, c))
        mpico_wait_turn(r, &idle, NULL, 0);
    return PMPI_Comm_free(comm);
}
