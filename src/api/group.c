/* group.c: the algebra of groups. Local: no call here communicates. */
#include <string.h>

#include "../core/held.h"
#include "api.h"

int check_group(struct rank *r, MPI_Group handle, struct group **group)
{
    if (handle == MPI_GROUP_EMPTY) {
        *group = mpico_group_alloc(r, 0);
        return MPI_SUCCESS;
    }
    if (handle == MPI_GROUP_NULL)
        return mpico_fault(r, MPI_ERR_GROUP, "group: MPI_GROUP_NULL");
    struct group *g = (struct group *)(void *)handle;
    if (!api_is_object(r, (uintptr_t)handle) || g->magic != GROUP_MAGIC || (!SMALL && !g->handles))
        return mpico_fault(r, MPI_ERR_GROUP, "group: the handle is no group (freed, or never set)");
    *group = g;
    return MPI_SUCCESS;
}

MPI_Group api_group_handle(struct group *g)
{
    if (g->size == 0)
        return MPI_GROUP_EMPTY;
    if (!SMALL) {
        g->handles++;
        held_add(rank_self(), HELD_GROUP, g);
    }
    return (MPI_Group)(void *)g;
}

static int no_memory(struct rank *r)
{
    return api_error(r, NULL, mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a group"));
}

#pragma weak MPI_Group_size = PMPI_Group_size
int PMPI_Group_size(MPI_Group group, int *size)
{
    struct rank *r = api_enter("MPI_Group_size");
    struct group *g;
    int e;
    if ((e = check_group(r, group, &g)) || (e = check_pointer(r, size, "size")))
        return api_error(r, NULL, e);
    *size = g->size;
    return MPI_SUCCESS;
}

#pragma weak MPI_Group_rank = PMPI_Group_rank
int PMPI_Group_rank(MPI_Group group, int *rank)
{
    struct rank *r = api_enter("MPI_Group_rank");
    struct group *g;
    int e;
    if ((e = check_group(r, group, &g)) || (e = check_pointer(r, rank, "rank")))
        return api_error(r, NULL, e);
    *rank = g->self < 0 ? MPI_UNDEFINED : g->self;
    return MPI_SUCCESS;
}

#pragma weak MPI_Group_free = PMPI_Group_free
int PMPI_Group_free(MPI_Group *group)
{
    struct rank *r = api_enter("MPI_Group_free");
    struct group *g;
    int e;
    if ((e = check_pointer(r, group, "group")) || (e = check_group(r, *group, &g)))
        return api_error(r, NULL, e);
    held_drop(r, g);
    if (!SMALL && g->size)
        g->handles--;
    mpico_group_release(r, g);
    *group = MPI_GROUP_NULL;
    return MPI_SUCCESS;
}

static int check_list(struct rank *r, int n, const void *list, const char *name)
{
    if (n < 0)
        return mpico_fault(r, MPI_ERR_ARG, "n: %d is negative", n);
    return n > 0 ? check_pointer(r, list, name) : MPI_SUCCESS;
}

static int check_member(struct rank *r, const struct group *g, int rank, const char *name)
{
    if (rank >= 0 && rank < g->size)
        return MPI_SUCCESS;
    return mpico_fault(r, MPI_ERR_RANK, "%s: %d is no rank of a group of %d", name, rank, g->size);
}

#pragma weak MPI_Group_translate_ranks = PMPI_Group_translate_ranks
int PMPI_Group_translate_ranks(MPI_Group group1, int n, const int ranks1[], MPI_Group group2, int ranks2[])
{
    struct rank *r = api_enter("MPI_Group_translate_ranks");
    struct group *from, *to;
    int e;
    if ((e = check_group(r, group1, &from)) || (e = check_group(r, group2, &to)) ||
        (e = check_list(r, n, ranks1, "ranks1")) || (e = check_list(r, n, ranks2, "ranks2")))
        return api_error(r, NULL, e);
    for (int i = 0; i < n; i++) {
        if (ranks1[i] == MPI_PROC_NULL) {
            ranks2[i] = MPI_PROC_NULL;
            continue;
        }
        if ((e = check_member(r, from, ranks1[i], "ranks1")))
            return api_error(r, NULL, e);
        int found = mpico_group_find(to, group_world(from, ranks1[i]));
        ranks2[i] = found < 0 ? MPI_UNDEFINED : found;
    }
    return MPI_SUCCESS;
}

static int same_members(const struct group *a, const struct group *b)
{
    for (int i = 0; i < a->size; i++) {
        if (mpico_group_find(b, group_world(a, i)) < 0)
            return 0;
    }
    return a->size == b->size;
}

#pragma weak MPI_Group_compare = PMPI_Group_compare
int PMPI_Group_compare(MPI_Group group1, MPI_Group group2, int *result)
{
    struct rank *r = api_enter("MPI_Group_compare");
    struct group *a, *b;
    int e;
    if ((e = check_group(r, group1, &a)) || (e = check_group(r, group2, &b)) ||
        (e = check_pointer(r, result, "result")))
        return api_error(r, NULL, e);
    if (mpico_group_same(a, b))
        *result = MPI_IDENT;
    else
        *result = same_members(a, b) ? MPI_SIMILAR : MPI_UNEQUAL;
    return MPI_SUCCESS;
}

/* ---- Two groups to one ---- */

enum set_operation { UNION, INTERSECTION, DIFFERENCE };

/* The standard's orders: members of the first group in its order, then (union) what only the second has.
 * Fills `world` unless it is NULL; how many there are. */
static int combine(const struct group *a, const struct group *b, enum set_operation operation, int *world)
{
    int n = 0;
    for (int i = 0; i < a->size; i++) {
        int in_b = operation != UNION && mpico_group_find(b, group_world(a, i)) >= 0;
        if (operation == UNION || (operation == INTERSECTION) == in_b) {
            if (world)
                world[n] = group_world(a, i);
            n++;
        }
    }
    for (int i = 0; operation == UNION && i < b->size; i++) {
        if (mpico_group_find(a, group_world(b, i)) < 0) {
            if (world)
                world[n] = group_world(b, i);
            n++;
        }
    }
    return n;
}

static int combine_groups(const char *call, MPI_Group group1, MPI_Group group2, enum set_operation operation,
                          MPI_Group *newgroup)
{
    struct rank *r = api_enter(call);
    struct group *a, *b;
    int e;
    if ((e = check_group(r, group1, &a)) || (e = check_group(r, group2, &b)) ||
        (e = check_pointer(r, newgroup, "newgroup")))
        return api_error(r, NULL, e);
    struct group *g = mpico_group_alloc(r, combine(a, b, operation, NULL));
    if (!g)
        return no_memory(r);
    combine(a, b, operation, g->list);
    *newgroup = api_group_handle(mpico_group_seal(r, g));
    return MPI_SUCCESS;
}

#pragma weak MPI_Group_union = PMPI_Group_union
int PMPI_Group_union(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    return combine_groups("MPI_Group_union", group1, group2, UNION, newgroup);
}

#pragma weak MPI_Group_intersection = PMPI_Group_intersection
int PMPI_Group_intersection(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    return combine_groups("MPI_Group_intersection", group1, group2, INTERSECTION, newgroup);
}

#pragma weak MPI_Group_difference = PMPI_Group_difference
int PMPI_Group_difference(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    return combine_groups("MPI_Group_difference", group1, group2, DIFFERENCE, newgroup);
}

/* ---- Some members of a group ---- */

/* Ranks picked out of a group, in order and each once. One piece of memory: ranks, then marks. */
struct pick {
    const struct group *from;
    int *rank;
    unsigned char *taken; /* one a member of `from` */
    int count;
};

static int pick_alloc(struct rank *r, struct pick *p, const struct group *from)
{
    size_t n = (size_t)from->size;
    p->from = from;
    p->count = 0;
    p->rank = mpico_heap_alloc(&r->heap, n * (sizeof *p->rank + 1));
    if (!p->rank)
        return mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a list of %z ranks", n);
    p->taken = (unsigned char *)(p->rank + n);
    memset(p->taken, 0, n);
    return MPI_SUCCESS;
}

static int pick_add(struct rank *r, struct pick *p, int rank, const char *name)
{
    int e = check_member(r, p->from, rank, name);
    if (e)
        return e;
    if (p->taken[rank])
        return mpico_fault(r, MPI_ERR_RANK, "%s: %d is named twice", name, rank);
    p->taken[rank] = 1;
    p->rank[p->count++] = rank;
    return MPI_SUCCESS;
}

static int pick_list(struct rank *r, struct pick *p, int n, const int ranks[])
{
    int e = MPI_SUCCESS;
    for (int i = 0; i < n && !e; i++)
        e = pick_add(r, p, ranks[i], "ranks");
    return e;
}

/* One range: first, last, stride. `last` itself need not be a rank, only what the steps meet. 64 bits, so that
 * no step beyond the last overflows; the first bad rank ends the walk, so it is never long. */
static int pick_range(struct rank *r, struct pick *p, const int range[3])
{
    int64_t first = range[0], last = range[1], stride = range[2];
    int e = MPI_SUCCESS;
    if (stride == 0)
        return mpico_fault(r, MPI_ERR_ARG, "ranges: the stride of (%d, %d, 0) is zero", range[0], range[1]);
    for (int64_t rank = first; (stride > 0 ? rank <= last : rank >= last) && !e; rank += stride)
        e = pick_add(r, p, (int)rank, "ranges");
    return e;
}

static int pick_ranges(struct rank *r, struct pick *p, int n, int ranges[][3])
{
    int e = MPI_SUCCESS;
    for (int i = 0; i < n && !e; i++)
        e = pick_range(r, p, ranges[i]);
    return e;
}

/* The picked members in the order picked, or all others in the order of their group; NULL: no memory. */
static struct group *pick_group(struct rank *r, const struct pick *p, int others)
{
    const struct group *from = p->from;
    struct group *g = mpico_group_alloc(r, others ? from->size - p->count : p->count);
    if (!g)
        return NULL;
    for (int i = 0, n = 0; others && i < from->size; i++) {
        if (!p->taken[i])
            g->list[n++] = group_world(from, i);
    }
    for (int i = 0; !others && i < p->count; i++)
        g->list[i] = group_world(from, p->rank[i]);
    return mpico_group_seal(r, g);
}

/* The four calls: `ranks` or `ranges` is given. */
static int select_members(const char *call, MPI_Group group, int n, const int *ranks, int (*ranges)[3], int is_range,
                          int others, MPI_Group *newgroup)
{
    struct rank *r = api_enter(call);
    struct group *from;
    struct pick p = {0};
    int e;
    if ((e = check_group(r, group, &from)) ||
        (e = is_range ? check_list(r, n, ranges, "ranges") : check_list(r, n, ranks, "ranks")) ||
        (e = check_pointer(r, newgroup, "newgroup")) || (e = pick_alloc(r, &p, from)))
        return api_error(r, NULL, e);
    e = is_range ? pick_ranges(r, &p, n, ranges) : pick_list(r, &p, n, ranks);
    struct group *g = e ? NULL : pick_group(r, &p, others);
    mpico_heap_free(&r->heap, p.rank);
    if (e)
        return api_error(r, NULL, e);
    if (!g)
        return no_memory(r);
    *newgroup = api_group_handle(g);
    return MPI_SUCCESS;
}

#pragma weak MPI_Group_incl = PMPI_Group_incl
int PMPI_Group_incl(MPI_Group group, int n, const int ranks[], MPI_Group *newgroup)
{
    return select_members("MPI_Group_incl", group, n, ranks, NULL, 0, 0, newgroup);
}

#pragma weak MPI_Group_excl = PMPI_Group_excl
int PMPI_Group_excl(MPI_Group group, int n, const int ranks[], MPI_Group *newgroup)
{
    return select_members("MPI_Group_excl", group, n, ranks, NULL, 0, 1, newgroup);
}

#pragma weak MPI_Group_range_incl = PMPI_Group_range_incl
int PMPI_Group_range_incl(MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup)
{
    return select_members("MPI_Group_range_incl", group, n, NULL, ranges, 1, 0, newgroup);
}

#pragma weak MPI_Group_range_excl = PMPI_Group_range_excl
int PMPI_Group_range_excl(MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup)
{
    return select_members("MPI_Group_range_excl", group, n, NULL, ranges, 1, 1, newgroup);
}
