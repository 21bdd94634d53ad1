/* type.c: datatypes that are described (src/type/named.c): the check of a handle, sizes, what a status says was received. */
#include <limits.h>

#include "api.h"
#include "status.h"

/* A type in any state: enough for asking about it. */
static int find_type(struct rank *r, MPI_Datatype handle, const struct type **type)
{
    *type = handle == MPI_DATATYPE_NULL ? NULL : mpico_type_of((uintptr_t)handle);
    if (*type)
        return MPI_SUCCESS;
    mpico_fault(r, MPI_ERR_TYPE, "datatype: %s",
                handle == MPI_DATATYPE_NULL ? "MPI_DATATYPE_NULL" : "not a datatype (freed, or never set?)");
    return MPI_ERR_TYPE;
}

int check_type(struct rank *r, MPI_Datatype handle, const struct type **type)
{
    const struct type *t = NULL;
    int e = find_type(r, handle, &t);
    if (e)
        return e;
    if (!t->committed)
        return mpico_fault(r, MPI_ERR_TYPE, "datatype: not committed (MPI_Type_commit)");
    *type = t;
    return MPI_SUCCESS;
}

/* What does not fit is MPI_UNDEFINED, says the standard. */
static int as_int(int64_t n) { return n > INT_MAX ? MPI_UNDEFINED : (int)n; }

#pragma weak MPI_Type_size = PMPI_Type_size
int PMPI_Type_size(MPI_Datatype type, int *size)
{
    struct rank *r = api_enter("MPI_Type_size");
    const struct type *t = NULL;
    int e;
    if ((e = find_type(r, type, &t)) || (e = check_pointer(r, size, "size")))
        return api_error(r, NULL, e);
    *size = as_int((int64_t)t->size);
    return MPI_SUCCESS;
}

#pragma weak MPI_Type_size_x = PMPI_Type_size_x
int PMPI_Type_size_x(MPI_Datatype type, MPI_Count *size)
{
    struct rank *r = api_enter("MPI_Type_size_x");
    const struct type *t = NULL;
    int e;
    if ((e = find_type(r, type, &t)) || (e = check_pointer(r, size, "size")))
        return api_error(r, NULL, e);
    *size = (MPI_Count)t->size;
    return MPI_SUCCESS;
}

/* The bytes from the first to behind the last that hold data. */
static void true_extent(const struct type *t, MPI_Count *lb, MPI_Count *extent)
{
    size_t low = SIZE_MAX, high = 0;
    for (size_t i = 0; i < t->runs; i++) {
        const struct run *run = &t->run[i];
        low = run->offset < low ? run->offset : low;
        high = run->offset + run->len > high ? run->offset + run->len : high;
    }
    *lb = t->runs ? (MPI_Count)low : 0;
    *extent = t->runs ? (MPI_Count)(high - low) : 0;
}

/* The four calls for extents: with and without the gaps, in MPI_Count or MPI_Aint. */
static int get_extent(const char *call, MPI_Datatype type, int only_data, MPI_Count *lb, MPI_Count *extent)
{
    struct rank *r = api_enter(call);
    const struct type *t = NULL;
    int e;
    if ((e = find_type(r, type, &t)) || (e = check_pointer(r, lb, "lb")) || (e = check_pointer(r, extent, "extent")))
        return api_error(r, NULL, e);
    if (only_data) {
        true_extent(t, lb, extent);
    } else {
        // NOLINTBEGIN(clang-analyzer-core.NullDereference): check_pointer() has refused NULL
        *lb = (MPI_Count)t->lower;
        *extent = (MPI_Count)t->extent;
        // NOLINTEND(clang-analyzer-core.NullDereference)
    }
    return MPI_SUCCESS;
}

static int get_extent_narrow(const char *call, MPI_Datatype type, int only_data, MPI_Aint *lb, MPI_Aint *extent)
{
    MPI_Count wide_lb = 0, wide_extent = 0;
    int e = get_extent(call, type, only_data, lb ? &wide_lb : NULL, extent ? &wide_extent : NULL);
    if (lb)
        *lb = (MPI_Aint)wide_lb;
    if (extent)
        *extent = (MPI_Aint)wide_extent;
    return e;
}

#pragma weak MPI_Type_get_extent = PMPI_Type_get_extent
int PMPI_Type_get_extent(MPI_Datatype type, MPI_Aint *lb, MPI_Aint *extent)
{
    return get_extent_narrow("MPI_Type_get_extent", type, 0, lb, extent);
}

#pragma weak MPI_Type_get_extent_x = PMPI_Type_get_extent_x
int PMPI_Type_get_extent_x(MPI_Datatype type, MPI_Count *lb, MPI_Count *extent)
{
    return get_extent("MPI_Type_get_extent_x", type, 0, lb, extent);
}

#pragma weak MPI_Type_get_true_extent = PMPI_Type_get_true_extent
int PMPI_Type_get_true_extent(MPI_Datatype type, MPI_Aint *lb, MPI_Aint *extent)
{
    return get_extent_narrow("MPI_Type_get_true_extent", type, 1, lb, extent);
}

#pragma weak MPI_Type_get_true_extent_x = PMPI_Type_get_true_extent_x
int PMPI_Type_get_true_extent_x(MPI_Datatype type, MPI_Count *lb, MPI_Count *extent)
{
    return get_extent("MPI_Type_get_true_extent_x", type, 1, lb, extent);
}

/* ---- What was received ---- */

static int enter_received(const char *call, struct rank **r, const void *status, MPI_Datatype type,
                          const struct type **t, const void *count)
{
    int e;
    *r = api_enter(call);
    if ((e = check_pointer(*r, status, "status")) || (e = find_type(*r, type, t)) ||
        (e = check_pointer(*r, count, "count")))
        api_error(*r, NULL, e);
    return e;
}

#pragma weak MPI_Get_count = PMPI_Get_count
int PMPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count)
{
    struct rank *r;
    const struct type *t = NULL;
    int e = enter_received("MPI_Get_count", &r, status, type, &t, count);
    if (e)
        return e;
    uint64_t bytes = status_bytes(status);
    if (t->size == 0)
        *count = bytes == 0 ? 0 : MPI_UNDEFINED;
    else
        *count = bytes % t->size ? MPI_UNDEFINED : as_int((int64_t)(bytes / t->size));
    return MPI_SUCCESS;
}

/* Basic elements in the first `bytes` of packed data, MPI_UNDEFINED if one would be cut. */
static MPI_Count elements_in(const struct type *t, uint64_t bytes)
{
    if (t->size == 0)
        return bytes == 0 ? 0 : MPI_UNDEFINED;
    MPI_Count whole = (MPI_Count)(bytes / t->size * t->elements);
    uint64_t rest = bytes % t->size;
    if (rest == 0)
        return whole;
    return t->class == TYPE_PAIR && rest == t->width ? whole + 1 : MPI_UNDEFINED;
}

#pragma weak MPI_Get_elements = PMPI_Get_elements
int PMPI_Get_elements(const MPI_Status *status, MPI_Datatype type, int *count)
{
    struct rank *r;
    const struct type *t = NULL;
    int e = enter_received("MPI_Get_elements", &r, status, type, &t, count);
    if (!e)
        *count = as_int(elements_in(t, status_bytes(status)));
    return e;
}

#pragma weak MPI_Get_elements_x = PMPI_Get_elements_x
int PMPI_Get_elements_x(const MPI_Status *status, MPI_Datatype type, MPI_Count *count)
{
    struct rank *r;
    const struct type *t = NULL;
    int e = enter_received("MPI_Get_elements_x", &r, status, type, &t, count);
    if (!e)
        *count = elements_in(t, status_bytes(status));
    return e;
}

/* ---- Statuses a program fills itself ---- */

static int set_elements(const char *call, MPI_Status *status, MPI_Datatype type, MPI_Count count)
{
    struct rank *r;
    const struct type *t = NULL;
    int e = enter_received(call, &r, status, type, &t, &count);
    if (e)
        return e;
    if ((e = check_count(r, count, "count")))
        return api_error(r, NULL, e);
    uint64_t elements = t->elements ? t->elements : 1;
    uint64_t whole = (uint64_t)count / elements, rest = (uint64_t)count % elements, bytes;
    if (__builtin_mul_overflow(whole, (uint64_t)t->size, &bytes) || bytes > (uint64_t)INT64_MAX - t->size)
        return api_error(r, NULL,
                         mpico_fault(r, MPI_ERR_COUNT, "count: %l elements overflow a status", (long long)count));
    status_set_bytes(status, bytes + rest * t->width);
    return MPI_SUCCESS;
}

#pragma weak MPI_Status_set_elements = PMPI_Status_set_elements
int PMPI_Status_set_elements(MPI_Status *status, MPI_Datatype type, int count)
{
    return set_elements("MPI_Status_set_elements", status, type, count);
}

#pragma weak MPI_Status_set_elements_x = PMPI_Status_set_elements_x
int PMPI_Status_set_elements_x(MPI_Status *status, MPI_Datatype type, MPI_Count count)
{
    return set_elements("MPI_Status_set_elements_x", status, type, count);
}

#pragma weak MPI_Status_set_cancelled = PMPI_Status_set_cancelled
int PMPI_Status_set_cancelled(MPI_Status *status, int flag)
{
    struct rank *r = api_enter("MPI_Status_set_cancelled");
    int e = check_pointer(r, status, "status");
    if (e)
        return api_error(r, NULL, e);
    status_set_cancelled(status, flag);
    return MPI_SUCCESS;
}
