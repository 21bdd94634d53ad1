/* bare_more.c: calls beyond the eleven that cost a bare program nothing unless it makes them. */
#include <limits.h>
#include <string.h>

#include "../api/status.h"
#include "../type/type.h"
#include "bare.h"

#pragma weak MPI_Initialized = PMPI_Initialized
int PMPI_Initialized(int *flag)
{
    *flag = mpico_bare.state != BARE_BEFORE;
    return MPI_SUCCESS;
}

#pragma weak MPI_Finalized = PMPI_Finalized
int PMPI_Finalized(int *flag)
{
    *flag = mpico_bare.state == BARE_FINALIZED;
    return MPI_SUCCESS;
}

#pragma weak MPI_Abort = PMPI_Abort
int PMPI_Abort(MPI_Comm comm, int errorcode)
{
    (void)comm;
    mpico_bare.call = "MPI_Abort";
    mpico_bare_die(errorcode & 0xff ? errorcode & 0xff : 1, "the program ends the job with code %d", errorcode);
}

#pragma weak MPI_Get_count = PMPI_Get_count
int PMPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count)
{
    mpico_bare_enter("MPI_Get_count");
    unsigned width = (unsigned)mpico_bare_bytes(status, 1, type), bytes = (unsigned)status_bytes(status);
    *count = bytes % width || bytes / width > INT_MAX ? MPI_UNDEFINED : (int)(bytes / width);
    return MPI_SUCCESS;
}

#pragma weak MPI_Test_cancelled = PMPI_Test_cancelled
int PMPI_Test_cancelled(const MPI_Status *status, int *flag)
{
    (void)status;
    *flag = 0;
    return MPI_SUCCESS;
}

/* Codes are classes, and a program only ever sees MPI_SUCCESS. */
#pragma weak MPI_Error_class = PMPI_Error_class
int PMPI_Error_class(int errorcode, int *errorclass)
{
    *errorclass = errorcode;
    return MPI_SUCCESS;
}

#pragma weak MPI_Error_string = PMPI_Error_string
int PMPI_Error_string(int errorcode, char *string, int *length)
{
    strcpy(string, errorcode ? "an error" : "no error");
    *length = (int)strlen(string);
    return MPI_SUCCESS;
}

#pragma weak MPI_Wtime = PMPI_Wtime
double PMPI_Wtime(void) { return (double)mpico_bare_now_ns() * 1e-9; }

#pragma weak MPI_Wtick = PMPI_Wtick
double PMPI_Wtick(void) { return 1e-9; } /* the unit of the clock */
