/* hints.c: the info argument of calls that follow no hint: MPI_INFO_NULL, or an info object. */
#include "info.h"

/* Linked with whatever makes an info object. */
#pragma weak check_info

int check_hints(struct rank *r, MPI_Info handle)
{
    struct info *info;
    if (handle == MPI_INFO_NULL || (!check_info && handle == MPI_INFO_ENV))
        return MPI_SUCCESS;
    return check_info ? check_info(r, handle, &info)
                      : mpico_fault(r, MPI_ERR_INFO, "info: the handle is no info object (freed, or never set)");
}
