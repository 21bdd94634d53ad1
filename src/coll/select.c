/* select.c: the table of algorithms and the choice among them. A row's numbers say when it is preferred: the
 * first row that fits and whose bounds hold wins. They are coarse, and for places of which no model is known; else the prices
 * of the steps decide (priced.h).
 */
#include "select.h"

#include <string.h>

#include "../core/rank.h"
#include "mpi.h"
#include "op.h"
#include "priced.h"
#include "state.h"

#define KB *(size_t)1024 /* reads as a unit in the tables below */
#define ANY SIZE_MAX

static const struct algorithm barrier[] = {{"central", mpico_barrier_central, WHEN_CROWDED, 0, 0, ANY},
                                           {"dissemination", mpico_barrier_dissemination, 0, 0, 0, ANY},
                                           {"tree", mpico_barrier_tree, 0, 0, 0, ANY}};
static const struct algorithm bcast[] = {{"spread", mpico_bcast_spread, NEEDS_BROADCAST, 0, 0, 1024 KB},
                                         {"chain", mpico_bcast_chain, WHEN_BROADCAST, 0, 1024 KB, ANY},
                                         {"chain", mpico_bcast_chain, 0, 8, 1024 KB, ANY},
                                         {"scatter", mpico_bcast_scatter, 0, 8, 256 KB, ANY},
                                         {"binomial", mpico_bcast_binomial, 0, 0, 0, ANY}};
static const struct algorithm gather[] = {{"binomial", mpico_gather_binomial, 0, 4, 0, 2 KB},
                                          {"linear", mpico_gather_linear, 0, 0, 0, ANY}};
static const struct algorithm gatherv[] = {{"linear", mpico_gather_linear, 0, 0, 0, ANY}};
static const struct algorithm scatter[] = {{"binomial", mpico_scatter_binomial, 0, 4, 0, 2 KB},
                                           {"linear", mpico_scatter_linear, 0, 0, 0, ANY}};
static const struct algorithm scatterv[] = {{"linear", mpico_scatter_linear, 0, 0, 0, ANY}};
static const struct algorithm allgather[] = {{"spread", mpico_allgather_spread, NEEDS_BROADCAST, 0, 0, 8 KB},
                                             {"ring", mpico_allgather_ring, WHEN_BROADCAST, 0, 0, ANY},
                                             {"doubling", mpico_allgather_doubling, NEEDS_POWER_OF_TWO, 0, 0, 64 KB},
                                             {"bruck", mpico_allgather_bruck, 0, 0, 0, 64 KB},
                                             {"linear", mpico_allgather_linear, 0, 0, ANY, ANY},
                                             {"ring", mpico_allgather_ring, 0, 0, 0, ANY}};
static const struct algorithm allgatherv[] = {{"linear", mpico_allgather_linear, 0, 0, 0, 32 KB},
                                              {"ring", mpico_allgather_ring, 0, 0, 0, ANY}};
static const struct algorithm alltoall[] = {{"bruck", mpico_alltoall_bruck, 0, 8, 0, 256},
                                            {"linear", mpico_alltoall_linear, 0, 0, 0, 32 KB},
                                            {"pairwise", mpico_alltoall_pairwise, 0, 0, 0, ANY}};
static const struct algorithm alltoallv[] = {{"linear", mpico_alltoall_linear, 0, 0, 0, ANY},
                                             {"pairwise", mpico_alltoall_pairwise, 0, 0, 0, ANY}};
static const struct algorithm reduce[] = {{"halving", mpico_reduce_halving, 0, 8, 256 KB, ANY},
                                          {"binomial", mpico_reduce_binomial, 0, 0, 0, ANY},
                                          {"linear", mpico_reduce_linear, 0, 0, 0, ANY}};
static const struct algorithm allreduce[] = {{"doubling", mpico_allreduce_doubling, 0, 0, 0, 64 KB},
                                             {"ring", mpico_allreduce_ring, NEEDS_COMMUTATIVE, 0, 512 KB, ANY},
                                             {"halving", mpico_allreduce_halving, 0, 0, 0, ANY}};
static const struct algorithm reduce_scatter[] = {
    {"halving", mpico_reduce_scatter_halving, NEEDS_POWER_OF_TWO | NEEDS_COMMUTATIVE, 0, 0, 64 KB},
    {"pairwise", mpico_reduce_scatter_pairwise, NEEDS_COMMUTATIVE, 0, 0, ANY},
    {"linear", mpico_reduce_scatter_linear, 0, 0, 0, ANY}};
static const struct algorithm scan[] = {{"doubling", mpico_scan_doubling, 0, 0, 0, ANY},
                                        {"linear", mpico_scan_linear, 0, 0, 0, ANY}};

#define ROWS(table) table, sizeof table / sizeof table[0] /* a table and its length cannot part */
static const struct {
    const char *name;
    const struct algorithm *rows;
    size_t count;
} collectives[COLLS] = {
    [COLL_BARRIER] = {"barrier", ROWS(barrier)},
    [COLL_BCAST] = {"bcast", ROWS(bcast)},
    [COLL_GATHER] = {"gather", ROWS(gather)},
    [COLL_GATHERV] = {"gatherv", ROWS(gatherv)},
    [COLL_SCATTER] = {"scatter", ROWS(scatter)},
    [COLL_SCATTERV] = {"scatterv", ROWS(scatterv)},
    [COLL_ALLGATHER] = {"allgather", ROWS(allgather)},
    [COLL_ALLGATHERV] = {"allgatherv", ROWS(allgatherv)},
    [COLL_ALLTOALL] = {"alltoall", ROWS(alltoall)},
    [COLL_ALLTOALLV] = {"alltoallv", ROWS(alltoallv)},
    [COLL_ALLTOALLW] = {"alltoallw", ROWS(alltoallv)},
    [COLL_REDUCE] = {"reduce", ROWS(reduce)},
    [COLL_ALLREDUCE] = {"allreduce", ROWS(allreduce)},
    [COLL_REDUCE_SCATTER] = {"reduce_scatter", ROWS(reduce_scatter)},
    [COLL_REDUCE_SCATTER_BLOCK] = {"reduce_scatter_block", ROWS(reduce_scatter)},
    [COLL_SCAN] = {"scan", ROWS(scan)},
    [COLL_EXSCAN] = {"exscan", ROWS(scan)},
};

const struct algorithm *mpico_coll_algorithms(enum coll what, int *count)
{
    *count = (int)collectives[what].count;
    return collectives[what].rows;
}

const char *mpico_coll_name(enum coll what) { return collectives[what].name; }

/* The longest message to all, where the algorithm does not cut it itself. */
static size_t spread_of(const struct coll_call *call)
{
    return call->what == COLL_ALLGATHER ? call->recv.count * call->recv.type->size : 0;
}

int mpico_coll_fits(const struct algorithm *a, const struct coll_call *call, int size)
{
    if (a->needs & NEEDS_POWER_OF_TWO && size & (size - 1))
        return 0;
    if (a->needs & NEEDS_BROADCAST && (!call->spread_bytes || spread_of(call) > call->spread_bytes))
        return 0;
    return !(a->needs & NEEDS_COMMUTATIVE) || !call->op || call->op->commutative;
}

static int occasion(const struct algorithm *a, const struct coll_call *call)
{
    return (call->crowded || !(a->needs & WHEN_CROWDED)) && (call->spread_bytes || !(a->needs & WHEN_BROADCAST));
}

static const struct algorithm *by_bounds(const struct coll_call *call, size_t bytes, int size)
{
    int rows;
    const struct algorithm *a = mpico_coll_algorithms(call->what, &rows);
    for (int i = 0; i < rows; i++) {
        size_t n = a[i].needs & NEEDS_BROADCAST && call->what == COLL_ALLGATHER ? bytes / (size_t)size : bytes;
        if (mpico_coll_fits(&a[i], call, size) && occasion(&a[i], call) && size >= a[i].ranks_min &&
            n >= a[i].bytes_min && n <= a[i].bytes_max)
            return &a[i];
    }
    return &a[rows - 1];
}

const struct algorithm *mpico_coll_select(struct rank *r, const struct coll_call *call, int rank, int size,
                                          const struct algorithm *forced)
{
    if (forced && mpico_coll_fits(forced, call, size))
        return forced;
    size_t bytes = mpico_coll_bytes(call, rank, size);
    struct pricing *p = mpico_coll_state(r)->pricing;
    const struct algorithm *a = p && !call->spread_bytes ? mpico_coll_priced(r, p, call, bytes, size) : NULL;
    return a ? a : by_bounds(call, bytes, size);
}

coll_build *mpico_coll_builder(const struct schedule *s, const struct coll_call *call, const struct algorithm *forced)
{
    return mpico_coll_select(s->owner, call, s->rank, s->size, forced)->build;
}

/* ---- "allreduce=ring,bcast=binomial" ---- */

static int same(const char *text, size_t len, const char *name)
{
    return strlen(name) == len && memcmp(text, name, len) == 0;
}

static void append(char *list, size_t room, const char *name)
{
    size_t at = strlen(list), len = strlen(name);
    if (at + len + 3 > room)
        return;
    memcpy(list + at, at ? ", " : "", at ? 2 : 0);
    memcpy(list + at + (at ? 2 : 0), name, len + 1);
}

static int unknown(struct rank *r, const char *what, const char *text, size_t len, const char *names)
{
    char word[40];
    len = len < sizeof word - 1 ? len : sizeof word - 1;
    memcpy(word, text, len);
    word[len] = 0;
    return mpico_fault(r, MPI_ERR_ARG, "MPICO_COLL: no %s '%s' to choose; there are: %s", what, word, names);
}

/* 1 if a row of this name comes after row `i`. */
static int named_again(int c, size_t i)
{
    const struct algorithm *rows = collectives[c].rows;
    size_t k = i + 1;
    while (k < collectives[c].count && strcmp(rows[k].name, rows[i].name) != 0)
        k++;
    return k < collectives[c].count;
}

/* The last row of a name is the one without preconditions. */
static int parse_one(struct rank *r, const char *text, size_t len, const struct algorithm *forced[COLLS])
{
    char names[200] = "";
    size_t name = 0;
    while (name < len && text[name] != '=')
        name++;
    for (int c = 0; c < COLLS; c++) {
        append(names, sizeof names, collectives[c].name);
        if (!same(text, name, collectives[c].name))
            continue;
        names[0] = 0;
        for (size_t i = collectives[c].count; i-- > 0;) {
            const struct algorithm *a = &collectives[c].rows[i];
            if (name < len && same(text + name + 1, len - name - 1, a->name)) {
                forced[c] = a;
                return 0;
            }
            if (!named_again(c, i))
                append(names, sizeof names, a->name);
        }
        const char *asked = name < len ? text + name + 1 : "";
        return unknown(r, collectives[c].name, asked, name < len ? len - name - 1 : 0, names);
    }
    return unknown(r, "collective", text, name, names);
}

int mpico_coll_parse(struct rank *r, const char *text, const struct algorithm *forced[COLLS])
{
    while (text && *text) {
        size_t len = 0;
        while (text[len] && text[len] != ',')
            len++;
        int e = len ? parse_one(r, text, len, forced) : 0;
        if (e)
            return e;
        text += len + (text[len] == ',');
    }
    return 0;
}

int mpico_coll_force(struct rank *r, const char *text)
{
    const struct algorithm *forced[COLLS] = {NULL};
    struct coll_state *state;
    int e = mpico_coll_settings(r, &state);
    if (!e)
        e = mpico_coll_parse(r, text, forced);
    size_t bytes = strlen(text) + 1;
    char *copy = e || !state ? NULL : mpico_heap_alloc(&r->heap, bytes);
    if (!copy)
        return e ? e : mpico_fault(r, MPI_ERR_NO_MEM, "no memory for the names of algorithms");
    memcpy(copy, text, bytes);
    mpico_heap_free(&r->heap, state->forced_text);
    r->settings.coll = state->forced_text = copy;
    memcpy(state->forced, forced, sizeof forced);
    return 0;
}
