/* abort.c: the end of the job by the program. */
#include "../base/text.h"
#include "api.h"

enum { WHY_MAX = 60 };

#pragma weak MPI_Abort = PMPI_Abort
int PMPI_Abort(MPI_Comm comm, int errorcode)
{
    struct rank *r = api_enter("MPI_Abort");
    char why[WHY_MAX];
    (void)comm; /* a job ends as a whole */
    mpico_text_format(why, sizeof why, "MPI_Abort was called with error code %d", errorcode);
    r->machine->halt(r, errorcode, why);
}
