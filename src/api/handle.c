/* handle.c: handles as integers (MPI 5.0, sections 20.4 and 19.3): predefined ones are their numbers in the ABI. Any other is the
 * address of an object in the rank's heap, and its integer the object's place there: no table to keep, and
 * an integer that was no handle becomes a handle that the checks of a call refuse.
 */
#include "api.h"

enum {
    FIRST_OBJECT = 0x1000, /* above every number of the ABI, */
    PLACE = 8,             /* and then one a place that an object may begin at */
    NO_INT = -1
};

/* A heap of 2^31 places, 16 GB, is the most whose objects all have an integer. */
static int to_int(const void *handle)
{
    const struct rank *r = rank_self();
    uintptr_t v = (uintptr_t)handle;
    uint64_t place = (v - (uintptr_t)r->heap.base) / PLACE;
    if (v < FIRST_OBJECT)
        return (int)v;
    return api_is_object(r, v) && place <= INT32_MAX - FIRST_OBJECT ? FIRST_OBJECT + (int)place : NO_INT;
}

static void *from_int(int number)
{
    const struct rank *r = rank_self();
    if (number < FIRST_OBJECT)
        return (void *)(uintptr_t)(number < 0 ? 0 : number);
    uintptr_t v = (uintptr_t)r->heap.base + (uintptr_t)(number - FIRST_OBJECT) * PLACE;
    return api_is_object(r, v) ? (void *)v : NULL;
}

/* Fortran's handles are the same integers. A macro, as the eleven kinds differ in nothing but their name. */
#define HANDLE(kind, type)                                                                                             \
    int PMPI_##kind##_toint(type handle) { return to_int(handle); }                                                    \
    type PMPI_##kind##_fromint(int number) { return (type)from_int(number); }                                          \
    MPI_Fint PMPI_##kind##_c2f(type handle) { return to_int(handle); }                                                 \
    type PMPI_##kind##_f2c(MPI_Fint number) { return (type)from_int(number); }

#pragma weak MPI_Comm_toint = PMPI_Comm_toint
#pragma weak MPI_Comm_fromint = PMPI_Comm_fromint
#pragma weak MPI_Comm_c2f = PMPI_Comm_c2f
#pragma weak MPI_Comm_f2c = PMPI_Comm_f2c
HANDLE(Comm, MPI_Comm)

#pragma weak MPI_Errhandler_toint = PMPI_Errhandler_toint
#pragma weak MPI_Errhandler_fromint = PMPI_Errhandler_fromint
#pragma weak MPI_Errhandler_c2f = PMPI_Errhandler_c2f
#pragma weak MPI_Errhandler_f2c = PMPI_Errhandler_f2c
HANDLE(Errhandler, MPI_Errhandler)

#pragma weak MPI_File_toint = PMPI_File_toint
#pragma weak MPI_File_fromint = PMPI_File_fromint
#pragma weak MPI_File_c2f = PMPI_File_c2f
#pragma weak MPI_File_f2c = PMPI_File_f2c
HANDLE(File, MPI_File)

#pragma weak MPI_Group_toint = PMPI_Group_toint
#pragma weak MPI_Group_fromint = PMPI_Group_fromint
#pragma weak MPI_Group_c2f = PMPI_Group_c2f
#pragma weak MPI_Group_f2c = PMPI_Group_f2c
HANDLE(Group, MPI_Group)

#pragma weak MPI_Info_toint = PMPI_Info_toint
#pragma weak MPI_Info_fromint = PMPI_Info_fromint
#pragma weak MPI_Info_c2f = PMPI_Info_c2f
#pragma weak MPI_Info_f2c = PMPI_Info_f2c
HANDLE(Info, MPI_Info)

#pragma weak MPI_Message_toint = PMPI_Message_toint
#pragma weak MPI_Message_fromint = PMPI_Message_fromint
#pragma weak MPI_Message_c2f = PMPI_Message_c2f
#pragma weak MPI_Message_f2c = PMPI_Message_f2c
HANDLE(Message, MPI_Message)

#pragma weak MPI_Op_toint = PMPI_Op_toint
#pragma weak MPI_Op_fromint = PMPI_Op_fromint
#pragma weak MPI_Op_c2f = PMPI_Op_c2f
#pragma weak MPI_Op_f2c = PMPI_Op_f2c
HANDLE(Op, MPI_Op)

#pragma weak MPI_Request_toint = PMPI_Request_toint
#pragma weak MPI_Request_fromint = PMPI_Request_fromint
#pragma weak MPI_Request_c2f = PMPI_Request_c2f
#pragma weak MPI_Request_f2c = PMPI_Request_f2c
HANDLE(Request, MPI_Request)

#pragma weak MPI_Session_toint = PMPI_Session_toint
#pragma weak MPI_Session_fromint = PMPI_Session_fromint
#pragma weak MPI_Session_c2f = PMPI_Session_c2f
#pragma weak MPI_Session_f2c = PMPI_Session_f2c
HANDLE(Session, MPI_Session)

#pragma weak MPI_Type_toint = PMPI_Type_toint
#pragma weak MPI_Type_fromint = PMPI_Type_fromint
#pragma weak MPI_Type_c2f = PMPI_Type_c2f
#pragma weak MPI_Type_f2c = PMPI_Type_f2c
HANDLE(Type, MPI_Datatype)

#pragma weak MPI_Win_toint = PMPI_Win_toint
#pragma weak MPI_Win_fromint = PMPI_Win_fromint
#pragma weak MPI_Win_c2f = PMPI_Win_c2f
#pragma weak MPI_Win_f2c = PMPI_Win_f2c
HANDLE(Win, MPI_Win)
