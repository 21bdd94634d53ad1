/* die.c: the sentence with which an error ends the job. */
#include <string.h>

#include "../base/text.h"
#include "api.h"

enum { REPORT_MAX = 3 * SIZE_FAULT };

void api_refuse(struct rank *r, const char *call)
{
    char why[REPORT_MAX];
    mpico_text_format(why, sizeof why, "%s was called %s", call,
                      r->state == RANK_BEFORE ? "before MPI_Init" : "after MPI_Finalize");
    mpico_machine.halt(r, MPI_ERR_OTHER, why);
}

/* "  in main at ring.c:12\n" where the port can tell. Its length. */
static size_t where(struct rank *r, char *text, size_t room)
{
    enum { BEFORE = 5 };
    if (!r->machine->where || room <= BEFORE + 1 ||
        r->machine->where(r, r->call_site, text + BEFORE, room - BEFORE - 1) != 0)
        return 0;
    memcpy(text, "  in ", BEFORE);
    size_t len = strlen(text);
    text[len] = '\n';
    return len + 1;
}

void api_die(struct rank *r, const struct comm *comm, int e)
{
    char why[REPORT_MAX];
    size_t len = mpico_text_format(why, sizeof why, "%s: %s\n", r->call, r->fault);
    len += where(r, why + len, sizeof why - len);
    mpico_text_format(why + len, sizeof why - len, "  (%s; rank %d of %d in %s, whose error handler ends the job)",
                      api_class_name ? api_class_name(e) : "error", comm ? comm->rank : r->world_rank,
                      !comm         ? r->world_size
                      : comm->local ? comm->local->size
                                    : comm->size,
                      !comm || comm == r->world ? "MPI_COMM_WORLD"
                      : comm == r->self         ? "MPI_COMM_SELF"
                                                : "its communicator");
    r->machine->halt(r, e, why);
}
