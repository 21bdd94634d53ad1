/* comm_split_type.c: communicators of those who share something (MPI 5.0, section 7.4.2). What ranks can share here is the memory of
 * one host: the resource type "mpi_shared_memory".
 */
#include <string.h>

#include "comm.h"

/* Linked with whatever makes an info object. */
#pragma weak PMPI_Info_get_string
#pragma weak PMPI_Info_set

static const char shared_memory[] = "mpi_shared_memory", resource_type[] = "mpi_hw_resource_type";

/* 1 if the program asks by this key for this value. */
static int asks(MPI_Info info, const char *key, const char *wanted)
{
    char value[40];
    int len = sizeof value, flag = 0;
    if (info == MPI_INFO_NULL || !PMPI_Info_get_string)
        return 0;
    return !PMPI_Info_get_string(info, key, &len, value, &flag) && flag && strcmp(value, wanted) == 0;
}

/* The color of this rank's host: hosts without a common memory are one a rank. */
static int host(const struct rank *r) { return r->machine->one_host ? 0 : r->world_rank; }

/* The color under which a rank splits: MPI_UNDEFINED for what is not known. */
static int color_of(const struct rank *r, int split_type, MPI_Info info)
{
    switch (split_type) {
    case MPI_COMM_TYPE_SHARED:
    case MPI_COMM_TYPE_HW_UNGUIDED:
        return host(r);
    case MPI_COMM_TYPE_RESOURCE_GUIDED:
        if (asks(info, "mpi_pset_name", "mpi://WORLD"))
            return 0;
        if (asks(info, "mpi_pset_name", "mpi://SELF"))
            return r->world_rank;
        /* fall through */
    case MPI_COMM_TYPE_HW_GUIDED:
        return asks(info, resource_type, shared_memory) ? host(r) : MPI_UNDEFINED;
    default:
        return MPI_UNDEFINED;
    }
}

static int check_split_type(struct rank *r, int split_type)
{
    if (split_type == MPI_UNDEFINED ||
        (split_type >= MPI_COMM_TYPE_SHARED && split_type <= MPI_COMM_TYPE_RESOURCE_GUIDED))
        return MPI_SUCCESS;
    return mpico_fault(r, MPI_ERR_ARG, "split_type: %d is none of MPI_COMM_TYPE_... and not MPI_UNDEFINED", split_type);
}

/* Unguided, only a part smaller than the whole counts, and the info object is told what it shares. */
static void unguided(struct rank *r, const struct comm *c, MPI_Info info, struct comm **made)
{
    if (!*made)
        return;
    if (comm_own(*made)->size == comm_own((struct comm *)(uintptr_t)c)->size) {
        mpico_comm_release(r, *made);
        *made = NULL;
    } else if (info != MPI_INFO_NULL && PMPI_Info_set) {
        PMPI_Info_set(info, resource_type, shared_memory);
    }
}

#pragma weak MPI_Comm_split_type = PMPI_Comm_split_type
int PMPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm)
{
    struct rank *r = api_enter("MPI_Comm_split_type");
    struct comm *c = NULL, *made = NULL;
    int e;
    if ((e = check_comm(r, comm, &c)) || (e = check_split_type(r, split_type)) || (e = check_hints(r, info)) ||
        (e = check_pointer(r, newcomm, "newcomm")))
        return api_error(r, c, e);
    int color = color_of(r, split_type, info);
    r->call = "MPI_Comm_split_type"; /* the calls for info objects have entered meanwhile */
    if ((e = comm_split(r, c, (struct choice){color, key}, &made)))
        return api_error(r, c, e);
    if (split_type == MPI_COMM_TYPE_HW_UNGUIDED)
        unguided(r, c, info, &made);
    *newcomm = comm_handle_or_null(made);
    return MPI_SUCCESS;
}
