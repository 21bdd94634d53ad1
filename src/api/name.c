/* name.c: names of objects (MPI 5.0, section 7.8): the work of all kinds, and the calls for communicators. */
#include <string.h>

#include "slots.h"

int api_name_set(struct rank *r, char **slot, const char *name)
{
    int e = check_pointer(r, name, "name");
    if (e)
        return e;
    size_t len = strlen(name);
    if (len > MPI_MAX_OBJECT_NAME - 1)
        len = MPI_MAX_OBJECT_NAME - 1;
    char *copy = mpico_heap_alloc(&r->heap, len + 1);
    if (!copy)
        return mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a name of %z bytes", len);
    memcpy(copy, name, len);
    copy[len] = 0;
    mpico_heap_free(&r->heap, *slot);
    *slot = copy;
    return MPI_SUCCESS;
}

int api_name_get(struct rank *r, const char *name, const char *fallback, char *out, int *resultlen)
{
    int e;
    if ((e = check_pointer(r, out, "name")) || (e = check_pointer(r, resultlen, "resultlen")))
        return e;
    if (!name)
        name = fallback;
    size_t len = strlen(name);
    memcpy(out, name, len + 1);
    *resultlen = (int)len;
    return MPI_SUCCESS;
}

#pragma weak MPI_Comm_set_name = PMPI_Comm_set_name
int PMPI_Comm_set_name(MPI_Comm comm, const char *comm_name)
{
    struct rank *r = api_enter("MPI_Comm_set_name");
    struct comm *c = NULL;
    int e = check_comm(r, comm, &c);
    if (!e)
        e = api_name_set(r, &c->name, comm_name);
    return e ? api_error(r, c, e) : MPI_SUCCESS;
}

/* The standard's names are answers even where no communicator is. */
#pragma weak MPI_Comm_get_name = PMPI_Comm_get_name
int PMPI_Comm_get_name(MPI_Comm comm, char *comm_name, int *resultlen)
{
    struct rank *r = api_enter("MPI_Comm_get_name");
    struct comm *c = NULL;
    int e = comm == MPI_COMM_NULL ? MPI_SUCCESS : check_comm(r, comm, &c);
    const char *fallback = !c              ? "MPI_COMM_NULL"
                           : c == r->world ? "MPI_COMM_WORLD"
                           : c == r->self  ? "MPI_COMM_SELF"
                                           : "";
    if (!e)
        e = api_name_get(r, c ? c->name : NULL, fallback, comm_name, resultlen);
    return e ? api_error(r, c, e) : MPI_SUCCESS;
}
