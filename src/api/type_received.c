/* type_received.c: what a status says of the data that came, and statuses that a program fills itself (MPI 5.0, sections 3.2.5
 * and 5.1.11).
 */
#include <limits.h>

#include "../type/make.h"
#include "api.h"
#include "status.h"

static int as_int(MPI_Count n) { return n > INT_MAX ? MPI_UNDEFINED : (int)n; }

/* What a status counts is data in memory. */
static size_t bytes_in(const MPI_Status *s) { return (size_t)status_bytes(s); }

static int check_received(struct rank *r, const MPI_Status *status, MPI_Datatype type, const struct type **t,
                          const void *count)
{
    int e;
    if ((e = check_pointer(r, status, "status")) || (e = check_any_type(r, type, t)) ||
        (e = check_pointer(r, count, "count")))
        return api_error(r, NULL, e);
    return MPI_SUCCESS;
}

static MPI_Count count_in(const struct type *t, size_t bytes)
{
    if (t->size == 0)
        return bytes == 0 ? 0 : MPI_UNDEFINED;
    return bytes % t->size ? MPI_UNDEFINED : (MPI_Count)(bytes / t->size);
}

static MPI_Count elements_in(const struct type *t, size_t bytes)
{
    ptrdiff_t n = mpico_type_elements(t, bytes);
    return n < 0 ? MPI_UNDEFINED : n;
}

#pragma weak MPI_Get_count = PMPI_Get_count
int PMPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count)
{
    struct rank *r = api_enter("MPI_Get_count");
    const struct type *t = NULL;
    int e = check_received(r, status, type, &t, count);
    if (!e)
        *count = as_int(count_in(t, bytes_in(status)));
    return e;
}

#pragma weak MPI_Get_count_c = PMPI_Get_count_c
int PMPI_Get_count_c(const MPI_Status *status, MPI_Datatype type, MPI_Count *count)
{
    struct rank *r = api_enter("MPI_Get_count_c");
    const struct type *t = NULL;
    int e = check_received(r, status, type, &t, count);
    if (!e)
        *count = count_in(t, bytes_in(status));
    return e;
}

#pragma weak MPI_Get_elements = PMPI_Get_elements
int PMPI_Get_elements(const MPI_Status *status, MPI_Datatype type, int *count)
{
    struct rank *r = api_enter("MPI_Get_elements");
    const struct type *t = NULL;
    int e = check_received(r, status, type, &t, count);
    if (!e)
        *count = as_int(elements_in(t, bytes_in(status)));
    return e;
}

static int get_elements(struct rank *r, const MPI_Status *status, MPI_Datatype type, MPI_Count *count)
{
    const struct type *t = NULL;
    int e = check_received(r, status, type, &t, count);
    if (!e)
        *count = elements_in(t, bytes_in(status));
    return e;
}

#pragma weak MPI_Get_elements_x = PMPI_Get_elements_x
int PMPI_Get_elements_x(const MPI_Status *status, MPI_Datatype type, MPI_Count *count)
{
    struct rank *r = api_enter("MPI_Get_elements_x");
    return get_elements(r, status, type, count);
}

#pragma weak MPI_Get_elements_c = PMPI_Get_elements_c
int PMPI_Get_elements_c(const MPI_Status *status, MPI_Datatype type, MPI_Count *count)
{
    struct rank *r = api_enter("MPI_Get_elements_c");
    return get_elements(r, status, type, count);
}

/* ---- Statuses a program fills itself ---- */

static int set_elements(struct rank *r, MPI_Status *status, MPI_Datatype type, MPI_Count count)
{
    const struct type *t = NULL;
    int e = check_received(r, status, type, &t, &count);
    if (e)
        return e;
    size_t bytes = 0;
    if ((e = check_count(r, count, "count")))
        return api_error(r, NULL, e);
    if ((MPI_Count)(size_t)count != count || mpico_type_elements_bytes(t, (size_t)count, &bytes))
        return api_error(r, NULL,
                         mpico_fault(r, MPI_ERR_COUNT, "count: %l elements overflow a status", (long long)count));
    status_set_bytes(status, bytes);
    return MPI_SUCCESS;
}

#pragma weak MPI_Status_set_elements = PMPI_Status_set_elements
int PMPI_Status_set_elements(MPI_Status *status, MPI_Datatype type, int count)
{
    struct rank *r = api_enter("MPI_Status_set_elements");
    return set_elements(r, status, type, count);
}

#pragma weak MPI_Status_set_elements_x = PMPI_Status_set_elements_x
int PMPI_Status_set_elements_x(MPI_Status *status, MPI_Datatype type, MPI_Count count)
{
    struct rank *r = api_enter("MPI_Status_set_elements_x");
    return set_elements(r, status, type, count);
}

#pragma weak MPI_Status_set_elements_c = PMPI_Status_set_elements_c
int PMPI_Status_set_elements_c(MPI_Status *status, MPI_Datatype type, MPI_Count count)
{
    struct rank *r = api_enter("MPI_Status_set_elements_c");
    return set_elements(r, status, type, count);
}
