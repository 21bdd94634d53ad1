/* test_mesh_packet.c: packet-switched routers: the formula of a message alone, throughput, fairness packet for packet,
 * back-pressure, order, and that a torus does not deadlock.
 */
#include "mesh_traffic.h"
#include "sim/network.h"

enum { MANY = 4000 };
static struct message many[16][MANY];

static void alone_by_the_formula(void **unused)
{
    (void)unused;
    struct mesh_description d = line_of(6, 0);
    for (d.inject_flits = 1; d.inject_flits <= 2; d.inject_flits++)
        for (d.router_cycles = 0; d.router_cycles < 5; d.router_cycles += 2)
            for (int to = 1; to < 6; to++)
                for (int length = 1; length < 20; length += 6) {
                    struct message m;
                    int injection = (length + d.inject_flits - 1) / d.inject_flits;
                    begin(&d, 6);
                    send(&m, 0, to, flits(length));
                    end();
                    assert_int_equal(m.sent, injection);
                    assert_int_equal(m.arrived, injection + (to + 1) * (d.router_cycles + length));
                }
}

/* The packets of a message follow each other through the routers like a train. */
static void packets_overlap(void **unused)
{
    (void)unused;
    struct message m;
    struct mesh_description d = line_of(4, 0);
    d.packet_max_bytes = 32;
    begin(&d, 4);
    send(&m, 0, 3, 320); /* ten packets of 9 flits */
    end();
    assert_int_equal(m.arrived, 9 + 4 * (3 + 9) + 9 * 9);
}

/* With one place a router cannot take a packet in while it holds another: each takes its router's delay and the way
 * out, and the next one's way in. */
static void one_place_takes_turns(void **unused)
{
    (void)unused;
    struct message m;
    struct mesh_description d = line_of(3, 0);
    d.packet_max_bytes = 32;
    d.buffer_flits = 1;
    begin(&d, 3);
    send(&m, 0, 2, 320);
    end();
    assert_int_equal(m.arrived, 9 + 3 * (3 + 9) + 9 * (9 + 3 + 9));
}

static void between_edges_of_the_clock(void **unused)
{
    (void)unused;
    struct message m[2];
    struct mesh_description d = line_of(2, 0);
    struct later at[] = {{.message = &m[0], .to = 1}, {.message = &m[1], .to = 1}};
    begin(&d, 2);
    at[0].event.run = at[1].event.run = send_later;
    engine_schedule(&engine, &at[0].event, 4 * CYCLE + 1);
    engine_schedule(&engine, &at[1].event, 9 * CYCLE - 1);
    end();
    assert_int_equal(m[0].arrived, 5 + 1 + 2 * 4);
    assert_int_equal(m[1].arrived, 9 + 1 + 2 * 4);
}

static void locally_fair_globally_not(void **unused)
{
    (void)unused;
    int share[5] = {0};
    struct mesh_description d = line_of(5, 0);
    begin(&d, 5);
    for (int from = 1; from < 5; from++)
        for (int i = 0; i < 1000; i++)
            send(&many[from][i], from, 0, flits(8));
    while (arrivals < 1200)
        assert_int_equal(engine_step(&engine), 1);
    assert_in_range(cycles_now(), 1200 * 8, 1200 * 8 + 50); /* the channel to the sink is never idle */
    for (int from = 1; from < 5; from++)
        for (int i = 0; i < 1000; i++)
            share[from] += many[from][i].place > 0;
    end();
    assert_in_range(share[1], 590, 610);
    assert_in_range(share[2], 290, 310);
    assert_in_range(share[3], 140, 160);
    assert_in_range(share[4], 140, 160);
}

static uint64_t storm(const struct mesh_description *d, int nodes, int each, uint32_t seed)
{
    static int last[64][64];
    memset(last, 0, sizeof last);
    begin(d, nodes);
    for (int i = 0; i < each; i++)
        for (int from = 0; from < nodes; from++) {
            seed = seed * 1664525u + 1013904223u;
            int to = (from + 1 + (int)(seed >> 16) % (nodes - 1)) % nodes;
            send(&many[0][from * each + i], from, to, (seed >> 8) % 300);
        }
    end();
    assert_int_equal(arrivals, nodes * each);
    for (int from = 0; from < nodes; from++)
        for (int i = 0; i < each; i++) {
            const struct message *m = &many[0][from * each + i];
            assert_true(m->place > last[from][m->transfer.to]);
            last[from][m->transfer.to] = m->place;
        }
    return hash;
}

static void a_torus_delivers_all_in_order(void **unused)
{
    (void)unused;
    struct mesh_description d = line_of(8, 0);
    d.axes = 2;
    d.extent[1] = 8;
    d.torus = 1;
    d.packet_max_bytes = 64;
    for (d.buffer_flits = 1; d.buffer_flits <= 3; d.buffer_flits++) {
        uint64_t first = storm(&d, 64, 60, 5);
        assert_true(storm(&d, 64, 60, 5) == first);
        assert_true(storm(&d, 64, 60, 6) != first);
    }
}

/* Every node of a ring sends half way round: with one set of buffers this ties a knot. */
static void a_ring_unties(void **unused)
{
    (void)unused;
    struct mesh_description d = line_of(8, 0);
    d.torus = 1;
    d.buffer_flits = 1;
    begin(&d, 8);
    for (int i = 0; i < 100; i++)
        for (int from = 0; from < 8; from++)
            send(&many[from][i], from, (from + 4) % 8, 60);
    end();
    assert_int_equal(arrivals, 800);
}

static uint64_t busy_cycles;
static void on_busy(void *context, int link, sim_time from, sim_time to, const struct transfer *t)
{
    char name[20];
    assert_null(context);
    assert_int_equal(t->to, 2);
    network_link_name(network, link, name, sizeof name);
    if (!strcmp(name, "1>2"))
        busy_cycles += (to - from) / CYCLE;
}

static void says_which_channels_were_busy(void **unused)
{
    (void)unused;
    struct message m[2];
    struct mesh_description d = line_of(4, 0);
    busy_cycles = 0;
    begin(&d, 4);
    network_watch(network, &(struct network_watch){on_busy, NULL});
    send(&m[0], 0, 2, flits(10));
    send(&m[1], 3, 2, flits(4));
    end();
    assert_int_equal(busy_cycles, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone_by_the_formula),
        cmocka_unit_test(packets_overlap),
        cmocka_unit_test(one_place_takes_turns),
        cmocka_unit_test(between_edges_of_the_clock),
        cmocka_unit_test(locally_fair_globally_not),
        cmocka_unit_test(a_torus_delivers_all_in_order),
        cmocka_unit_test(a_ring_unties),
        cmocka_unit_test(says_which_channels_were_busy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
