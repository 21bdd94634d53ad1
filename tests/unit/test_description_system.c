/* test_description_system.c: machine files whose software handles packets, whose system delivers messages, or which pause:
 * what is read, and what is refused.
 */
#include "machine_text.h"

#include "sim/description.h"

enum { TEXT_MAX = 4096, NAMES = 5 };

static const char *const names[NAMES] = {"call", "copy", "packet", "packet_byte", "packet_unaligned"};

#define PAID(line) HEAD line "\n"
#define NETWORK_OF(wormhole)                                                                                           \
    "[network]\nkind = \"mesh\"\nextent = [4]\nwormhole = " wormhole "\ncycle_hz = 1e6\nflit_bytes = 4\n"              \
    "buffer_flits = 3\nrouter_cycles = 2\n"
#define PAUSES(period, length) RING "[pauses]\nperiod_us = [" period "]\nlength_us = [" length "]\n"

static int read_text(struct description *d, const char *text, char why[WHY])
{
    *why = 0;
    return description_parse(d, "x.toml", text, strlen(text), names, NAMES, why, WHY);
}

static void costs_of_packets_are_read(void **unused)
{
    (void)unused;
    struct description d;
    char why[WHY];
    assert_int_equal(
        read_text(&d, PAID("packet = 5\npacket_byte = 0.5\npacket_unaligned = 3") NETWORK_OF("false"), why), 0);
    assert_true(d.cost[2] == 5 && d.cost[3] == 0.5 && d.cost[4] == 3);
    assert_int_equal(read_text(&d, PAID("packet = 5") NETWORK_OF("false"), why), 0);
    assert_true(d.cost[2] == 5 && d.cost[3] == 0 && d.cost[4] == 0);
}

static void pauses_are_read(void **unused)
{
    (void)unused;
    struct description d;
    char why[WHY];
    assert_int_equal(read_text(&d, PAUSES("10000, 1000000", "112, 200"), why), 0);
    assert_int_equal(d.pauses.kinds, 2);
    assert_true(d.pauses.period_us[1] == 1000000 && d.pauses.length_us[0] == 112);
    assert_int_equal(read_text(&d, RING, why), 0);
    assert_int_equal(d.pauses.kinds, 0);
}

static const struct {
    const char *text;
    int line;
    const char *words;
} wrongs[] = {
    {PAID("packet = 5") NETWORK_OF("true"), 11,
     "cost.packet is for a mesh with wormhole = false, which keeps packets whole: leave it out"},
    {PAID("packet_unaligned = 5") NETWORK_OF("true"), 11,
     "cost.packet_unaligned is for a mesh with wormhole = false, which keeps packets whole: leave it out"},
    {PAID("packet_byte = 0.5") "[network]\nkind = \"loggp\"\nlatency_ns = 1\ngap_ns = 5\ngap_ns_per_byte = 0.1\n", 11,
     "cost.packet_byte is for a mesh with wormhole = false, which keeps packets whole: leave it out"},
    {PAID("packet_unaligned = -1") NETWORK_OF("false"), 11,
     "cost.packet_unaligned must be at least 0: work takes time forward, and not for ever"},
    {PAID("packet_unalined = 1") NETWORK_OF("false"), 11,
     "cost.packet_unalined is no key: did you mean cost.packet_unaligned?"},
    {PAUSES("10", "1, 2"), 18,
     "pauses.period_us holds 1 numbers and pauses.length_us 2: write as many, one a kind of pause"},
    {PAUSES("10", "6"), 18, "the pauses take 60 % of the time, and may take 50: write longer periods"},
    {PAUSES("0", "1"), 17,
     "pauses.period_us must be at least 1: a pause comes again after a while, within a quarter of an hour"},
    {PAUSES("1000", "0"), 18,
     "pauses.length_us must be at least 1: a pause takes a while, and not longer than a second"},
    {PAUSES("1, 1, 1, 1, 1", "1"), 17, "pauses.period_us holds 5 numbers: write 0 to 4"},
    {RING "[pauses]\nlenght_us = [1]\n", 17, "pauses.lenght_us is no key: did you mean pauses.length_us?"},
};

static void mistakes_are_named(void **unused)
{
    (void)unused;
    char expected[WHY], why[WHY];
    struct description d;
    for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; i++) {
        snprintf(expected, sizeof expected, "x.toml:%d: %s", wrongs[i].line, wrongs[i].words);
        assert_true(read_text(&d, wrongs[i].text, why) < 0);
        assert_string_equal(why, expected);
    }
}

/* With the first `find` of the text replaced. */
static void assert_refused(const char *base, const char *find, const char *put, const char *expected)
{
    static char text[TEXT_MAX];
    char why[WHY];
    struct description d;
    const char *at = strstr(base, find);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - base), base, put, at + strlen(find));
    assert_true(read_text(&d, text, why) < 0);
    assert_string_equal(why, expected);
}

static void somebody_handles_packets(void **unused)
{
    (void)unused;
    assert_refused(PAID("packet_unaligned = 5") NETWORK_OF("false"), "\"interrupts\"", "\"calls\"",
                   "x.toml:7: processor.progress is \"calls\", and cost.packet_unaligned needs somebody who handles "
                   "packets at any time: write \"interrupts\" or \"processor\"");
    assert_refused(
        RING, "clock_hz", "delivery = \"direct\"\nclock_hz",
        "x.toml:4: processor.delivery \"direct\" is for networks that deliver by themselves, and a ring does "
        "not: leave it out");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(costs_of_packets_are_read), cmocka_unit_test(pauses_are_read),
                                       cmocka_unit_test(mistakes_are_named),
                                       cmocka_unit_test(somebody_handles_packets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
