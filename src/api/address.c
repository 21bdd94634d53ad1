/* address.c: addresses as numbers (MPI 5.0, section 5.1.5). */
#include "api.h"

/* MPI_BOTTOM is address 0, so a null pointer has an address. */
static int get_address(struct rank *r, const void *location, MPI_Aint *address)
{
    int e = check_pointer(r, address, "address");
    if (e)
        return api_error(r, NULL, e);
    *address = (MPI_Aint)(uintptr_t)location;
    return MPI_SUCCESS;
}

#pragma weak MPI_Get_address = PMPI_Get_address
int PMPI_Get_address(const void *location, MPI_Aint *address)
{
    struct rank *r = api_enter("MPI_Get_address");
    return get_address(r, location, address);
}

#pragma weak MPI_Address = PMPI_Address
int PMPI_Address(void *location, MPI_Aint *address)
{
    struct rank *r = api_enter("MPI_Address");
    return get_address(r, location, address);
}

/* These two may be called at any time: they need no rank. */
#pragma weak MPI_Aint_add = PMPI_Aint_add
MPI_Aint PMPI_Aint_add(MPI_Aint base, MPI_Aint disp) { return (MPI_Aint)((uintptr_t)base + (uintptr_t)disp); }

#pragma weak MPI_Aint_diff = PMPI_Aint_diff
MPI_Aint PMPI_Aint_diff(MPI_Aint addr1, MPI_Aint addr2) { return (MPI_Aint)((uintptr_t)addr1 - (uintptr_t)addr2); }
