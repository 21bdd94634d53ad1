/* The places of a grid's processes on machines whose wires are known: every rank is somewhere once, no order is worse than that of
 * the ranks, and where the grid fits the machine all neighbours are one wire apart.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>

#include "api/topo.h"

enum { MOST = 64 };

static int width; /* of a mesh: node n is in column n % width */

static int mesh_hops(struct rank *r, int from, int to)
{
    (void)r;
    return abs(from % width - to % width) + abs(from / width - to / width);
}

/* A ring, one way. */
static int ring_hops(struct rank *r, int from, int to)
{
    (void)r;
    return (to - from + width) % width;
}

static int nodes_of(const struct topology *g) { return g->list[0] * g->list[1]; }

/* The wires between all neighbours of a rows x columns grid; at[]: where each of its ranks is. */
static int wires_of(const struct topology *g, const int *at, int (*hops)(struct rank *, int, int))
{
    int sum = 0, rows = g->list[0], columns = g->list[1];
    for (int i = 0; i < rows * columns; i++) {
        if (i % columns + 1 < columns)
            sum += hops(NULL, at[i], at[i + 1]) + hops(NULL, at[i + 1], at[i]);
        if (i / columns + 1 < rows)
            sum += hops(NULL, at[i], at[i + columns]) + hops(NULL, at[i + columns], at[i]);
    }
    return sum;
}

/* The wires with the places chosen. */
static int chosen(const struct topology *g, int (*hops)(struct rank *, int, int), int *identity)
{
    struct machine machine = {.hops = hops};
    struct rank r = {.machine = &machine};
    struct comm c = {.size = nodes_of(g)};
    int at[MOST], same[MOST];
    for (int i = 0; i < nodes_of(g); i++) {
        at[i] = -1;
        same[i] = i;
    }
    for (int p = 0; p < nodes_of(g); p++) {
        int rank = api_cart_place(&r, &c, g, nodes_of(g), p);
        assert_in_range(rank, 0, nodes_of(g) - 1);
        assert_int_equal(at[rank], -1);
        at[rank] = p;
    }
    *identity = wires_of(g, same, hops);
    return wires_of(g, at, hops);
}

/* To be freed. */
static struct topology *grid_of(int rows, int columns)
{
    struct topology *t = calloc(1, sizeof *t + 4 * sizeof(int));
    assert_non_null(t);
    t->kind = MPI_CART;
    t->n = 2;
    t->list[0] = rows;
    t->list[1] = columns;
    return t;
}

static void fits(void **unused)
{
    (void)unused;
    int identity;
    for (int rows = 2; rows <= 8; rows++)
        for (int columns = 2; columns <= 8; columns++) {
            struct topology *g = grid_of(rows, columns);
            int least = 2 * (rows * (columns - 1) + columns * (rows - 1));
            width = columns;
            assert_int_equal(chosen(g, mesh_hops, &identity), least);
            width = rows; /* turned by a quarter */
            assert_int_equal(chosen(g, mesh_hops, &identity), least);
            free(g);
        }
}

static void never_worse(void **unused)
{
    (void)unused;
    int identity, better = 0;
    for (int rows = 1; rows <= 8; rows++)
        for (int columns = 1; columns <= 8; columns++)
            for (width = 1; width <= 16; width++) {
                struct topology *g = grid_of(rows, columns);
                int sum = chosen(g, mesh_hops, &identity);
                assert_true(sum <= identity);
                better += sum < identity;
                free(g);
            }
    assert_true(better > 100);
}

/* Both ways together are once round: there is nothing to gain, so nothing changes. */
static void ring_stays(void **unused)
{
    (void)unused;
    struct machine machine = {.hops = ring_hops};
    struct rank r = {.machine = &machine};
    struct comm c = {.size = 12};
    struct topology *g = grid_of(3, 4);
    width = 12;
    for (int p = 0; p < 12; p++)
        assert_int_equal(api_cart_place(&r, &c, g, 12, p), p);
    free(g);
}

/* ---- Graphs ---- */

static int graph_wires(const struct graph *g, const int *place, int (*hops)(struct rank *, int, int))
{
    int sum = 0;
    for (int i = 0; i < g->edges; i++)
        sum += g->edge[i].weight * hops(NULL, place[g->edge[i].from], place[g->edge[i].to]);
    return sum;
}

/* Once round a ring, whose nodes have been given out by steps of `step`: as many wires as nodes, since one is between neighbours. */
static void scrambled_ring_is_found(void **unused)
{
    (void)unused;
    struct edge edge[MOST];
    int place[2 * MOST], seen[MOST] = {0}, same[MOST];
    struct machine machine = {.hops = ring_hops};
    struct rank r = {.machine = &machine};
    struct comm c = {.size = 7};
    width = 7;
    for (int i = 0; i < 7; i++) {
        edge[i] = (struct edge){i * 3 % 7, (i + 1) * 3 % 7, 1};
        same[i] = i;
    }
    const struct graph g = {7, 7, edge};
    api_graph_place(&r, &c, &g, place);
    for (int i = 0; i < 7; i++)
        assert_int_equal(seen[place[i]]++, 0);
    assert_int_equal(graph_wires(&g, same, ring_hops), 7 * 3);
    assert_int_equal(graph_wires(&g, place, ring_hops), 7);
}

/* The heaviest edges count: two pairs far apart come together. */
static void weights_count(void **unused)
{
    (void)unused;
    const struct edge edge[] = {{0, 3, 9}, {3, 0, 9}, {1, 2, 9}, {2, 1, 9}, {0, 1, 1}};
    const struct graph g = {4, 5, edge};
    int place[2 * 4];
    struct machine machine = {.hops = mesh_hops};
    struct rank r = {.machine = &machine};
    struct comm c = {.size = 4};
    width = 4;
    api_graph_place(&r, &c, &g, place);
    assert_int_equal(abs(place[0] - place[3]), 1);
    assert_int_equal(abs(place[1] - place[2]), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fits), cmocka_unit_test(never_worse),
                                       cmocka_unit_test(ring_stays), cmocka_unit_test(scrambled_ring_is_found),
                                       cmocka_unit_test(weights_count)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
