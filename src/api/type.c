/* type.c: datatypes that are described (src/type/named.c): the check of a handle, sizes, what a status says was received. */
#include <limits.h>

#include "api.h"
#include "status.h"

int check_any_type(struct rank *r, MPI_Datatype handle, const struct type **type)
{
    uintptr_t value = (uintptr_t)handle;
    int readable = value < TYPE_HANDLES + 0x100 || api_is_object(r, value);
    const struct type *t = handle == MPI_DATATYPE_NULL || !readable ? NULL : mpico_type_of(value);
    if (t) {
        *type = t;
        return MPI_SUCCESS;
    }
    return mpico_fault(r, MPI_ERR_TYPE, "datatype: %s",
                       handle == MPI_DATATYPE_NULL ? "MPI_DATATYPE_NULL" : "not a datatype (freed, or never set?)");
}

int check_type(struct rank *r, MPI_Datatype handle, const struct type **type)
{
    const struct type *t = NULL;
    int e = check_any_type(r, handle, &t);
    if (e)
        return e;
    if (!t->committed)
        return mpico_fault(r, MPI_ERR_TYPE, "datatype: not committed (MPI_Type_commit)");
    *type = t;
    return MPI_SUCCESS;
}

/* ---- Sizes and extents. What does not fit is MPI_UNDEFINED, says the standard. ---- */

static int check_about(struct rank *r, MPI_Datatype type, const struct type **t, const void *a, const void *b)
{
    int e;
    if ((e = check_any_type(r, type, t)) || (e = check_pointer(r, a, "size or lb")) ||
        (e = check_pointer(r, b, "extent")))
        return api_error(r, NULL, e);
    return MPI_SUCCESS;
}

#pragma weak MPI_Type_size = PMPI_Type_size
int PMPI_Type_size(MPI_Datatype type, int *size)
{
    struct rank *r = api_enter("MPI_Type_size");
    const struct type *t;
    int e = check_about(r, type, &t, size, size);
    if (!e)
        *size = t->size > INT_MAX ? MPI_UNDEFINED : (int)t->size;
    return e;
}

static int get_size(struct rank *r, MPI_Datatype type, MPI_Count *size)
{
    const struct type *t;
    int e = check_about(r, type, &t, size, size);
    if (!e)
        *size = (MPI_Count)t->size;
    return e;
}

#pragma weak MPI_Type_size_x = PMPI_Type_size_x
int PMPI_Type_size_x(MPI_Datatype type, MPI_Count *size)
{
    struct rank *r = api_enter("MPI_Type_size_x");
    return get_size(r, type, size);
}

#pragma weak MPI_Type_size_c = PMPI_Type_size_c
int PMPI_Type_size_c(MPI_Datatype type, MPI_Count *size)
{
    struct rank *r = api_enter("MPI_Type_size_c");
    return get_size(r, type, size);
}

/* With the gaps at both ends, or only from the first byte of data to the last. */
static int get_extent(struct rank *r, MPI_Datatype type, int only_data, MPI_Aint *lb, MPI_Aint *extent)
{
    const struct type *t;
    int e = check_about(r, type, &t, lb, extent);
    if (e)
        return e;
    *lb = (MPI_Aint)(only_data ? t->true_lower : t->lower);
    *extent = (MPI_Aint)(only_data ? t->true_extent : t->extent);
    return MPI_SUCCESS;
}

static int get_extent_wide(struct rank *r, MPI_Datatype type, int only_data, MPI_Count *lb, MPI_Count *extent)
{
    MPI_Aint low = 0, len = 0;
    int e = get_extent(r, type, only_data, lb ? &low : NULL, extent ? &len : NULL);
    if (e)
        return e;
    *lb = low;
    *extent = len;
    return MPI_SUCCESS;
}

#pragma weak MPI_Type_get_extent = PMPI_Type_get_extent
int PMPI_Type_get_extent(MPI_Datatype type, MPI_Aint *lb, MPI_Aint *extent)
{
    struct rank *r = api_enter("MPI_Type_get_extent");
    return get_extent(r, type, 0, lb, extent);
}

#pragma weak MPI_Type_get_extent_x = PMPI_Type_get_extent_x
int PMPI_Type_get_extent_x(MPI_Datatype type, MPI_Count *lb, MPI_Count *extent)
{
    struct rank *r = api_enter("MPI_Type_get_extent_x");
    return get_extent_wide(r, type, 0, lb, extent);
}

#pragma weak MPI_Type_get_extent_c = PMPI_Type_get_extent_c
int PMPI_Type_get_extent_c(MPI_Datatype type, MPI_Count *lb, MPI_Count *extent)
{
    struct rank *r = api_enter("MPI_Type_get_extent_c");
    return get_extent_wide(r, type, 0, lb, extent);
}

#pragma weak MPI_Type_get_true_extent = PMPI_Type_get_true_extent
int PMPI_Type_get_true_extent(MPI_Datatype type, MPI_Aint *lb, MPI_Aint *extent)
{
    struct rank *r = api_enter("MPI_Type_get_true_extent");
    return get_extent(r, type, 1, lb, extent);
}

#pragma weak MPI_Type_get_true_extent_x = PMPI_Type_get_true_extent_x
int PMPI_Type_get_true_extent_x(MPI_Datatype type, MPI_Count *lb, MPI_Count *extent)
{
    struct rank *r = api_enter("MPI_Type_get_true_extent_x");
    return get_extent_wide(r, type, 1, lb, extent);
}

#pragma weak MPI_Type_get_true_extent_c = PMPI_Type_get_true_extent_c
int PMPI_Type_get_true_extent_c(MPI_Datatype type, MPI_Count *lb, MPI_Count *extent)
{
    struct rank *r = api_enter("MPI_Type_get_true_extent_c");
    return get_extent_wide(r, type, 1, lb, extent);
}
