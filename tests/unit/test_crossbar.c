/* test_crossbar.c: the cycles in which messages cross a crossbar (sim/crossbar.c): alone, in conflict, over a hypercube
 * of crossbars, and the complete exchanges of the Proteus paper.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/network.h"

/* One cycle is 10 ns, so that instants are whole cycles; a circuit moves 64 bytes in it. */
#define CYCLE ((sim_time)10 * SIM_NS)
enum { PIECE = 64, LINKS = 1024, CYCLES = 4096 };

struct message {
    struct transfer transfer;
    uint64_t sent, arrived; /* cycles */
    int place;              /* in the order of arrivals, from 1 */
};
static struct engine engine;
static struct network *network;
static int arrivals;
static int carried[LINKS][CYCLES]; /* the sender whose circuit a channel was part of, plus one */

static uint64_t cycles(sim_time t)
{
    assert_true(t % CYCLE == 0);
    return t / CYCLE;
}

static void on_sent(struct engine *e, struct transfer *t)
{
    struct message *m = t->owner;
    assert_int_equal(m->place, 0);
    assert_true(m->sent == 0);
    m->sent = cycles(e->now);
}

static void on_arrived(struct engine *e, struct transfer *t)
{
    struct message *m = t->owner;
    assert_int_equal(m->place, 0);
    assert_true(m->sent > 0);
    m->arrived = cycles(e->now);
    m->place = ++arrivals;
}

static void on_busy(void *context, int link, sim_time from, sim_time to, const struct transfer *t)
{
    assert_ptr_equal(context, carried);
    assert_true(to == from + CYCLE && cycles(from) < CYCLES);
    assert_int_equal(carried[link][cycles(from)], 0); /* one circuit a channel */
    carried[link][cycles(from)] = t->from + 1;
}

static struct crossbar_description eight(void)
{
    return (struct crossbar_description){
        .ports = 8, .cycle_hz = 1e8, .cycle_words = 16, .word_bytes = 4, .arbiter_cycles = 1};
}

static void begin(struct crossbar_description c, int nodes)
{
    char why[200] = "";
    struct description d = {.network = NETWORK_CROSSBAR, .crossbar = c};
    engine_init(&engine);
    arrivals = 0;
    memset(carried, 0, sizeof carried);
    network = network_alloc(&engine, &d, nodes, why, sizeof why);
    if (!network)
        fail_msg("%s", why);
    assert_true(network_links(network) <= LINKS);
    network_watch(network, &(struct network_watch){on_busy, carried});
}

static void end(void)
{
    while (engine_step(&engine))
        ;
    network_free(network);
    engine_fini(&engine);
}

static void send(struct message *m, int from, int to, size_t bytes)
{
    *m = (struct message){.transfer = {.from = from, .to = to, .bytes = bytes, .sent = on_sent, .arrived = on_arrived}};
    m->transfer.owner = m;
    network_send(network, &m->transfer);
}

struct later {
    struct event event; /* first */
    struct message *message;
    int from, to;
    size_t bytes;
};

static void send_now(struct engine *e, struct event *ev)
{
    const struct later *l = (const struct later *)ev;
    (void)e;
    send(l->message, l->from, l->to, l->bytes);
}

static void send_at(struct later *l, sim_time at)
{
    l->event.run = send_now;
    engine_schedule(&engine, &l->event, at);
}

static int link_called(const char *name)
{
    char text[32];
    for (int link = 0; link < network_links(network); link++) {
        network_link_name(network, link, text, sizeof text);
        if (!strcmp(text, name))
            return link;
    }
    fail_msg("no channel is called %s", name);
    return -1;
}

static void alone(void **unused)
{
    (void)unused;
    static const struct {
        size_t bytes;
        uint64_t pieces;
    } size[] = {{0, 1}, {1, 1}, {PIECE, 1}, {PIECE + 1, 2}, {10 * PIECE, 10}};
    for (int arbiter = 1; arbiter <= 5; arbiter += 4)
        for (size_t i = 0; i < sizeof size / sizeof size[0]; i++) {
            struct crossbar_description c = eight();
            struct message m;
            c.arbiter_cycles = arbiter;
            begin(c, 8);
            send(&m, 3, 5, size[i].bytes);
            end();
            assert_int_equal(m.sent, (uint64_t)arbiter + size[i].pieces);
            assert_int_equal(m.arrived, m.sent);
        }
}

/* What is sent at an edge of the clock is requested there, what is sent a moment later at the next edge. */
static void requests_wait_for_the_edge(void **unused)
{
    (void)unused;
    struct message m[3];
    struct later l[3];
    begin(eight(), 8);
    for (int i = 0; i < 3; i++) {
        l[i] = (struct later){.message = &m[i], .from = i, .to = i + 4, .bytes = 8};
        send_at(&l[i], 7 * CYCLE + (sim_time)i * (CYCLE - 1));
    }
    end();
    assert_int_equal(m[0].arrived, 7 + 2);
    assert_int_equal(m[1].arrived, 8 + 2);
    assert_int_equal(m[2].arrived, 9 + 2);
}

static void two_to_one_alternate(void **unused)
{
    (void)unused;
    struct message m[2];
    begin(eight(), 8);
    send(&m[0], 0, 2, 10 * PIECE);
    send(&m[1], 1, 2, 10 * PIECE);
    int out = link_called(">node 2");
    end();
    for (int c = 1; c <= 20; c++)
        assert_int_equal(carried[out][c], c % 2 ? 2 : 1); /* node 1 is first in turn in cycle 1 */
    assert_int_equal(m[1].arrived, 20);
    assert_int_equal(m[0].arrived, 21);
}

static void permutations_run_at_full_rate(void **unused)
{
    (void)unused;
    for (int shift = 1; shift < 8; shift++) {
        struct message m[8];
        begin(eight(), 8);
        for (int i = 0; i < 8; i++)
            send(&m[i], i, (i + shift) % 8, 100 * PIECE);
        end();
        for (int i = 0; i < 8; i++)
            assert_int_equal(m[i].arrived, 1 + 100);
    }
}

static void seven_to_one_share(void **unused)
{
    (void)unused;
    struct message m[7];
    int count[8] = {0};
    begin(eight(), 8);
    for (int i = 0; i < 7; i++)
        send(&m[i], i, 7, 100 * PIECE);
    int out = link_called(">node 7");
    end();
    for (int c = 1; c <= 700; c++) {
        int least = 100, most = 0;
        assert_in_range(carried[out][c], 1, 7);
        count[carried[out][c] - 1]++;
        for (int i = 0; i < 7; i++) {
            least = count[i] < least ? count[i] : least;
            most = count[i] > most ? count[i] : most;
        }
        assert_true(most - least <= 1);
    }
}

/* The first in turn moves on, so that no node wins all ties: two nodes ask for the same output in the same cycle, again
 * and again. */
static void ties_take_turns(void **unused)
{
    (void)unused;
    static struct message m[160];
    static struct later l[160];
    int first[2] = {0};
    begin(eight(), 8);
    for (int i = 0; i < 160; i++) {
        l[i] = (struct later){.message = &m[i], .from = i % 2 ? 5 : 1, .to = 3, .bytes = 8};
        send_at(&l[i], (sim_time)(i / 2) * 5 * CYCLE);
    }
    end();
    for (int i = 0; i < 160; i += 2) {
        assert_true(m[i].arrived != m[i + 1].arrived);
        first[m[i].arrived < m[i + 1].arrived]++;
    }
    assert_int_equal(first[0], 40);
    assert_int_equal(first[1], 40);
}

/* Two nodes have ever more short messages for one output; a third node's request waits for one of each, as the rest of
 * them queue behind those at their own nodes. */
static void a_crowd_does_not_starve_others(void **unused)
{
    (void)unused;
    static struct message stream[200], other;
    static struct later l[200], late;
    begin(eight(), 8);
    late = (struct later){.message = &other, .from = 7, .to = 2, .bytes = 8};
    for (int i = 0; i < 200; i++) {
        l[i] = (struct later){.message = &stream[i], .from = i % 2, .to = 2, .bytes = 8};
        send_at(&l[i], (sim_time)(i / 2) * CYCLE);
    }
    send_at(&late, 50 * CYCLE);
    end();
    assert_in_range(other.arrived, 50 + 2, 50 + 4);
    assert_int_equal(stream[199].arrived + stream[198].arrived, 201 + 202); /* the output never idles */
}

/* A message to a busy receiver does not hold up the next one to a free one. */
static void no_blocking_at_the_head(void **unused)
{
    (void)unused;
    struct message blocker[3], blocked, free_one;
    begin(eight(), 8);
    for (int i = 0; i < 3; i++)
        send(&blocker[i], i + 1, 7, 50 * PIECE);
    send(&blocked, 0, 7, 50 * PIECE);
    send(&free_one, 0, 6, 8);
    end();
    assert_int_equal(free_one.arrived, 3); /* the second request of its node: a cycle later than the first */
    assert_true(blocked.arrived > 100);
}

static void pairs_keep_their_order(void **unused)
{
    (void)unused;
    struct message m[4];
    begin(eight(), 8);
    send(&m[0], 0, 1, 20 * PIECE);
    send(&m[1], 0, 1, 8);
    send(&m[2], 0, 1, 3 * PIECE);
    send(&m[3], 0, 1, 8);
    end();
    assert_int_equal(m[0].arrived, 21);
    assert_int_equal(m[1].arrived, 22);
    assert_int_equal(m[2].arrived, 25);
    assert_int_equal(m[3].arrived, 26);
}

/* ---- Hypercubes ---- */

static int hops_of(int from_group, int to_group)
{
    int count = 0;
    for (int differ = from_group ^ to_group; differ; differ &= differ - 1)
        count++;
    return count;
}

static void each_hop_costs(void **unused)
{
    (void)unused;
    struct crossbar_description c = eight();
    c.cube_dimensions = 3;
    c.hop_cycles = 4;
    for (int group = 0; group < 8; group++) {
        struct message m;
        begin(c, 64);
        send(&m, 8 + 3, 8 * group + 5, 2 * PIECE);
        end();
        assert_int_equal(m.sent, 3);
        assert_int_equal(m.arrived, 3 + 4 * hops_of(1, group));
    }
}

static void lowest_dimension_first(void **unused)
{
    (void)unused;
    static const char *const way[] = {"node 1>", "group 0>1", "group 1>3", "group 3>7", ">node 62"};
    struct crossbar_description c = eight();
    struct message m;
    int used = 0;
    c.cube_dimensions = 3;
    begin(c, 64);
    send(&m, 1, 62, 8);
    while (engine_step(&engine))
        ;
    for (int link = 0; link < network_links(network); link++)
        used += carried[link][1] != 0;
    assert_int_equal(used, 5);
    for (int i = 0; i < 5; i++)
        assert_int_equal(carried[link_called(way[i])][1], 2);
    end();
}

/* Circuits that share one link between groups take turns; those that do not share any run at once. */
static void links_are_shared(void **unused)
{
    (void)unused;
    struct crossbar_description c = eight();
    struct message m[3];
    c.cube_dimensions = 2;
    begin(c, 32);
    send(&m[0], 0, 8, 10 * PIECE);  /* 0 to 1 */
    send(&m[1], 1, 24, 10 * PIECE); /* 0 to 3 by way of 1 */
    send(&m[2], 9, 0, 10 * PIECE);  /* 1 to 0: the other direction */
    end();
    assert_int_equal(m[2].arrived, 11);
    assert_int_equal(m[0].arrived + m[1].arrived, 20 + 21);
}

/* Section 5 of the paper: 7 cycles within a group, 64 k / 2 with k groups and one link a dimension, if the links never
 * idle. The paper schedules by hand; here each node sends in the order of the masks, and the arbiter finds the
 * circuits: it loses a tenth with 2 and 4 groups, and a third with 8, where most circuits take two links or three. */
static uint64_t complete_exchange(int dimensions)
{
    struct crossbar_description c = eight();
    int nodes = 8 << dimensions, count = 0;
    uint64_t last = 0;
    struct message *m = calloc((size_t)nodes * (size_t)nodes, sizeof *m);
    assert_non_null(m);
    c.cube_dimensions = dimensions;
    begin(c, nodes);
    for (int mask = 1; mask < nodes; mask++)
        for (int i = 0; i < nodes; i++)
            send(&m[count++], i, i ^ mask, PIECE);
    end();
    for (int i = 0; i < count; i++)
        last = m[i].arrived > last ? m[i].arrived : last;
    assert_int_equal(arrivals, nodes * (nodes - 1));
    free(m);
    return last - 1; /* the first cycle only asks */
}

static void complete_exchanges_of_the_paper(void **unused)
{
    (void)unused;
    assert_int_equal(complete_exchange(0), 7);
    for (int dimensions = 1; dimensions <= 3; dimensions++) {
        uint64_t bound = 32u << dimensions, took = complete_exchange(dimensions);
        assert_in_range(took, bound, dimensions < 3 ? bound + bound / 8 : bound + bound / 3);
    }
}

/* ---- Order does not matter, and nothing else does ---- */

enum { TRAFFIC = 1500 };
static struct message traffic[TRAFFIC];
static struct later traffic_at[TRAFFIC];

static uint32_t dice(uint32_t *seed) { return (*seed = *seed * 1664525u + 1013904223u) >> 8; }

/* Random messages; those of one instant from different nodes are sent in the one order or in the other. */
static void random_traffic(int backwards, uint64_t when[TRAFFIC])
{
    struct crossbar_description c = eight();
    uint32_t seed = 5;
    c.cube_dimensions = 2;
    c.hop_cycles = 1;
    begin(c, 30);
    for (int i = 0; i < TRAFFIC; i++) {
        int from = i % 30; /* thirty messages an instant, one of each node */
        int to = (from + 1 + (int)(dice(&seed) % 29)) % 30;
        traffic_at[i] = (struct later){.message = &traffic[i], .from = from, .to = to, .bytes = dice(&seed) % 300};
    }
    for (int i = 0; i < TRAFFIC; i++) {
        int j = backwards ? i / 30 * 30 + 29 - i % 30 : i;
        send_at(&traffic_at[j], (sim_time)(j / 30) * CYCLE * 3 / 2);
    }
    end();
    assert_int_equal(arrivals, TRAFFIC);
    for (int i = 0; i < TRAFFIC; i++)
        when[i] = traffic[i].arrived;
}

static void order_within_an_instant_does_not_matter(void **unused)
{
    (void)unused;
    static uint64_t once[TRAFFIC], again[TRAFFIC], backwards[TRAFFIC];
    random_traffic(0, once);
    int last[30][30] = {{0}};
    for (int i = 0; i < TRAFFIC; i++) {
        int *before = &last[traffic_at[i].from][traffic_at[i].to];
        assert_true(traffic[i].place > *before);
        *before = traffic[i].place;
    }
    random_traffic(0, again);
    random_traffic(1, backwards);
    assert_memory_equal(once, again, sizeof once);
    assert_memory_equal(once, backwards, sizeof once);
}

/* A circuit for each pair that must run over and over: no channel carries two in a cycle (on_busy), and none idles
 * while a request for a free way waits. */
static void nothing_idles(void **unused)
{
    (void)unused;
    static struct message m[64];
    begin(eight(), 8);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            if (i != j)
                send(&m[8 * i + j], i, j, 20 * PIECE);
    int in = link_called("node 0>");
    end();
    uint64_t last = 0;
    for (int i = 0; i < 64; i++)
        last = m[i].arrived > last ? m[i].arrived : last;
    for (uint64_t c = 1; c < last; c++) { /* a maximal set of circuits: an unserved pair has one end in use */
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++)
                if (i != j && m[8 * i + j].sent > c && c > 8)
                    assert_true(carried[in + i][c] || carried[in + 8 + j][c]);
    }
}

static void stops_with_messages_on_their_way(void **unused)
{
    (void)unused;
    struct message m[3];
    begin(eight(), 8);
    send(&m[0], 0, 1, 100 * PIECE);
    send(&m[1], 2, 1, 100 * PIECE);
    send(&m[2], 2, 1, 100 * PIECE);
    for (int i = 0; i < 20; i++)
        assert_true(engine_step(&engine));
    network_free(network);
    engine_fini(&engine);
    assert_int_equal(arrivals, 0);
}

static void is_refused(struct crossbar_description c, int nodes, const char *words)
{
    char why[200] = "";
    struct description d = {.network = NETWORK_CROSSBAR, .crossbar = c};
    engine_init(&engine);
    assert_null(network_alloc(&engine, &d, nodes, why, sizeof why));
    if (!strstr(why, words))
        fail_msg("\"%s\" does not say \"%s\"", why, words);
    engine_fini(&engine);
}

static void impossible_crossbars_are_refused(void **unused)
{
    (void)unused;
    struct crossbar_description c = eight();
    is_refused(c, 9, "9 nodes do not fit on crossbars for 8");
    c.ports = 0;
    is_refused(c, 1, "at least 1 port");
    c = eight();
    c.cube_dimensions = 17;
    is_refused(c, 1, "at most 16 dimensions");
    c = eight();
    c.cycle_hz = 100;
    is_refused(c, 1, "234 Hz");
    c = eight();
    c.cycle_words = 0;
    is_refused(c, 1, "at least 1 word");
    c = eight();
    c.arbiter_cycles = 0;
    is_refused(c, 1, "at least 1 cycle");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone),
        cmocka_unit_test(requests_wait_for_the_edge),
        cmocka_unit_test(two_to_one_alternate),
        cmocka_unit_test(permutations_run_at_full_rate),
        cmocka_unit_test(seven_to_one_share),
        cmocka_unit_test(ties_take_turns),
        cmocka_unit_test(a_crowd_does_not_starve_others),
        cmocka_unit_test(no_blocking_at_the_head),
        cmocka_unit_test(pairs_keep_their_order),
        cmocka_unit_test(each_hop_costs),
        cmocka_unit_test(lowest_dimension_first),
        cmocka_unit_test(links_are_shared),
        cmocka_unit_test(complete_exchanges_of_the_paper),
        cmocka_unit_test(order_within_an_instant_does_not_matter),
        cmocka_unit_test(nothing_idles),
        cmocka_unit_test(stops_with_messages_on_their_way),
        cmocka_unit_test(impossible_crossbars_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
