/* test_mesh_software.c: nodes whose software handles every packet: it works beside the wire, the slower side says how fast
 * packets follow each other, and a node that is slow holds back what goes past it no more than its buffer makes it.
 */
#include "mesh_traffic.h"
#include "sim/network.h"

enum { PACKETS = 30, FLITS = 9, OUT = 50 };

static int in_cycles;

static sim_time handled(void *context, const struct transfer *t, size_t bytes, int out)
{
    (void)context;
    assert_true(t->from == 0 && bytes > 0);
    return engine.now + (sim_time)(out ? OUT : in_cycles) * CYCLE;
}

static void run(struct message *m, int receiver_takes)
{
    const struct network_software s = {.handled = handled};
    struct mesh_description d = line_of(4, 0);
    d.packet_max_bytes = 32;
    d.buffer_flits = 2;
    in_cycles = receiver_takes;
    begin(&d, 4);
    network_handle(network, &s);
    send(m, 0, 3, 32 * PACKETS);
    end();
}

/* One packet's way: made, injected, three links and the ejection, taken; then one more at each beat of the slowest. */
static uint64_t way(int slowest)
{
    return (uint64_t)(OUT + FLITS + 4 * (3 + FLITS) + in_cycles + (PACKETS - 1) * slowest);
}

static void slow_sender(void **unused)
{
    (void)unused;
    struct message m;
    run(&m, 20);
    assert_int_equal(m.arrived, way(OUT));
    assert_int_equal(m.sent, OUT * PACKETS + FLITS);
}

static void slow_receiver(void **unused)
{
    (void)unused;
    struct message m;
    run(&m, 200);
    assert_int_equal(m.arrived, way(200));
    assert_true(m.sent > OUT * PACKETS + FLITS); /* the buffers on the way were full: the sender had to wait */
}

static void messages_follow_each_other(void **unused)
{
    (void)unused;
    const struct network_software s = {.handled = handled};
    struct message m[3];
    struct mesh_description d = line_of(4, 0);
    in_cycles = 20;
    d.packet_max_bytes = 32;
    begin(&d, 4);
    network_handle(network, &s);
    for (int i = 0; i < 3; i++)
        send(&m[i], 0, 3 - i, 32);
    end();
    for (int i = 0; i < 3; i++)
        assert_int_equal(m[i].arrived, (i + 1) * OUT + FLITS + (4 - i) * (3 + FLITS) + 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(slow_sender), cmocka_unit_test(slow_receiver),
                                       cmocka_unit_test(messages_follow_each_other)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
