/* info_comm.c: hints of objects (MPI 5.0, section 7.4.4): the work of all kinds, and the calls for communicators. The library
 * follows none of them, keeps them all, and tells them when it is asked.
 */
#include "carried.h"
#include "info.h"

int api_info_set(struct rank *r, struct info **slot, MPI_Info handle)
{
    struct info *given;
    if (handle == MPI_INFO_NULL)
        return MPI_SUCCESS;
    int e = check_info(r, handle, &given);
    if (!e && !*slot)
        e = api_info_make(r, slot);
    for (const struct info_pair *p = e ? NULL : given->first; p && !e; p = p->next)
        e = api_info_put(r, *slot, p->key, p->value);
    return e;
}

int api_info_get(struct rank *r, const struct info *info, MPI_Info *out)
{
    struct info *copy;
    int e;
    if ((e = check_pointer(r, out, "info_used")) || (e = api_info_copy(r, info, &copy)))
        return e;
    *out = api_info_handle(copy);
    return MPI_SUCCESS;
}

#pragma weak MPI_Comm_set_info = PMPI_Comm_set_info
int PMPI_Comm_set_info(MPI_Comm comm, MPI_Info info)
{
    struct rank *r = api_enter("MPI_Comm_set_info");
    struct comm *c = NULL;
    int e = check_comm(r, comm, &c);
    if (!e)
        e = api_info_set(r, &c->info, info);
    return e ? api_error(r, c, e) : MPI_SUCCESS;
}

#pragma weak MPI_Comm_get_info = PMPI_Comm_get_info
int PMPI_Comm_get_info(MPI_Comm comm, MPI_Info *info_used)
{
    struct rank *r = api_enter("MPI_Comm_get_info");
    struct comm *c = NULL;
    int e = check_comm(r, comm, &c);
    if (!e)
        e = api_info_get(r, c->info, info_used);
    return e ? api_error(r, c, e) : MPI_SUCCESS;
}
