/* How nodes become a ring (src/net/relay_start.c, relay_elect.c): what hinders them is said by every node, in words that name the
 * culprit, and nobody hangs; a ring without ranks finds them.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdio.h>
#include <cmocka.h>
#include <string.h>

#include "net/check.h"
#include "fake_lane.h"
#include "relay_bench.h"

static const uint32_t patience = 2500; /* two times 600 ticks for links and roll, and the way of the news */

static struct bench_shape shape(int nodes, uint64_t seed) { return (struct bench_shape){nodes, 4, 1, 136, 4096, seed}; }

/* All living nodes have given up, and said exactly this. */
static void all_said(const char *line)
{
    char whole[200];
    snprintf(whole, sizeof whole, "%s\n", line);
    for (int i = 0; i < bench.nodes; i++)
        if (!bench.node[i].dead) {
            assert_string_equal(bench.node[i].said, whole);
            assert_int_equal(bench.node[i].result, -1);
        }
    bench_free();
}

static void said(int node, const char *line)
{
    char whole[200];
    snprintf(whole, sizeof whole, "%s\n", line);
    assert_string_equal(bench.node[node].said, whole);
    assert_int_equal(bench.node[node].result, -1);
}

/* One whose own links are open: what it has heard first. */
static void said_either(int node, const char *line, const char *other)
{
    said(node, strncmp(bench.node[node].said, line, strlen(line)) == 0 ? line : other);
}

static void late_nodes(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        bench_make(shape(2 + (int)seed % 8, seed));
        bench_faults(cable_all_faults(seed % 2 ? 0 : 50000));
        for (int i = 0; i < bench.nodes; i++)
            bench.node[i].late = bench_chance(500);
        bench_start(patience);
        bench_is_up();
        bench_free();
    }
}

/* A rank that computes as soon as it has started has sent what the others wait for. */
static void no_interrupts(void **state)
{
    (void)state;
    for (int n = 2; n <= 9; n++) {
        bench_make(shape(n, 1));
        bench.no_interrupts = 1;
        bench_start(100);
        bench_is_up();
        bench_free();
    }
}

static void missing_node(void **state)
{
    (void)state;
    bench_make(shape(6, 1));
    bench_kill(3);
    bench_start(patience);
    said(2, "no answer from the right neighbour (rank 3): is it connected and running?");
    said(4, "no answer from the left neighbour (rank 3): is it connected and running?");
    for (int i = 5; i < 8; i++)
        said_either(i % 6, "rank 2: no answer from the right neighbour (rank 3): is it connected and running?",
                    "rank 4: no answer from the left neighbour (rank 3): is it connected and running?");
    bench_free();
}

static void missing_cable(void **state)
{
    (void)state;
    bench_make(shape(5, 2));
    cable_cut(bench.cable[4]); /* between 4 and 0 */
    bench_start(patience);
    said(4, "no answer from the right neighbour (rank 0): is it connected and running?");
    said(0, "no answer from the left neighbour (rank 4): is it connected and running?");
    bench_free();
}

static void dies_while_starting(void **state)
{
    (void)state;
    bench_make(shape(4, 3));
    bench.node[1].late = 400; /* the others wait for it */
    bench_kill(2);
    bench_start(patience);
    for (int i = 0; i < 4; i++)
        assert_int_equal(bench.node[i].result, i == 2 ? 0 : -1);
    bench_free();
}

static void babble(void **state)
{
    (void)state;
    bench_make(shape(3, 4));
    bench.cable[0]->way[0].babble = 40; /* towards 1 */
    bench_start(patience);
    unsigned bytes = 0;
    assert_int_equal(sscanf(bench.node[1].said, "the link to the left (rank 0) babbles: %u bytes and no frame", &bytes),
                     1);
    assert_in_range(bytes, 20000, 30000);
    assert_int_equal(bench.node[1].result, -1);
    assert_non_null(strstr(bench.node[2].said, "rank 1: the link to the left (rank 0) babbles: "));
    assert_int_equal(bench.node[2].result, -1);
    assert_int_equal(bench.node[0].result, -1);
    bench_free();
}

/* A cable whose HELLOs are of version 2. */
static int newer(struct cable *c, int from, const uint8_t *frame, size_t len)
{
    uint8_t copy[64];
    if ((frame[1] & 15) != 2 || from != 0)
        return 1;
    memcpy(copy, frame, len);
    copy[1] = 0x22;
    uint32_t check = mpico_check(0xffffffff, copy, 10);
    copy[10] = (uint8_t)check;
    copy[11] = (uint8_t)(check >> 8);
    check = mpico_check(mpico_check(0xffffffff, copy, 12), copy + 12, len - 16);
    for (int i = 0; i < 4; i++)
        copy[len - 4 + (size_t)i] = (uint8_t)(check >> 8 * i);
    cable_inject(c, from, copy, len);
    return 0;
}

static void newer_neighbour(void **state)
{
    (void)state;
    bench_make(shape(3, 5));
    bench.cable[2]->watch = newer;
    bench_start(patience);
    said(0, "the left neighbour (rank 2) speaks version 2 of the wire, this node 1");
    said(1, "rank 0: the left neighbour (rank 2) speaks version 2 of the wire, this node 1");
    assert_int_equal(bench.node[2].result, -1);
    bench_free();
}

static void other_slots(void **state)
{
    (void)state;
    bench_make(shape(4, 6));
    bench.node[2].told.slot_bytes = 200;
    bench_start(patience);
    said(1, "the right neighbour (rank 2) has slots of another length");
    said(3, "the left neighbour (rank 2) has slots of another length");
    bench_free();
}

static void two_claim(void **state)
{
    (void)state;
    bench_make(shape(4, 7));
    bench.node[3].told.rank = 1;
    bench_start(patience);
    all_said("two nodes claim rank 1: each needs a rank of its own");
    for (uint64_t seed = 20; seed < 40; seed++) { /* all hear of it though frames are lost */
        bench_make(shape(6, seed));
        bench_faults(cable_all_faults(30000));
        bench.node[5].told.rank = 2;
        bench_start(patience);
        all_said("two nodes claim rank 2: each needs a rank of its own");
    }
    bench_make(shape(5, 8));
    bench.node[3].told.rank = 0;
    bench_start(patience);
    all_said("two nodes claim rank 0: each needs a rank of its own");
    bench_make(shape(4, 9)); /* two jobs in one ring */
    for (int i = 0; i < 4; i++) {
        bench.node[i].told.rank = i % 2;
        bench.node[i].told.size = 2;
    }
    bench_start(patience);
    all_said("two nodes claim rank 0: each needs a rank of its own");
}

static void other_size(void **state)
{
    (void)state;
    bench_make(shape(4, 10));
    bench.node[3].told.size = 8;
    bench_start(patience);
    all_said("this ring has 4 nodes, rank 3 believes 8");
    bench_make(shape(3, 11));
    for (int i = 0; i < 3; i++)
        bench.node[i].told.size = 4;
    bench_start(patience);
    all_said("this ring has 3 nodes, rank 0 believes 4");
}

static void other_order(void **state)
{
    (void)state;
    bench_make(shape(4, 12));
    bench.node[1].told.rank = 2;
    bench.node[2].told.rank = 1;
    bench_start(patience);
    all_said("rank 2 stands where rank 1 should: the nodes are wired in another order");
}

static void no_zero(void **state)
{
    (void)state;
    bench_make(shape(3, 13));
    for (int i = 0; i < 3; i++) {
        bench.node[i].told.rank = i + 1;
        bench.node[i].told.size = 4;
    }
    bench_start(patience);
    all_said("no node is rank 0");
}

static void small_arena(void **state)
{
    (void)state;
    bench_make(shape(3, 14));
    bench.arena_bytes = 1024;
    bench_start(patience);
    all_said("the arena is too small for the links and the tables of this ring");
}

/* Links it in, as -u does. */
struct relay_roll;
extern int mpico_relay_elect(struct relay *, const struct relay_node *, struct relay_roll *);
static int (*const elect)(struct relay *, const struct relay_node *, struct relay_roll *) = mpico_relay_elect;

static void without_ranks(void)
{
    assert_non_null(elect);
    for (int i = 0; i < bench.nodes; i++) {
        bench.node[i].told.rank = -1;
        bench.node[i].told.size = 0;
        bench.node[i].told.serial = bench_chance(1u << 20) * 16 + (unsigned)i;
    }
}

static void election(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        int n = 2 + (int)seed % 15, first = 0;
        bench_make((struct bench_shape){n, 1 << seed % 4, 1, 136, 4096, seed});
        bench_faults(cable_all_faults(seed % 3 ? 0 : 20000));
        without_ranks();
        for (int i = 0; i < n; i++) {
            bench.node[i].late = bench_chance(300);
            if (bench.node[i].told.serial < bench.node[first].told.serial)
                first = i;
        }
        bench_start(patience);
        bench_is_up();
        for (int i = 0; i < n; i++)
            assert_int_equal(bench.node[i].rank.world_rank, (i - first + n) % n);
        bench_free();
    }
}

static void same_serial(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        bench_make(shape(3 + (int)seed % 5, seed));
        without_ranks();
        bench.node[2].told.serial = bench.node[0].told.serial = 7;
        bench_start(patience);
        all_said("two nodes have the same serial number");
    }
}

/* Electing nodes beside a missing one do not know who is who. */
static void missing_without_ranks(void **state)
{
    (void)state;
    bench_make(shape(4, 15));
    without_ranks();
    bench_kill(3);
    bench_start(patience);
    said(2, "no answer from the right neighbour (of unknown rank): is it connected and running?");
    said(0, "no answer from the left neighbour (of unknown rank): is it connected and running?");
    said_either(1, "another node: no answer from the right neighbour (of unknown rank): is it connected and running?",
                "another node: no answer from the left neighbour (of unknown rank): is it connected and running?");
    bench_free();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(late_nodes),          cmocka_unit_test(missing_node),
                                       cmocka_unit_test(no_interrupts),       cmocka_unit_test(missing_cable),
                                       cmocka_unit_test(dies_while_starting), cmocka_unit_test(babble),
                                       cmocka_unit_test(newer_neighbour),     cmocka_unit_test(other_slots),
                                       cmocka_unit_test(two_claim),           cmocka_unit_test(other_size),
                                       cmocka_unit_test(other_order),         cmocka_unit_test(no_zero),
                                       cmocka_unit_test(small_arena),         cmocka_unit_test(election),
                                       cmocka_unit_test(same_serial),         cmocka_unit_test(missing_without_ranks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
