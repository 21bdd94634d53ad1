/* handle_status.c: statuses of Fortran (MPI 5.0, section 19.3.5). In the ABI all three forms are the same eight integers. */
#include <string.h>

#include "api.h"

_Static_assert(sizeof(MPI_Status) == MPI_F_STATUS_SIZE * sizeof(MPI_Fint), "a status is eight integers of Fortran");

/* These may be called at any time, so they do not enter. What is to be ignored has no contents. */
static int convert(const void *from, void *to)
{
    if (!from || !to)
        return MPI_ERR_ARG;
    memcpy(to, from, sizeof(MPI_Status));
    return MPI_SUCCESS;
}

#pragma weak MPI_Status_c2f = PMPI_Status_c2f
int PMPI_Status_c2f(const MPI_Status *c_status, MPI_Fint *f_status) { return convert(c_status, f_status); }

#pragma weak MPI_Status_f2c = PMPI_Status_f2c
int PMPI_Status_f2c(const MPI_Fint *f_status, MPI_Status *c_status) { return convert(f_status, c_status); }

#pragma weak MPI_Status_c2f08 = PMPI_Status_c2f08
int PMPI_Status_c2f08(const MPI_Status *c_status, MPI_F08_status *f08_status) { return convert(c_status, f08_status); }

#pragma weak MPI_Status_f082c = PMPI_Status_f082c
int PMPI_Status_f082c(const MPI_F08_status *f08_status, MPI_Status *c_status) { return convert(f08_status, c_status); }

#pragma weak MPI_Status_f2f08 = PMPI_Status_f2f08
int PMPI_Status_f2f08(const MPI_Fint *f_status, MPI_F08_status *f08_status) { return convert(f_status, f08_status); }

#pragma weak MPI_Status_f082f = PMPI_Status_f082f
int PMPI_Status_f082f(const MPI_F08_status *f08_status, MPI_Fint *f_status) { return convert(f08_status, f_status); }
