/* comm.c: communicators as they are: their group, comparing, copying and freeing them (MPI 5.0, sections 7.3.2 and 7.4). */
#include "comm.h"
#include "../core/held.h"

#include "carried.h"

#pragma weak MPI_Comm_group = PMPI_Comm_group
int PMPI_Comm_group(MPI_Comm comm, MPI_Group *group)
{
    struct rank *r = api_enter("MPI_Comm_group");
    struct comm *c = NULL;
    int e;
    if ((e = check_comm(r, comm, &c)) || (e = check_pointer(r, group, "group")))
        return api_error(r, c, e);
    struct group *g = mpico_comm_group(r, comm_own(c));
    if (!g)
        return api_error(r, c, mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a group"));
    mpico_group_keep(g);
    *group = api_group_handle(g);
    return MPI_SUCCESS;
}

/* ---- Comparing ---- */

static int has_peer(const struct comm *c, int world)
{
    int i = 0;
    while (i < c->size && comm_world(c, i) != world)
        i++;
    return i < c->size;
}

static int compare_peers(const struct comm *a, const struct comm *b)
{
    if (a->size != b->size)
        return MPI_UNEQUAL;
    int result = MPI_CONGRUENT;
    for (int i = 0; i < a->size; i++) {
        if (comm_world(a, i) == comm_world(b, i))
            continue;
        if (!has_peer(b, comm_world(a, i)))
            return MPI_UNEQUAL;
        result = MPI_SIMILAR;
    }
    return result;
}

static int compare(const struct comm *a, const struct comm *b)
{
    if (a == b)
        return MPI_IDENT;
    if (!a->local != !b->local)
        return MPI_UNEQUAL;
    int result = compare_peers(a, b), own = a->local ? compare_peers(a->local, b->local) : result;
    if (result == MPI_UNEQUAL || own == MPI_UNEQUAL)
        return MPI_UNEQUAL;
    return own == MPI_SIMILAR ? own : result;
}

#pragma weak MPI_Comm_compare = PMPI_Comm_compare
int PMPI_Comm_compare(MPI_Comm comm1, MPI_Comm comm2, int *result)
{
    struct rank *r = api_enter("MPI_Comm_compare");
    struct comm *a = NULL, *b = NULL;
    int e;
    if ((e = check_comm(r, comm1, &a)) || (e = check_comm(r, comm2, &b)) || (e = check_pointer(r, result, "result")))
        return api_error(r, a, e);
    *result = compare(a, b);
    return MPI_SUCCESS;
}

/* ---- Copying ---- */

int comm_copy(struct rank *r, struct comm *c, uint32_t id, struct comm **made)
{
    struct group *local = mpico_comm_group(r, comm_own(c)), *remote = c->local ? c->group : NULL;
    int e = comm_make(r, c, local, remote, id, made);
    if (!e && (e = api_comm_carry(r, c, *made)))
        mpico_comm_release(r, *made);
    return e;
}

int comm_duplicate(struct rank *r, struct comm *c, struct comm **made)
{
    uint32_t id;
    int e = comm_agree(r, c, &id);
    return e ? e : comm_copy(r, c, id, made);
}

#pragma weak MPI_Comm_dup = PMPI_Comm_dup
int PMPI_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm)
{
    struct rank *r = api_enter("MPI_Comm_dup");
    struct comm *c = NULL, *made = NULL;
    int e;
    if ((e = check_comm(r, comm, &c)) || (e = check_pointer(r, newcomm, "newcomm")) ||
        (e = comm_duplicate(r, c, &made)))
        return api_error(r, c, e);
    *newcomm = api_comm_handle(made);
    return MPI_SUCCESS;
}

/* ---- Freeing ---- */

static int check_freeable(struct rank *r, const struct comm *c)
{
    if (c != r->world && c != r->self)
        return MPI_SUCCESS;
    return mpico_fault(r, MPI_ERR_COMM, "comm: %s cannot be freed", c == r->world ? "MPI_COMM_WORLD" : "MPI_COMM_SELF");
}

#pragma weak MPI_Comm_free = PMPI_Comm_free
int PMPI_Comm_free(MPI_Comm *comm)
{
    struct rank *r = api_enter("MPI_Comm_free");
    struct comm *c = NULL;
    int e;
    if ((e = check_pointer(r, comm, "comm")) || (e = check_comm(r, *comm, &c)) || (e = check_freeable(r, c)) ||
        (e = api_comm_unload(r, c)))
        return api_error(r, c, e);
    held_drop(r, c);
    if (!SMALL)
        c->magic = 0; /* operations under way need it, but the program has it no more */
    mpico_comm_release(r, c);
    *comm = MPI_COMM_NULL;
    return MPI_SUCCESS;
}
