/* test_description_wrong.c: mistakes in machine files, the lines in which they are reported, and the words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "machine_text.h"
#include "sim/description.h"

enum { TEXT_MAX = 4096 };

/* In the text `base`, `put` stands for the first `find`. */
static const struct wrong {
    const char *base, *find, *put;
    int line;
    const char *words;
} wrongs[] = {
    /* out of range */
    {RING, "1000", "0", 13, "network.bytes_per_second must be above 0: a link that carries nothing connects nobody"},
    {RING, "1e9", "999", 4, "processor.clock_hz must be at least 1000: costs are in cycles of this clock"},
    {RING, "0.25", "-0.1", 10, "cost.copy must be at least 0: work takes time forward, and not for ever"},
    {RING, "0.25", "2e9", 10, "cost.copy must be at most 1000000000: work takes time forward, and not for ever"},
    {MESH, "4, 2", "4, 0", 13, "network.extent must be at least 1: an axis without routers leads nowhere"},
    {CROSSBAR, "ports = 8", "ports = 0", 13,
     "network.ports must be at least 1: a crossbar without ports connects nobody"},
    {RING, "name = \"x\"", "name = \"\"", 1, "name is empty: write what reports and traces call the machine"},
    {RING, "name = \"x\"", "name = '0123456789012345678901234567890123456789012345678901234567890123'", 1,
     "name has 64 bytes: write at most 63"},
    {MESH, "4, 2", "1,1,1,1,1", 13, "network.extent holds 5 numbers: write 1 to 4"},
    {MESH, "4, 2", "", 13, "network.extent holds 0 numbers: write 1 to 4"},
    /* of the wrong type */
    {RING, "1e9", "\"fast\"", 4, "processor.clock_hz must be a number, 1000 to 1e+12, and is a text"},
    {RING, "full_duplex = true", "full_duplex = 1", 14,
     "network.full_duplex must be true or false, and is a whole number"},
    {CROSSBAR, "ports = 8", "ports = 8.5", 13,
     "network.ports must be a whole number, 1 to 65536, and is a number with a fraction"},
    {MESH, "[4, 2]", "8", 13, "network.extent must be 1 to 4 numbers of 1 to 1000000, and is a whole number"},
    {RING, "\"x\"", "true", 1, "name must be a text of up to 63 bytes, and is true or false"},
    {RING, "\"interrupts\"", "[1]", 7,
     "processor.progress must be \"calls\", \"interrupts\" or \"processor\", and is an array"},
    /* words */
    {RING, "\"interrupts\"", "\"interupts\"", 7, "processor.progress = \"interupts\": did you mean \"interrupts\"?"},
    {RING, "\"ring\"", "\"tree\"", 12, "network.kind = \"tree\": write \"ring\", \"mesh\", \"crossbar\" or \"loggp\""},
    {RING, "\"ring\"", "\"rings\"", 12, "network.kind = \"rings\": did you mean \"ring\"?"},
    /* unknown, or in the wrong place */
    {RING, "clock_hz", "clok_hz", 4, "processor.clok_hz is no key: did you mean processor.clock_hz?"},
    {RING, "copy", "copi", 10, "cost.copi is no key: did you mean cost.copy?"},
    {RING, "reliable", "colour", 15, "network.colour is no key of a machine: docs/machines.md has the list"},
    {RING, "reliable", "ports = 8 #", 15,
     "network.ports is a key of network kind \"crossbar\", and this one is \"ring\": leave it out"},
    {CROSSBAR, "ports", "clock_hz", 13, "network.clock_hz is no key: clock_hz belongs in table [processor]"},
    {RING, "reliable", "nodes_max = 4 #", 15, "network.nodes_max is no key: write nodes_max before the first table"},
    {RING, "[cost]", "[costs]", 8, "[costs] is no table of a machine: did you mean [cost]?"},
    {RING, "[cost]", "[colours]", 8,
     "[colours] is no table of a machine: they are [processor], [cost], [network] and [pauses]"},
    /* twice */
    {RING, "copy", "call", 10, "cost.call stands in line 9 already: leave one of them out"},
    {RING, "source", "name", 2, "name stands in line 1 already: leave one of them out"},
    {RING, "reliable = true", "[cost]", 15, "[cost] began in line 8: write its keys there"},
    /* missing */
    {RING, "name = \"x\"", "", 1,
     "name is missing: write name = \"...\" before the first table: what reports and traces call the machine"},
    {RING, "copy = 0.25", "", 8,
     "[cost] lacks copy: write copy = 0 to 1000000000 (cycles: the processor moves one byte)"},
    {RING, "bytes_per_second = 1000", "", 11,
     "[network] lacks bytes_per_second: write bytes_per_second = above 0, up to 1e+15 (B/s: of one link)"},
    {RING, "kind = \"ring\"", "", 11,
     "[network] lacks kind: write kind = \"ring\", \"mesh\", \"crossbar\" or \"loggp\" (what the network is)"},
    {RING, "reliable = true", "", 11,
     "[network] lacks reliable: write reliable = true or false (no byte is ever damaged: no check sums are needed)"},
    {"name = 'x'\nsource = 'y'\n[processor]\n", "", "", 4,
     "table [network] is missing: write [network] and kind = \"ring\", \"mesh\", \"crossbar\" or \"loggp\""},
    {"", "", "", 1,
     "table [network] is missing: write [network] and kind = \"ring\", \"mesh\", \"crossbar\" or \"loggp\""},
    /* machines that cannot be */
    {RING, "reliable = true", "reliable = true\nerror_rate = 1e-6", 16,
     "network.error_rate is for wires with reliable = false: change one of them"},
    {RING, "reliable = true", "reliable = false\ndiscipline = 'stop-and-wait'", 16,
     "network.discipline \"stop-and-wait\" has no check sums: with reliable = false write \"windowed\""},
    {MESH, "4, 2", "1000, 1001", 13, "network.extent makes more than 1000000 nodes: write less"},
    {MESH, "4, 2", "1000000,1000000,1000000,1000000", 13, "network.extent makes more than 1000000 nodes: write less"},
    {CROSSBAR, "ports = 8", "ports = 65536\ncube_dimensions = 16", 14,
     "network.cube_dimensions makes more than 1000000 nodes: write less"},
    {MESH, "name = \"x\"", "name = \"x\"\nnodes_max = 9", 2,
     "nodes_max is 9, and the network has places for 8: write that, or leave it out"},
    {CROSSBAR, "name = \"x\"", "nodes_max = 17\nname = \"x\"", 1,
     "nodes_max is 17, and the network has places for 8: write that, or leave it out"},
    {MESH, "wormhole = true", "wormhole = true\ntorus = true", 11,
     "network.virtual_channels must be at least 2 on a torus with wormhole routers: with 1 its packets would wait for "
     "each other for ever"},
    {MESH, "wormhole = true", "wormhole = true\ntorus = true\nvirtual_channels = 1", 16,
     "network.virtual_channels must be at least 2 on a torus with wormhole routers: with 1 its packets would wait for "
     "each other for ever"},
    {MESH, "wormhole = true", "wormhole = false\nvirtual_channels = 2", 15,
     "network.virtual_channels is for wormhole = true: leave it out"},
    {MESH, "wormhole = true", "wormhole = true\nvirtual_channels = 13", 15,
     "network.virtual_channels must be at most 12 with 2 axes: a router keeps no more"},
    {RING, "clock_hz", "dma_channels = 1\nclock_hz", 4,
     "processor.dma_channels needs processor.dma_copy_cycles above 0: copies are not free"},
    /* no TOML, or none of ours */
    {RING, "1e9", "1e9 7", 4, "'7' stands after a value: write one key a line, and '#' before a comment"},
    {RING, "1e9", "", 4, "'clock_hz' needs a value, not the end of the line"},
    {RING, "1e9", "1e999", 4, "1e999 is too large a number"},
    {RING, "1e9", "99999999999999999999", 4, "99999999999999999999 is too large a number"},
    {RING, "1e9", "-inf", 4, "the value of 'clock_hz' is -inf: numbers here are finite"},
    {RING, "1e9", "nan", 4, "the value of 'clock_hz' is nan: numbers here are finite"},
    {RING, "1e9", "010", 4, "'010' is no value: write a decimal number, true or false, a \"text\", or [numbers]"},
    {RING, "1e9", "1.", 4, "'1.' is no value: write a decimal number, true or false, a \"text\", or [numbers]"},
    {RING, "1e9", "1__0", 4, "'1__0' is no value: write a decimal number, true or false, a \"text\", or [numbers]"},
    {RING, "1e9", "fast", 4, "'fast' is no value: write a decimal number, true or false, a \"text\", or [numbers]"},
    {RING, "[cost]", "[[cost]]", 8, "[[...]]: arrays of tables are not used here: write [table]"},
    {RING, "[cost]", "[cost", 8, "[cost is followed by the end of the line: write [cost]"},
    {RING, "[cost]", "[a.b]", 8, "'a.': names with dots are not used here: write [table] in a line, then its keys"},
    {RING, "call = 7", "call 7", 9, "'call' is followed by '7': write call = and its value"},
    {RING, "call = 7", "\"call\" = 7", 9, "a key is quoted: write it without quotes"},
    {RING, "call = 7", "= 7", 9, "a key was expected, not '=': it is of letters, digits, '_' and '-'"},
    {RING, "'none'", "'none", 2, "the text of 'source' has no end in its line: write the closing '"},
    {RING, "'none'", "\"\"\"none\"\"\"", 2,
     "the text of 'source' begins with three quotes: write it in one line, within one pair"},
    {RING, "'none'", "\"\\q\"", 2, "the text of 'source' has a '\\' that means nothing: write \\\\ for one"},
    {RING, "'none'", "\"\\ud800\"", 2, "the text of 'source' names U+D800, which is no character"},
    {RING, "'none'", "\"\\u12g4\"", 2, "\\u needs 4 hexadecimal digits"},
    {RING, "'none'", "'\xff'", 2, "the text of 'source' is not in UTF-8"},
    {RING, "'none'", "'\xc0\x80'", 2, "the text of 'source' is not in UTF-8"},
    {RING, "'none'", "'\x01'", 2, "the text of 'source' holds the control character 0x01"},
    {MESH, "4, 2", "4 2", 13, "'2' in the array of 'extent': write ',' between numbers and ']' at the end"},
    {MESH, "4, 2", "4,, 2", 13,
     "',' in the array of 'extent': it holds whole numbers with ',' between them, and ']' ends it"},
    {MESH, "4, 2", "4, 2.5", 13, "the array of 'extent' holds whole numbers only"},
    {MESH, "4, 2", "[4]", 13,
     "'[' in the array of 'extent': it holds whole numbers with ',' between them, and ']' ends it"},
    {MESH, "4, 2", "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", 13, "the array of 'extent' holds more than 16 numbers"},
};

static void mistakes_are_named_where_they_stand(void **unused)
{
    (void)unused;
    static char text[TEXT_MAX], expected[WHY], why[WHY];
    struct description d = {.nodes_max = 77}, before = d;
    for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; i++) {
        const struct wrong *w = &wrongs[i];
        const char *at = strstr(w->base, w->find);
        assert_non_null(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - w->base), w->base, w->put, at + strlen(w->find));
        snprintf(expected, sizeof expected, "x.toml:%d: %s", w->line, w->words);
        assert_true(parse(&d, text, why) < 0);
        assert_string_equal(why, expected);
        assert_memory_equal(&d, &before, sizeof d); /* set on success only */
    }
}

/* An error never needs more room than there is. */
static void short_room_cuts_the_sentence(void **unused)
{
    (void)unused;
    struct description d;
    char whole[WHY], cut[WHY];
    assert_true(parse(&d, "name = 7\n", whole) < 0);
    for (size_t room = 1; room <= strlen(whole) + 1; room++) {
        memset(cut, '?', sizeof cut);
        assert_true(description_parse(&d, "x.toml", "name = 7\n", 9, two_costs, 2, cut, room) < 0);
        assert_int_equal(strlen(cut), room - 1);
        assert_memory_equal(cut, whole, room - 1);
        assert_int_equal(cut[room], '?');
    }
}

static void long_files_are_refused(void **unused)
{
    (void)unused;
    struct description d;
    char why[WHY] = "";
    size_t len = (1 << 20) + 1;
    char *text = malloc(len);
    assert_non_null(text);
    memset(text, '\n', len);
    assert_true(description_parse(&d, "x.toml", text, len, two_costs, 2, why, sizeof why) < 0);
    assert_string_equal(why, "x.toml:1: the file is longer than 1048576 bytes");
    assert_true(description_parse(&d, "x.toml", text, len - 1, two_costs, 2, why, sizeof why) < 0);
    assert_non_null(strstr(why, "x.toml:1048577: table [network] is missing"));
    free(text);
    assert_true(description_read(&d, "/nowhere/x.toml", two_costs, 2, why, sizeof why) < 0);
    assert_string_equal(why, "/nowhere/x.toml: the machine file cannot be read: No such file or directory");
    assert_true(description_read(&d, "/", two_costs, 2, why, sizeof why) < 0);
    assert_non_null(strstr(why, "cannot be read: "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_are_named_where_they_stand),
        cmocka_unit_test(short_room_cuts_the_sentence),
        cmocka_unit_test(long_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
