/* run.c: a blocking collective, by the network itself where it can. */
#include <string.h>

#include "direct.h"
#include "state.h"

/* By the network itself: as mpico_direct_run(). */
static int direct(struct rank *r, struct comm *comm, const struct coll_call *call, struct request *q)
{
    struct coll_state *state;
    struct link *link = mpico_direct_link(r, comm);
    if (!link)
        return -1;
    int e = mpico_coll_settings(r, &state);
    if (e || !state || state->forced[call->what])
        return e ? e : -1;
    return mpico_direct_run(r, link, call, q);
}

int mpico_coll_run(struct rank *r, struct comm *comm, const struct coll_call *call, struct request *q)
{
    memset(q, 0, sizeof *q);
    int e = direct(r, comm, call, q);
    return e >= 0 ? e : mpico_coll_steps(r, comm, call, q);
}
