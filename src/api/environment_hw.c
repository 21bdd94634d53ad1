/* environment_hw.c: the machine that a rank runs on (MPI 5.0, section 9.1.2). */
#include "api.h"

/* A rank stays where it shares memory with others, if with any. MPI_Comm_split_type knows the same name. May be called at any time. */
#pragma weak MPI_Get_hw_resource_info = PMPI_Get_hw_resource_info
int PMPI_Get_hw_resource_info(MPI_Info *hw_info)
{
    int e = PMPI_Info_create(hw_info);
    return e ? e : PMPI_Info_set(*hw_info, "mpi_shared_memory", "true");
}
