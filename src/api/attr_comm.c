/* attr_comm.c: attributes of communicators, and those they are born with (MPI 5.0, sections 7.7.2 and 9.1.2). */
#include <limits.h>

#include "attr.h"
#include "state.h"

const int *api_attr_predefined(struct rank *r, int keyval)
{
    static const int tag_ub = INT_MAX, nobody = MPI_PROC_NULL, anybody = MPI_ANY_SOURCE, zero = 0;
    switch (keyval) {
    case MPI_TAG_UB:
        return &tag_ub;
    case MPI_HOST:
        return &nobody;
    case MPI_IO:
        return SMALL ? &nobody : &anybody;
    case MPI_WTIME_IS_GLOBAL:
    case MPI_APPNUM:
        return &zero;
    case MPI_UNIVERSE_SIZE:
        return &r->world_size;
    case MPI_LASTUSEDCODE:
        return &api_state(r)->last_code;
    default:
        return NULL;
    }
}

#pragma weak MPI_Comm_create_keyval = PMPI_Comm_create_keyval
int PMPI_Comm_create_keyval(MPI_Comm_copy_attr_function *comm_copy_attr_fn,
                            MPI_Comm_delete_attr_function *comm_delete_attr_fn, int *comm_keyval, void *extra_state)
{
    struct rank *r = api_enter("MPI_Comm_create_keyval");
    int e = api_keyval_make(r, ATTR_COMM, (attr_function *)comm_copy_attr_fn, (attr_function *)comm_delete_attr_fn,
                            comm_keyval, extra_state);
    return e ? api_error(r, NULL, e) : MPI_SUCCESS;
}

#pragma weak MPI_Comm_free_keyval = PMPI_Comm_free_keyval
int PMPI_Comm_free_keyval(int *comm_keyval)
{
    struct rank *r = api_enter("MPI_Comm_free_keyval");
    int e = api_keyval_free(r, ATTR_COMM, comm_keyval);
    return e ? api_error(r, NULL, e) : MPI_SUCCESS;
}

#pragma weak MPI_Comm_set_attr = PMPI_Comm_set_attr
int PMPI_Comm_set_attr(MPI_Comm comm, int comm_keyval, void *attribute_val)
{
    struct rank *r = api_enter("MPI_Comm_set_attr");
    struct comm *c = NULL;
    int e = check_comm(r, comm, &c);
    if (!e)
        e = api_attr_set(r, ATTR_COMM, c->handle, &c->attributes, comm_keyval, attribute_val);
    return e ? api_error(r, c, e) : MPI_SUCCESS;
}

#pragma weak MPI_Comm_get_attr = PMPI_Comm_get_attr
int PMPI_Comm_get_attr(MPI_Comm comm, int comm_keyval, void *attribute_val, int *flag)
{
    struct rank *r = api_enter("MPI_Comm_get_attr");
    struct comm *c = NULL;
    int e = check_comm(r, comm, &c);
    const int *predefined = e ? NULL : api_attr_predefined(r, comm_keyval);
    if (predefined && attribute_val && flag) {
        *(const int **)attribute_val = predefined;
        *flag = 1;
    } else if (!e) {
        e = api_attr_get(r, ATTR_COMM, c->attributes, comm_keyval, attribute_val, flag);
    }
    return e ? api_error(r, c, e) : MPI_SUCCESS;
}

#pragma weak MPI_Comm_delete_attr = PMPI_Comm_delete_attr
int PMPI_Comm_delete_attr(MPI_Comm comm, int comm_keyval)
{
    struct rank *r = api_enter("MPI_Comm_delete_attr");
    struct comm *c = NULL;
    int e = check_comm(r, comm, &c);
    if (!e)
        e = api_attr_delete(r, ATTR_COMM, c->handle, &c->attributes, comm_keyval);
    return e ? api_error(r, c, e) : MPI_SUCCESS;
}
