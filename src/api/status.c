/* status.c: what a program may read of a status and set in one (MPI 5.0, sections 3.2.5 and 13.3). */
#include "status.h"

#include "api.h"

/* `value` is called `name` and must have an address. */
static int check_get(struct rank *r, const MPI_Status *status, const void *value, const char *name)
{
    int e = check_pointer(r, status, "status");
    if (!e)
        e = check_pointer(r, value, name);
    return e ? api_error(r, NULL, e) : MPI_SUCCESS;
}

static int check_set(struct rank *r, const MPI_Status *status)
{
    int e = check_pointer(r, status, "status");
    return e ? api_error(r, NULL, e) : MPI_SUCCESS;
}

#pragma weak MPI_Status_get_source = PMPI_Status_get_source
int PMPI_Status_get_source(const MPI_Status *status, int *source)
{
    struct rank *r = api_enter("MPI_Status_get_source");
    int e = check_get(r, status, source, "source");
    if (!e)
        *source = status->MPI_SOURCE;
    return e;
}

#pragma weak MPI_Status_get_tag = PMPI_Status_get_tag
int PMPI_Status_get_tag(const MPI_Status *status, int *tag)
{
    struct rank *r = api_enter("MPI_Status_get_tag");
    int e = check_get(r, status, tag, "tag");
    if (!e)
        *tag = status->MPI_TAG;
    return e;
}

#pragma weak MPI_Status_get_error = PMPI_Status_get_error
int PMPI_Status_get_error(const MPI_Status *status, int *error)
{
    struct rank *r = api_enter("MPI_Status_get_error");
    int e = check_get(r, status, error, "error");
    if (!e)
        *error = status->MPI_ERROR;
    return e;
}

#pragma weak MPI_Status_set_source = PMPI_Status_set_source
int PMPI_Status_set_source(MPI_Status *status, int source)
{
    struct rank *r = api_enter("MPI_Status_set_source");
    int e = check_set(r, status);
    if (!e)
        status->MPI_SOURCE = source;
    return e;
}

#pragma weak MPI_Status_set_tag = PMPI_Status_set_tag
int PMPI_Status_set_tag(MPI_Status *status, int tag)
{
    struct rank *r = api_enter("MPI_Status_set_tag");
    int e = check_set(r, status);
    if (!e)
        status->MPI_TAG = tag;
    return e;
}

#pragma weak MPI_Status_set_error = PMPI_Status_set_error
int PMPI_Status_set_error(MPI_Status *status, int error)
{
    struct rank *r = api_enter("MPI_Status_set_error");
    int e = check_set(r, status);
    if (!e)
        status->MPI_ERROR = error;
    return e;
}

#pragma weak MPI_Status_set_cancelled = PMPI_Status_set_cancelled
int PMPI_Status_set_cancelled(MPI_Status *status, int flag)
{
    struct rank *r = api_enter("MPI_Status_set_cancelled");
    int e = check_set(r, status);
    if (!e)
        status_set_cancelled(status, flag);
    return e;
}
