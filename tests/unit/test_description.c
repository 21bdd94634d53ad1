/* test_description.c: machine files that are right (sim/description.h), and the documentation of their keys.
 * As a program: `unit_description json FILE...` writes what it reads from each, one line a file; `unit_description
 * schema` what stands between the marks of docs/machines.md.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ctype.h>
#include <dirent.h>

#include <cmocka.h>

#include "machine_text.h"
#include "sim/description.h"

enum { FILE_MAX = 1 << 16, NAME = 32 };

static char name_text[DESCRIPTION_COSTS][NAME];
static char name_comment[DESCRIPTION_COSTS][128];
static const char *names[DESCRIPTION_COSTS];
static int costs;

static char *load(const char *path, char text[FILE_MAX])
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    size_t len = fread(text, 1, FILE_MAX - 1, f);
    text[len] = 0;
    fclose(f);
    return text;
}

/* The names of the costs and what is said of them are read from src/cost.h, so that neither can change there alone. */
static int load_names(void)
{
    static char text[FILE_MAX];
    char *at = load(MPICO_SOURCE "/src/cost.h", text);
    for (costs = 0; at && (at = strstr(at, "    COST_")) && costs < DESCRIPTION_COSTS; costs++) {
        at += strlen("    COST_");
        size_t len = strcspn(at, ",");
        snprintf(name_text[costs], NAME, "%.*s", (int)len, at);
        for (char *c = name_text[costs]; *c; c++)
            *c = (char)tolower((unsigned char)*c);
        const char *comment = strstr(at, "/* ") + 3;
        snprintf(name_comment[costs], sizeof name_comment[0], "%.*s", (int)(strstr(comment, " */") - comment), comment);
        names[costs] = name_text[costs];
    }
    return costs > 0 ? 0 : -1;
}

/* ---- Files that are right ---- */

static int each_machine(void (*check)(const char *path))
{
    char path[1024];
    int count = 0;
    DIR *d = opendir(MPICO_SOURCE "/machines");
    assert_non_null(d);
    for (const struct dirent *entry; (entry = readdir(d));) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".toml"))
            continue;
        snprintf(path, sizeof path, "%s/machines/%s", MPICO_SOURCE, entry->d_name);
        check(path);
        count++;
    }
    closedir(d);
    return count;
}

static void is_read(const char *path)
{
    struct description d;
    char why[WHY] = "", base[128];
    if (description_read(&d, path, names, costs, why, sizeof why))
        fail_msg("%s", why);
    assert_string_equal(d.path, path);
    snprintf(base, sizeof base, "/%s.toml", d.name); /* found by the name it has */
    assert_non_null(strstr(path, base));
    assert_true(strlen(d.source) > 3 && strlen(d.about) > 3);
    assert_int_equal(description_fits(&d, 1, why, sizeof why), 0);
    assert_int_equal(description_fits(&d, 8, why, sizeof why), 0);
}

static void every_machine_is_read(void **unused)
{
    (void)unused;
    assert_true(each_machine(is_read) >= 8);
}

static void keys_are_put_in_their_places(void **unused)
{
    (void)unused;
    struct description d = parsed(RING);
    assert_string_equal(d.name, "x");
    assert_string_equal(d.about, "");
    assert_string_equal(d.source, "none");
    assert_string_equal(d.path, "x.toml");
    assert_true(d.clock_hz == 1e9 && d.flops_per_cycle == 2 && d.compute_bytes_per_cycle == 0.5);
    assert_int_equal(d.progress, PROGRESS_INTERRUPTS);
    assert_true(d.cost[0] == 7 && d.cost[1] == 0.25);
    assert_int_equal(d.network, NETWORK_RING);
    assert_true(d.ring.bytes_per_second == 1000 && d.ring.full_duplex == 1 && d.ring.reliable == 1);
    assert_string_equal(d.ring.discipline, "windowed");
    d = parsed(MESH "torus = true\nvirtual_channels = 2\ninject_flits = 2\npacket_max_bytes = 99\n");
    assert_int_equal(d.network, NETWORK_MESH);
    assert_int_equal(d.mesh.axes, 2);
    assert_true(d.mesh.extent[0] == 4 && d.mesh.extent[1] == 2);
    assert_true(d.mesh.torus == 1 && d.mesh.wormhole == 1 && d.mesh.cycle_hz == 1e6 && d.mesh.flit_bytes == 4);
    assert_true(d.mesh.virtual_channels == 2 && d.mesh.buffer_flits == 3 && d.mesh.inject_flits == 2);
    assert_true(d.mesh.router_cycles == 2 && d.mesh.packet_max_bytes == 99);
    d = parsed(CROSSBAR "cube_dimensions = 3\nhop_cycles = 5\n");
    assert_int_equal(d.network, NETWORK_CROSSBAR);
    assert_true(d.crossbar.ports == 8 && d.crossbar.cube_dimensions == 3 && d.crossbar.cycle_hz == 250);
    assert_true(d.crossbar.cycle_words == 16 && d.crossbar.word_bytes == 4);
    assert_true(d.crossbar.arbiter_cycles == 1 && d.crossbar.hop_cycles == 5);
    assert_true(d.mesh.cycle_hz == 0);
    d = parsed("nodes_max = 5\n" LOGGP);
    assert_int_equal(d.network, NETWORK_LOGGP);
    assert_true(d.loggp.latency_ns == 1000 && d.loggp.gap_ns == 50 && d.loggp.gap_ns_per_byte == 0.1);
    assert_int_equal(d.nodes_max, 5);
}

static void what_is_not_said_has_its_default(void **unused)
{
    (void)unused;
    struct description d = parsed(MESH);
    assert_true(d.nodes_max == 0 && d.dma_channels == 0 && d.dma_copy_cycles == 0 && d.dma_copy_min_bytes == 0);
    assert_true(d.eager_bytes == 0 && d.mesh.torus == 0 && d.mesh.virtual_channels == 1 && d.mesh.inject_flits == 1);
    assert_int_equal(d.mesh.packet_max_bytes, 0);
}

/* Tables may come in any order, with comments, blank lines, the line ends and the first mark of other systems. */
static void the_form_is_free(void **unused)
{
    (void)unused;
    struct description d = parsed(
        "\xef\xbb\xbf# a machine\r\nname='y' # it\r\nsource = \"a\\tb\\u00e9\\\"\"\r\n\r\n[ network ]\r\n\tkind = "
        "'mesh'\r\n"
        "extent = [ # axes\r\n 2,\r\n\r\n 3, # the second\r\n]\r\nwormhole=false\r\ncycle_hz = 1_000_000\r\n"
        "flit_bytes = +4\r\nbuffer_flits=2\r\nrouter_cycles = 0\r\n[cost]\r\ncopy = 5e-1\r\ncall=1\r\n[processor]\r\n"
        "progress='calls'\r\nclock_hz=1.5E+3\r\nflops_per_cycle=1\r\ncompute_bytes_per_cycle=1");
    assert_string_equal(d.name, "y");
    assert_string_equal(d.source, "a\tb\xc3\xa9\"");
    assert_true(d.mesh.axes == 2 && d.mesh.extent[0] == 2 && d.mesh.extent[1] == 3 && d.mesh.cycle_hz == 1e6);
    assert_true(d.cost[0] == 1 && d.cost[1] == 0.5 && d.clock_hz == 1500);
}

static void ranks_fit_or_not(void **unused)
{
    (void)unused;
    char why[WHY] = "";
    struct description d = parsed(RING);
    assert_int_equal(description_fits(&d, 1000000, why, sizeof why), 0);
    assert_true(description_fits(&d, 0, why, sizeof why) < 0);
    assert_string_equal(why, "x.toml: 0 ranks: a machine runs at least one");
    d = parsed(MESH);
    assert_int_equal(description_fits(&d, 8, why, sizeof why), 0);
    assert_true(description_fits(&d, 9, why, sizeof why) < 0);
    assert_string_equal(why, "x.toml: 9 ranks do not fit on x: it has 8 nodes");
    d = parsed("nodes_max = 3\n" MESH);
    assert_true(description_fits(&d, 4, why, sizeof why) < 0);
    assert_string_equal(why, "x.toml: 4 ranks do not fit on x: it has 3 nodes");
    d = parsed(CROSSBAR "cube_dimensions = 2\n");
    assert_int_equal(description_fits(&d, 32, why, sizeof why), 0);
    assert_true(description_fits(&d, 33, why, sizeof why) < 0);
}

/* ---- What is written ---- */

typedef void writer(const struct description *, const char *const *, int, FILE *);

static char *written(writer *write, const struct description *d, char text[FILE_MAX])
{
    FILE *f = fmemopen(text, FILE_MAX, "w");
    assert_non_null(f);
    write(d, two_costs, 2, f);
    fclose(f);
    return text;
}

static void everything_is_shown_with_units(void **unused)
{
    (void)unused;
    static char text[FILE_MAX];
    struct description d = parsed(RING);
    written(description_show, &d, text);
    static const char *const lines[] = {
        "name                               x\n",           "processor.clock_hz                 1 GHz\n",
        "processor.flops_per_cycle          2 flop/cycle",  "processor.progress                 \"interrupts\"\n",
        "cost.copy                          0.25 cycles\n", "network.bytes_per_second           1 kB/s\n",
        "network.full_duplex                true\n",        "network.error_rate                 0\n"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (!strstr(text, lines[i]))
            fail_msg("no \"%s\" in:\n%s", lines[i], text);
    assert_null(strstr(text, "ports"));
}

static void json_has_all_and_escapes(void **unused)
{
    (void)unused;
    static char text[FILE_MAX];
    struct description d = parsed("about = \"a\\\"b\\\\c\\n\\u0007\"\n" MESH);
    d.cost[1] = 0.1;
    assert_string_equal(
        written(description_json, &d, text),
        "{\"name\": \"x\", \"about\": \"a\\\"b\\\\c\\u000a\\u0007\", \"source\": \"none\", \"nodes_max\": 0, "
        "\"processor\": "
        "{\"clock_hz\": 1000000000, \"flops_per_cycle\": 2, \"compute_bytes_per_cycle\": 0.5, \"progress\": "
        "\"interrupts\", "
        "\"dma_channels\": 0, \"dma_copy_cycles\": 0, \"dma_copy_min_bytes\": 0, \"delivery\": \"buffered\", "
        "\"eager_bytes\": 0}, \"cost\": "
        "{\"call\": 7, \"copy\": 0.1}, \"network\": {\"kind\": \"mesh\", \"extent\": [4, 2], \"torus\": false, "
        "\"wormhole\": true, \"cycle_hz\": 1000000, \"flit_bytes\": 4, \"virtual_channels\": 1, \"buffer_flits\": 3, "
        "\"inject_flits\": 1, \"router_cycles\": 2, \"packet_max_bytes\": 0}, \"pauses\": {\"period_us\": [], "
        "\"length_us\": []}}\n");
}

static char *schema(char text[FILE_MAX])
{
    FILE *f = fmemopen(text, FILE_MAX, "w");
    assert_non_null(f);
    description_schema(names, costs, f);
    fclose(f);
    return text;
}

static void costs_mean_what_their_header_says(void **unused)
{
    (void)unused;
    static char text[FILE_MAX], row[256];
    schema(text);
    assert_true(costs >= 15);
    for (int i = 0; i < costs; i++) {
        snprintf(row, sizeof row, "\n| `%s` | number | 0 to 1000000000 cycles | %s | %s |\n", names[i],
                 strncmp(names[i], "packet", 6) ? "needed" : "0", name_comment[i]);
        if (!strstr(text, row))
            fail_msg("no \"%s\" in the schema", row);
    }
}

static void the_documentation_is_up_to_date(void **unused)
{
    (void)unused;
    static char docs[FILE_MAX], text[FILE_MAX];
    static const char first[] = "<!-- keys: begin -->\n", last[] = "<!-- keys: end -->";
    assert_non_null(load(MPICO_SOURCE "/docs/machines.md", docs));
    char *begin = strstr(docs, first), *end = strstr(docs, last);
    assert_true(begin && end && begin < end);
    *end = 0;
    if (strcmp(begin + strlen(first), schema(text)))
        fail_msg("put the output of `unit_description schema` between the marks of docs/machines.md");
}

/* ---- As a program ---- */

static int print(int argc, char **argv)
{
    struct description d;
    char why[WHY];
    if (!strcmp(argv[1], "schema"))
        description_schema(names, costs, stdout);
    for (int i = 2; i < argc; i++)
        if (description_read(&d, argv[i], names, costs, why, sizeof why))
            printf("%s\n", why);
        else
            description_json(&d, names, costs, stdout);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_machine_is_read),
        cmocka_unit_test(keys_are_put_in_their_places),
        cmocka_unit_test(what_is_not_said_has_its_default),
        cmocka_unit_test(the_form_is_free),
        cmocka_unit_test(ranks_fit_or_not),
        cmocka_unit_test(everything_is_shown_with_units),
        cmocka_unit_test(json_has_all_and_escapes),
        cmocka_unit_test(costs_mean_what_their_header_says),
        cmocka_unit_test(the_documentation_is_up_to_date),
    };
    if (load_names()) {
        fprintf(stderr, "no costs are found in src/cost.h\n");
        return 1;
    }
    return argc > 1 ? print(argc, argv) : cmocka_run_group_tests(tests, NULL, NULL);
}
