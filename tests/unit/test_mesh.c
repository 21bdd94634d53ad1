/* test_mesh.c: wormhole routers: the formula of a message alone, shared channels, fairness, throughput, order, and that
 * a torus does not deadlock. test_mesh_flits.c compares whole runs with a plain simulation.
 */
#include "mesh_traffic.h"
#include "sim/network.h"

static int distance(const struct mesh_description *d, int a, int b)
{
    int hops = 0;
    for (int axis = 0; axis < d->axes; axis++) {
        int extent = d->extent[axis], away = abs(a % extent - b % extent);
        hops += d->torus && extent - away < away ? extent - away : away;
        a /= extent;
        b /= extent;
    }
    return hops;
}

/* Every pair of a mesh, one message after another. */
static void check_alone(const struct mesh_description *d, int nodes, int length)
{
    for (int from = 0; from < nodes; from++)
        for (int to = 0; to < nodes; to++) {
            struct message m;
            if (from == to)
                continue;
            begin(d, nodes);
            send(&m, from, to, flits(length));
            end();
            int hops = distance(d, from, to);
            assert_int_equal(m.arrived, (hops + 1) * (d->router_cycles + 1) + length);
        }
}

static void alone_by_the_formula(void **unused)
{
    (void)unused;
    struct mesh_description d = line_of(5, 1);
    for (int length = 1; length < 40; length += 13)
        for (d.router_cycles = 0; d.router_cycles < 8; d.router_cycles += 3)
            for (d.buffer_flits = 2; d.buffer_flits < 7; d.buffer_flits += 2)
                check_alone(&d, 5, length);
    d = line_of(4, 1);
    d.axes = 3;
    d.extent[1] = 3;
    d.extent[2] = 2;
    check_alone(&d, 24, 9);
    d.torus = 1;
    d.virtual_channels = 2;
    check_alone(&d, 24, 9);
    check_alone(&d, 17, 1);
}

static void sent_when_the_last_flit_is_in(void **unused)
{
    (void)unused;
    struct message m;
    struct mesh_description d = line_of(2, 1);
    d.buffer_flits = 16;
    for (d.inject_flits = 1; d.inject_flits <= 2; d.inject_flits++) {
        begin(&d, 2);
        send(&m, 0, 1, flits(10));
        end();
        assert_int_equal(m.sent, 10 / d.inject_flits);
        assert_int_equal(m.arrived, 2 * 4 + 10);
    }
}

/* The interface fills 4 places. The head leaves in cycle 10 and three more behind it, when the next buffer is full
 * too: 4 places to fill from cycle 11 on. In cycle 20 the head goes on, in 21 a flit follows into its place, in 22
 * the last but one. */
static void a_full_buffer_holds_the_interface(void **unused)
{
    (void)unused;
    struct message m;
    struct mesh_description d = line_of(2, 1);
    d.router_cycles = 9;
    d.buffer_flits = 4;
    begin(&d, 2);
    send(&m, 0, 1, flits(10));
    end();
    assert_int_equal(m.arrived, 2 * 10 + 10);
    assert_int_equal(m.sent, 22 + 2);
}

static void between_edges_of_the_clock(void **unused)
{
    (void)unused;
    struct message m[3];
    struct mesh_description d = line_of(4, 1);
    struct later at[] = {{.message = &m[0], .to = 1}, {.message = &m[1], .from = 2, .to = 3}};
    begin(&d, 4);
    at[0].event.run = at[1].event.run = send_later;
    engine_schedule(&engine, &at[0].event, CYCLE + 1);
    engine_schedule(&engine, &at[1].event, 2 * CYCLE);
    while (arrivals < 2)
        engine_step(&engine);
    assert_int_equal(m[0].arrived, 2 + 2 * 4 + 1);
    assert_int_equal(m[1].arrived, 2 + 2 * 4 + 1);
    send(&m[2], 0, 1, 0); /* in the instant in which the others arrived */
    end();
    assert_int_equal(m[2].arrived, m[0].arrived + 2 * 4 + 1);
}

static void packets_are_cut(void **unused)
{
    (void)unused;
    struct message m;
    struct mesh_description d = line_of(3, 1);
    d.packet_max_bytes = 32; /* 9 flits with the head */
    begin(&d, 3);
    send(&m, 0, 2, 100); /* 32 + 32 + 32 + 4 */
    end();
    assert_int_equal(m.arrived, 3 * 4 + 9 + 9 + 9 + 2); /* one lane: the packets follow without a gap */
    assert_int_equal(m.sent, 9 + 9 + 9 + 2);
}

/* 0 and 1 both send to 2: the second channel carries one flit a cycle, and is never idle. */
static void two_share_a_channel(void **unused)
{
    (void)unused;
    for (int lanes = 1; lanes <= 4; lanes++) {
        struct message m[2];
        struct mesh_description d = line_of(3, 1);
        d.virtual_channels = lanes;
        begin(&d, 3);
        send(&m[0], 0, 2, flits(50));
        send(&m[1], 1, 2, flits(50));
        end();
        uint64_t first = m[0].arrived < m[1].arrived ? m[0].arrived : m[1].arrived;
        uint64_t last = m[0].arrived < m[1].arrived ? m[1].arrived : m[0].arrived;
        assert_int_equal(last, 2 * 4 + 100);
        if (lanes == 1)
            assert_int_equal(first, 2 * 4 + 50); /* one worm after the other */
        else
            assert_in_range(first, 2 * 4 + 94, 2 * 4 + 99); /* flit by flit; the head of one comes 4 cycles later */
    }
}

enum { MANY = 4000 };
static struct message many[16][MANY];

/* Nodes 1, 2, ... of a line send all they have to node 0; what of each has arrived when 1200 packets have? */
static void hot_spot(const struct mesh_description *d, int nodes, int length, int *share)
{
    begin(d, nodes);
    for (int from = 1; from < nodes; from++)
        for (int i = 0; i < 1000; i++)
            send(&many[from][i], from, 0, flits(length));
    while (arrivals < 1200)
        assert_int_equal(engine_step(&engine), 1);
    for (int from = 1; from < nodes; from++) {
        share[from] = 0;
        for (int i = 0; i < 1000; i++)
            share[from] += many[from][i].place > 0;
    }
    uint64_t cycles = cycles_now(), least = 1200u * (uint64_t)length;
    assert_in_range(cycles, least, least + 50); /* the channel to the sink is never idle */
    end();
}

static void locally_fair_globally_not(void **unused)
{
    (void)unused;
    for (int lanes = 1; lanes <= 3; lanes++) {
        int share[5];
        struct mesh_description d = line_of(5, 1);
        d.virtual_channels = lanes;
        hot_spot(&d, 5, 8, share);
        assert_in_range(share[1], 590, 610);
        assert_in_range(share[2], 290, 310);
        assert_in_range(share[3], 140, 160);
        assert_in_range(share[4], 140, 160);
    }
}

static void one_flit_a_cycle(void **unused)
{
    (void)unused;
    for (int length = 1; length <= 20; length += 19) {
        struct mesh_description d = line_of(3, 1);
        begin(&d, 3);
        for (int i = 0; i < 500; i++)
            send(&many[0][i], 0, 2, flits(length));
        end();
        for (int i = 0; i < 500; i++)
            assert_int_equal(many[0][i].arrived, 3 * 4 + (i + 1) * length);
    }
}

/* A place is taken for the cycle of the crossing, router_cycles, the cycle in which a head leaves, and is free after
 * that. */
static void short_buffers_limit_short_packets(void **unused)
{
    (void)unused;
    struct mesh_description d = line_of(3, 1);
    for (d.buffer_flits = 1; d.buffer_flits <= 5; d.buffer_flits++) {
        begin(&d, 3);
        for (int i = 0; i < 500; i++)
            send(&many[0][i], 0, 2, 0);
        end();
        assert_in_range(many[0][499].arrived, 500 * 5 / d.buffer_flits, 500 * 5 / d.buffer_flits + 20);
    }
}

/* Random messages among all nodes. Returns the hash of what was delivered, and when. */
static uint64_t storm(const struct mesh_description *d, int nodes, int each, uint32_t seed, int most_bytes)
{
    static int last[64][64];
    memset(last, 0, sizeof last);
    begin(d, nodes);
    for (int i = 0; i < each; i++)
        for (int from = 0; from < nodes; from++) {
            seed = seed * 1664525u + 1013904223u;
            int to = (from + 1 + (int)(seed >> 16) % (nodes - 1)) % nodes;
            send(&many[0][from * each + i], from, to, (seed >> 8) % (uint32_t)most_bytes);
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

static struct mesh_description torus_of(int x, int y, int lanes)
{
    struct mesh_description d = line_of(x, 1);
    d.axes = 2;
    d.extent[1] = y;
    d.torus = 1;
    d.virtual_channels = lanes;
    d.buffer_flits = 2;
    d.router_cycles = 1;
    d.packet_max_bytes = 64;
    return d;
}

static void a_torus_delivers_all_in_order(void **unused)
{
    (void)unused;
    struct mesh_description d = torus_of(8, 8, 2);
    storm(&d, 64, 60, 1, 200);
    d.virtual_channels = 5;
    storm(&d, 64, 60, 2, 200);
    d.buffer_flits = 1;
    storm(&d, 64, 60, 3, 400);
    d.inject_flits = 2;
    storm(&d, 50, 60, 4, 400);
}

static void two_runs_are_alike(void **unused)
{
    (void)unused;
    struct mesh_description d = torus_of(8, 8, 3);
    uint64_t first = storm(&d, 64, 40, 9, 300);
    assert_true(storm(&d, 64, 40, 9, 300) == first);
    assert_true(storm(&d, 64, 40, 10, 300) != first);
}

/* Half the nodes of a ring send to the other half: with one set of lanes this ties a knot. */
static void a_ring_unties(void **unused)
{
    (void)unused;
    struct mesh_description d = torus_of(8, 1, 2);
    begin(&d, 8);
    for (int i = 0; i < 100; i++)
        for (int from = 0; from < 8; from++)
            send(&many[from][i], from, (from + 4) % 8, 60);
    end();
    assert_int_equal(arrivals, 800);
}

static uint64_t busy_cycles[64];
static void on_busy(void *context, int link, sim_time from, sim_time to, const struct transfer *t)
{
    assert_ptr_equal(context, &engine);
    assert_true(to > from && to <= engine.now && t->from == 0);
    busy_cycles[link] += (to - from) / CYCLE;
}

static void says_which_channels_were_busy(void **unused)
{
    (void)unused;
    struct message m[2];
    char name[20];
    struct mesh_description d = line_of(4, 1);
    int seen = 0;
    begin(&d, 3);
    memset(busy_cycles, 0, sizeof busy_cycles);
    network_watch(network, &(struct network_watch){on_busy, &engine});
    send(&m[0], 0, 2, flits(10));
    send(&m[1], 0, 1, flits(3));
    while (engine_step(&engine))
        ;
    assert_int_equal(network_links(network), 6 + 2 * 3);
    for (int link = 0; link < network_links(network); link++) {
        network_link_name(network, link, name, sizeof name);
        static const struct {
            const char *name;
            uint64_t cycles;
        } expected[] = {{"node 0>0", 13}, {"0>1", 13}, {"1>2", 10}, {"2>node 2", 10}, {"1>node 1", 3}};
        uint64_t cycles = 0;
        for (int i = 0; i < 5; i++)
            if (!strcmp(name, expected[i].name)) {
                cycles = expected[i].cycles;
                seen++;
            }
        assert_true(busy_cycles[link] == cycles);
    }
    assert_int_equal(seen, 5);
    end();
}

static void expect_refusal(const struct mesh_description *m, int nodes, const char *word)
{
    char why[200] = "";
    struct description d = {.network = NETWORK_MESH, .mesh = *m};
    engine_init(&engine);
    assert_null(network_alloc(&engine, &d, nodes, why, sizeof why));
    if (!strstr(why, word))
        fail_msg("'%s' does not speak of %s", why, word);
    engine_fini(&engine);
}

static void impossible_meshes_are_refused(void **unused)
{
    (void)unused;
    struct mesh_description d = line_of(4, 1);
    expect_refusal(&d, 5, "do not fit");
    d.torus = 1;
    expect_refusal(&d, 4, "deadlock");
    d.virtual_channels = 22;
    expect_refusal(&d, 4, "1 to 21");
    d = line_of(0, 1);
    expect_refusal(&d, 1, "axes");
    d = line_of(1 << 30, 1);
    expect_refusal(&d, 1, "routers");
    d = line_of(4, 1);
    d.buffer_flits = 0;
    expect_refusal(&d, 4, "at least 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone_by_the_formula),
        cmocka_unit_test(sent_when_the_last_flit_is_in),
        cmocka_unit_test(a_full_buffer_holds_the_interface),
        cmocka_unit_test(between_edges_of_the_clock),
        cmocka_unit_test(packets_are_cut),
        cmocka_unit_test(two_share_a_channel),
        cmocka_unit_test(locally_fair_globally_not),
        cmocka_unit_test(one_flit_a_cycle),
        cmocka_unit_test(short_buffers_limit_short_packets),
        cmocka_unit_test(a_torus_delivers_all_in_order),
        cmocka_unit_test(two_runs_are_alike),
        cmocka_unit_test(a_ring_unties),
        cmocka_unit_test(says_which_channels_were_busy),
        cmocka_unit_test(impossible_meshes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
