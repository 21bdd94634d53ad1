/* comm.c: communicators (MPI 5.0, chapter 7). A new communicator needs an identifier that is free at
 * every member. All members of the parent take part in choosing it, so that groups that come out of one
 * split may share it: no message passes between them.
 */
#include "fast.h"

#pragma weak MPI_Comm_group = PMPI_Comm_group
int PMPI_Comm_group(MPI_Comm comm, MPI_Group *group)
{
    struct rank *r = api_enter("MPI_Comm_group");
    struct comm *c = NULL;
    int e;
    if ((e = check_comm(r, comm, &c)) || (e = check_pointer(r, group, "group")))
        return api_error(r, c, e);
    struct group *g = mpico_comm_group(r, c);
    if (!g)
        return api_error(r, c, mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a group"));
    mpico_group_keep(g);
    *group = api_group_handle(g);
    return MPI_SUCCESS;
}

static int has_member(const struct comm *c, int world)
{
    int i = 0;
    while (i < c->size && comm_world(c, i) != world)
        i++;
    return i < c->size;
}

static int compare(const struct comm *a, const struct comm *b)
{
    if (a == b)
        return MPI_IDENT;
    if (a->size != b->size)
        return MPI_UNEQUAL;
    int result = MPI_CONGRUENT;
    for (int i = 0; i < a->size; i++) {
        if (comm_world(a, i) == comm_world(b, i))
            continue;
        if (!has_member(b, comm_world(a, i)))
            return MPI_UNEQUAL;
        result = MPI_SIMILAR;
    }
    return result;
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

/* ---- Making ---- */

static int lowest_bit(const uint64_t *words, int count)
{
    for (int i = 0; i < count; i++)
        if (words[i])
            return 64 * i + __builtin_ctzll(words[i]);
    return -1;
}

/* The lowest identifier free at every member of `parent`. One word decides while few communicators
 * live; only when it has no common bit are the others compared. */
static int agree_on_id(struct rank *r, const struct comm *parent, uint32_t *id)
{
    enum { WORDS = COMM_IDS / 64 };
    uint64_t mine[WORDS], common[WORDS] = {0};
    MPI_Comm handle = api_comm_handle(parent);
    const char *call = r->call;
    mpico_comm_ids_free(r, mine);
    int e = PMPI_Allreduce(mine, common, 1, MPI_UINT64_T, MPI_BAND, handle);
    if (!e && !common[0])
        e = PMPI_Allreduce(mine, common, WORDS, MPI_UINT64_T, MPI_BAND, handle);
    r->call = call;
    if (e)
        return e;
    int lowest = lowest_bit(common, WORDS);
    if (lowest < 0)
        return mpico_fault(r, MPI_ERR_OTHER, "no identifier is free at all members: %d communicators may live at once",
                           COMM_IDS);
    *id = (uint32_t)lowest;
    return MPI_SUCCESS;
}

/* Over `group`, whose reference is the caller's. The error handler is the parent's. */
static int make(struct rank *r, const struct comm *parent, struct group *group, uint32_t id, MPI_Comm *newcomm)
{
    struct comm *c = group ? mpico_comm_alloc(r, group, id) : NULL;
    if (!c)
        return mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a communicator");
    mpico_comm_id_take(r, id);
    c->errhandler = parent->errhandler;
    *newcomm = api_comm_handle(c);
    return MPI_SUCCESS;
}

#pragma weak MPI_Comm_dup = PMPI_Comm_dup
int PMPI_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm)
{
    struct rank *r = api_enter("MPI_Comm_dup");
    struct comm *c = NULL;
    uint32_t id;
    int e;
    if ((e = check_comm(r, comm, &c)) || (e = check_pointer(r, newcomm, "newcomm")) || (e = agree_on_id(r, c, &id)) ||
        (e = make(r, c, mpico_comm_group(r, c), id, newcomm)))
        return api_error(r, c, e);
    return MPI_SUCCESS;
}

static int check_subgroup(struct rank *r, const struct comm *c, const struct group *g)
{
    for (int i = 0; i < g->size; i++)
        if (!has_member(c, group_world(g, i)))
            return mpico_fault(r, MPI_ERR_GROUP, "group: its member %d is not in the communicator of %d ranks", i,
                               c->size);
    return MPI_SUCCESS;
}

#pragma weak MPI_Comm_create = PMPI_Comm_create
int PMPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm)
{
    struct rank *r = api_enter("MPI_Comm_create");
    struct comm *c = NULL;
    struct group *g = NULL;
    uint32_t id;
    int e;
    if ((e = check_comm(r, comm, &c)) || (e = check_group(r, group, &g)) ||
        (e = check_pointer(r, newcomm, "newcomm")) || (e = check_subgroup(r, c, g)) || (e = agree_on_id(r, c, &id)))
        return api_error(r, c, e);
    *newcomm = MPI_COMM_NULL;
    e = g->self >= 0 ? make(r, c, g, id, newcomm) : MPI_SUCCESS;
    return e ? api_error(r, c, e) : MPI_SUCCESS;
}

struct choice {
    int color, key;
};

/* The members of this rank's colour by key, then by rank: an insertion that keeps equal keys in order. */
static struct group *members(struct rank *r, const struct comm *c, const struct choice *all, int *order)
{
    int size = 0;
    for (int i = 0; i < c->size; i++) {
        if (all[i].color != all[c->rank].color)
            continue;
        int at = size++;
        for (; at > 0 && all[order[at - 1]].key > all[i].key; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    struct group *g = mpico_group_alloc(r, size);
    if (!g)
        return NULL;
    for (int i = 0; i < size; i++)
        g->list[i] = comm_world(c, order[i]);
    return mpico_group_seal(r, g);
}

static int split(struct rank *r, const struct comm *c, struct choice mine, struct choice *all, MPI_Comm *newcomm)
{
    uint32_t id;
    const char *call = r->call;
    int e = PMPI_Allgather(&mine, 2, MPI_INT, all, 2, MPI_INT, api_comm_handle(c));
    r->call = call;
    if (e || (e = agree_on_id(r, c, &id)))
        return e;
    *newcomm = MPI_COMM_NULL;
    if (mine.color == MPI_UNDEFINED)
        return MPI_SUCCESS;
    struct group *g = members(r, c, all, (int *)(void *)(all + c->size));
    if (!g)
        return mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a group");
    e = make(r, c, g, id, newcomm);
    mpico_group_release(r, g);
    return e;
}

#pragma weak MPI_Comm_split = PMPI_Comm_split
int PMPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *newcomm)
{
    struct rank *r = api_enter("MPI_Comm_split");
    struct comm *c = NULL;
    int e;
    if ((e = check_comm(r, comm, &c)) || (e = check_pointer(r, newcomm, "newcomm")))
        return api_error(r, c, e);
    if (color < 0 && color != MPI_UNDEFINED)
        return api_error(r, c, mpico_fault(r, MPI_ERR_ARG, "color: %d is negative and not MPI_UNDEFINED", color));
    struct choice *all = mpico_heap_alloc(&r->heap, (size_t)c->size * (sizeof *all + sizeof(int)));
    if (!all)
        return api_error(r, c, mpico_fault(r, MPI_ERR_NO_MEM, "no memory for %d colors", c->size));
    e = split(r, c, (struct choice){color, key}, all, newcomm);
    mpico_heap_free(&r->heap, all);
    return e ? api_error(r, c, e) : MPI_SUCCESS;
}

#pragma weak MPI_Comm_free = PMPI_Comm_free
int PMPI_Comm_free(MPI_Comm *comm)
{
    struct rank *r = api_enter("MPI_Comm_free");
    struct comm *c = NULL;
    int e;
    if ((e = check_pointer(r, comm, "comm")) || (e = check_comm(r, *comm, &c)))
        return api_error(r, c, e);
    if (c == r->world || c == r->self)
        return api_error(r, c,
                         mpico_fault(r, MPI_ERR_COMM, "comm: %s cannot be freed",
                                     c == r->world ? "MPI_COMM_WORLD" : "MPI_COMM_SELF"));
    mpico_comm_release(r, c);
    *comm = MPI_COMM_NULL;
    return MPI_SUCCESS;
}
