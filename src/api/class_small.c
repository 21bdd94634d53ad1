/* class_small.c: in place of class.c in small builds: the names of MPI-1's error classes, without their meanings. */
#include "../base/text.h"
#include "fast.h"
#include "state.h"

enum { NAMES = MPI_ERR_IN_STATUS + 1 };

/* One after the other, each ended by a zero. */
static const char names[] =
    "SUCCESS\0BUFFER\0COUNT\0TYPE\0TAG\0COMM\0RANK\0REQUEST\0ROOT\0GROUP\0OP\0TOPOLOGY\0DIMS\0ARG\0"
    "UNKNOWN\0TRUNCATE\0OTHER\0INTERN\0PENDING\0IN_STATUS";

static const char *name_of(int code)
{
    const char *at = names;
    while (code-- > 0)
        while (*at++)
            continue;
    return at;
}

/* Both may be called at any time, so they do not enter. */
#pragma weak MPI_Error_class = PMPI_Error_class
int PMPI_Error_class(int errorcode, int *errorclass)
{
    *errorclass = errorcode >= 0 && errorcode <= MPI_ERR_LASTCODE ? errorcode : MPI_ERR_UNKNOWN;
    return MPI_SUCCESS;
}

#pragma weak MPI_Error_string = PMPI_Error_string
int PMPI_Error_string(int errorcode, char *string, int *resultlen)
{
    struct rank *r = rank_self();
    const struct api *api = api_state(r);
    const char *said = api && errorcode && api->last_class == errorcode ? r->fault : "";
    if (errorcode >= 0 && errorcode < NAMES)
        *resultlen = (int)mpico_text_format(string, MPI_MAX_ERROR_STRING, "%s %s", name_of(errorcode), said);
    else
        *resultlen = (int)mpico_text_format(string, MPI_MAX_ERROR_STRING, "error %d %s", errorcode, said);
    return MPI_SUCCESS;
}
