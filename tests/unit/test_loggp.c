/* test_loggp.c: the four instants of a message (sim/loggp.c), alone, behind another at the sender, and at a busy
 * receiver. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sim/network.h"

enum { NODES = 8, LATENCY = 5000, GAP = 2000, BYTE = 10 /* ns */ };

struct message {
    struct transfer transfer;
    sim_time sent_at, arrived_at;
    int place; /* in the order of arrivals, from 1 */
};
static struct engine engine;
static struct network *network;
static int arrivals;

static void on_sent(struct engine *e, struct transfer *t)
{
    struct message *m = t->owner;
    assert_int_equal(m->place, 0);
    m->sent_at = e->now;
}

static void on_arrived(struct engine *e, struct transfer *t)
{
    struct message *m = t->owner;
    m->arrived_at = e->now;
    m->place = ++arrivals;
}

static void begin(double latency_ns, double gap_ns, double byte_ns)
{
    char why[200] = "";
    struct description d = {.network = NETWORK_LOGGP, .loggp = {latency_ns, gap_ns, byte_ns}};
    engine_init(&engine);
    arrivals = 0;
    network = network_alloc(&engine, &d, NODES, why, sizeof why);
    if (!network)
        fail_msg("%s", why);
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

static void is_at(const struct message *m, sim_time sent_ns, sim_time arrived_ns)
{
    assert_true(m->sent_at == sent_ns * SIM_NS);
    assert_true(m->arrived_at == arrived_ns * SIM_NS);
}

static void alone(void **unused)
{
    (void)unused;
    struct message m[3];
    begin(LATENCY, GAP, BYTE);
    send(&m[0], 0, 1, 0);
    send(&m[1], 2, 3, 100);
    send(&m[2], 4, 5, 1000);
    end();
    is_at(&m[0], GAP, LATENCY);
    is_at(&m[1], GAP, LATENCY + 100 * BYTE);
    is_at(&m[2], 1000 * BYTE, LATENCY + 1000 * BYTE);
}

static void the_sender_is_busy(void **unused)
{
    (void)unused;
    struct message m[3];
    begin(LATENCY, GAP, BYTE);
    send(&m[0], 0, 1, 1000);
    send(&m[1], 0, 2, 1);
    send(&m[2], 0, 3, 1);
    end();
    is_at(&m[1], 1000 * BYTE + GAP, 1000 * BYTE + LATENCY + BYTE);
    is_at(&m[2], 1000 * BYTE + 2 * GAP, 1000 * BYTE + GAP + LATENCY + BYTE);
}

static void the_receiver_is_busy(void **unused)
{
    (void)unused;
    struct message m[3];
    begin(LATENCY, GAP, BYTE);
    send(&m[0], 0, 7, 1000);
    send(&m[1], 1, 7, 0);
    send(&m[2], 2, 7, 500);
    end();
    is_at(&m[0], 1000 * BYTE, LATENCY + 1000 * BYTE);
    is_at(&m[1], GAP, LATENCY + 1000 * BYTE);
    is_at(&m[2], 500 * BYTE, LATENCY + 1000 * BYTE + GAP + 500 * BYTE);
    assert_int_equal(m[0].place, 1);
    assert_int_equal(m[1].place, 2);
}

/* `sent` comes before `arrived` even where the gap is the longest time of all, and the next message waits for the
 * gap. */
static void a_gap_longer_than_the_way(void **unused)
{
    (void)unused;
    struct message m[2];
    begin(10, GAP, 0);
    send(&m[0], 0, 1, 8);
    send(&m[1], 0, 1, 8);
    end();
    is_at(&m[0], 10, 10);
    is_at(&m[1], GAP + 10, GAP + 10);
}

static void pairs_keep_their_order(void **unused)
{
    (void)unused;
    static struct message m[2000];
    static const double latency[] = {0, 0, 7, 5000}, gap[] = {0, 3, 50, 0};
    for (int round = 0; round < 4; round++) {
        uint32_t seed = 7;
        int last[NODES][NODES] = {{0}};
        begin(latency[round], gap[round], 0.5);
        for (int i = 0; i < 2000; i++) {
            seed = seed * 1664525u + 1013904223u;
            int from = (int)(seed >> 28) % NODES, to = (from + 1 + (int)(seed >> 24) % (NODES - 1)) % NODES;
            send(&m[i], from, to, seed >> 16 & 1 ? 0 : seed >> 12 & 63);
            if (i % 3 == 0)
                engine_step(&engine);
        }
        end();
        assert_int_equal(arrivals, 2000);
        for (int i = 0; i < 2000; i++) {
            int *before = &last[m[i].transfer.from][m[i].transfer.to];
            assert_true(m[i].place > *before);
            *before = m[i].place;
        }
    }
}

static sim_time busy_time[2 * NODES];
static void on_busy(void *context, int link, sim_time from, sim_time to, const struct transfer *t)
{
    assert_ptr_equal(context, &engine);
    assert_int_equal(t->from, 0);
    busy_time[link] += to - from;
}

static void says_which_interface_was_busy(void **unused)
{
    (void)unused;
    struct message m[2];
    char name[16];
    begin(LATENCY, GAP, BYTE);
    network_watch(network, &(struct network_watch){on_busy, &engine});
    memset(busy_time, 0, sizeof busy_time);
    send(&m[0], 0, 3, 1000);
    send(&m[1], 0, 4, 1);
    assert_int_equal(network_links(network), 2 * NODES);
    while (engine_step(&engine))
        ;
    for (int link = 0; link < 2 * NODES; link++) {
        network_link_name(network, link, name, sizeof name);
        sim_time expected = !strcmp(name, "0>")   ? 1000 * BYTE + GAP
                            : !strcmp(name, ">3") ? 1000 * BYTE
                            : !strcmp(name, ">4") ? GAP
                                                  : 0;
        assert_true(busy_time[link] == expected * SIM_NS);
    }
    end();
}

static void impossible_networks_are_refused(void **unused)
{
    (void)unused;
    char why[200] = "";
    struct description d = {.network = NETWORK_LOGGP, .loggp = {-1, 0, 0}};
    engine_init(&engine);
    assert_null(network_alloc(&engine, &d, 2, why, sizeof why));
    assert_non_null(strstr(why, "negative"));
    d.loggp.latency_ns = 1;
    assert_null(network_alloc(&engine, &d, 0, why, sizeof why));
    assert_non_null(strstr(why, "one node"));
    d.network = NETWORK_RING;
    assert_null(network_alloc(&engine, &d, 2, why, sizeof why));
    assert_non_null(strstr(why, "ring"));
    engine_fini(&engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone),
        cmocka_unit_test(the_sender_is_busy),
        cmocka_unit_test(the_receiver_is_busy),
        cmocka_unit_test(a_gap_longer_than_the_way),
        cmocka_unit_test(pairs_keep_their_order),
        cmocka_unit_test(says_which_interface_was_busy),
        cmocka_unit_test(impossible_networks_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
