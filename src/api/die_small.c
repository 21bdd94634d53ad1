/* die_small.c: in place of die.c in small builds: the port says which rank and which call. */
#include "api.h"

void api_refuse(struct rank *r, const char *call)
{
    r->call = call;
    mpico_machine.halt(r, MPI_ERR_OTHER, "called out of turn: before MPI_Init, twice, or after MPI_Finalize");
}

struct rank *api_enter_apart(const char *call)
{
    struct rank *r = rank_self();
    if (!r->open)
        api_refuse(r, call);
    r->call = call;
    return r;
}

void api_die(struct rank *r, const struct comm *comm, int e)
{
    (void)comm;
    mpico_machine.halt(r, e, r->fault);
}
