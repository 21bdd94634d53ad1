/* The mapping that scales: the exchange by swaps and quads, shapes that do not fit, scenes, and the check of results. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid/grid.h"
#include "grid/sar.h"

enum { PLACES = 64 };

static char wrong[512];

/* In each stage everyone has one partner, and one of the two sends; in all, each pair exchanges once each way. */
static void check_places(int n)
{
    static struct exchange list[PLACES][2 * PLACES];
    static int sent[PLACES][PLACES];
    memset(sent, 0, sizeof sent);
    for (int me = 0; me < n; me++)
        assert_int_equal(paired_exchanges(n, me, list[me]), 2 * (n - 1));
    for (int stage = 0; stage < 2 * (n - 1); stage++)
        for (int me = 0; me < n; me++) {
            struct exchange mine = list[me][stage];
            assert_in_range(mine.peer, 0, n - 1);
            assert_int_equal(list[mine.peer][stage].peer, me);
            assert_int_equal(list[mine.peer][stage].sends, !mine.sends);
            sent[me][mine.peer] += mine.sends;
        }
    for (int from = 0; from < n; from++)
        for (int to = 0; to < n; to++)
            assert_int_equal(sent[from][to], from != to);
}

static void each_pair_once(void **state)
{
    (void)state;
    for (int n = 1; n <= PLACES; n *= 2)
        check_places(n);
}

/* The report's figure 6.4. */
static void eight_places_as_published(void **state)
{
    static const char *const figure[8] = {
        "R S7 R S6 R S5 R S4 R S3 R S2 S1 R ", "S6 R S7 R S4 R S5 R S2 R S3 R R S0 ",
        "R S5 R S4 R S7 R S6 R S1 S0 R S3 R ", "S4 R S5 R S6 R S7 R S0 R R S1 R S2 ",
        "R S3 S2 R R S1 S0 R R S7 R S6 S5 R ", "S2 R R S3 S0 R R S1 S6 R S7 R R S4 ",
        "R S1 S0 R R S3 S2 R R S5 S4 R S7 R ", "S0 R R S1 S2 R R S3 S4 R R S5 R S6 ",
    };
    (void)state;
    for (int me = 0; me < 8; me++) {
        struct exchange list[14];
        char text[64] = "";
        int count = paired_exchanges(8, me, list);
        for (int i = 0; i < count; i++)
            sprintf(text + strlen(text), list[i].sends ? "S%d " : "R ", list[i].peer);
        assert_string_equal(text, figure[me]);
    }
}

static void refused(struct shape s, int ranks, const char *part)
{
    assert_non_null(shape_wrong(&s, ranks, wrong, sizeof wrong));
    assert_non_null(strstr(wrong, part));
}

static void shapes(void **state)
{
    (void)state;
    struct shape good = {.rows = 64, .columns = 32, .lines = 4, .stages = 3};
    assert_null(shape_wrong(&good, 12, wrong, sizeof wrong));
    refused(good, 11, "12 ranks, but 11 were started");
    refused((struct shape){.rows = 64, .columns = 32, .lines = 3, .stages = 3}, 9, "columns");
    refused((struct shape){.rows = 2, .columns = 32, .lines = 4, .stages = 3}, 12, "stage 3");
    refused((struct shape){.rows = 2, .columns = 32, .lines = 4, .stages = 2}, 8, "stage 2");
    refused((struct shape){.rows = 48, .columns = 32, .lines = 4, .stages = 3}, 12, "rows");
    refused((struct shape){.rows = 1 << 15, .columns = 1 << 15, .lines = 1, .stages = 3}, 3, "2 GB");
    refused((struct shape){.rows = 64, .columns = 32, .lines = 4, .stages = 2, .turn = TURN_PAIRED}, 8, "--turn");
    good.sink = true;
    assert_null(shape_wrong(&good, 13, wrong, sizeof wrong));
}

static const struct shape field = {.rows = 128, .columns = 128, .lines = 1, .stages = 3};

static const char *read_scene(struct scene *s, const char *text)
{
    *s = scene_default(&field);
    const char *why = scene_read(s, "a.scene", text, wrong, sizeof wrong);
    if (!why)
        why = scene_complete(s, &field, 3, wrong, sizeof wrong);
    return why ? why : scene_wrong(s, &field, "a.scene", wrong, sizeof wrong);
}

static void scenes(void **state)
{
    static const struct {
        const char *text, *part;
    } bad[] = {
        {"wavelength 1", "a.scene:1: unknown name"},
        {"\n\nnoise -1", "a.scene:3: a number"},
        {"noise 1 2", "a.scene:1: a number"},
        {"noise nan", "a.scene:1: a number"},
        {"chirp 3.5", "a.scene:1: a whole number"},
        {"# none\ntarget 30 12", "a.scene:2: a target is"},
        {"target 30 12 0", "a.scene:1: a target is"},
        {"\ntarget 300 12 1", "a.scene:2: target 1 at 300 m"},
        {"target 30 1 1", "not seen whole"},
        {"chirp 128", "a.scene: the chirp"},
        {"aperture 2", "a.scene: the aperture"},
        {"spacing_m 0", "above zero"},
        {"range_m 100", "too far apart"},
        {"bandwidth_hz 1e10\ntarget .3 16 1", "half a range bin"},
    };
    struct scene s;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_non_null(read_scene(&s, bad[i].text));
        if (!strstr(wrong, bad[i].part))
            fail_msg("'%s' is not in '%s'", bad[i].part, wrong);
    }
    assert_null(read_scene(&s, "noise 0.5 # much\ntarget 30 12 2\r\n  target 50 20.5 1"));
    assert_int_equal(s.targets, 2);
    assert_true(s.noise == 0.5 && s.target[1].azimuth_m == 20.5 && s.target[0].amplitude == 2);
    assert_null(read_scene(&s, ""));
    assert_int_equal(s.targets, 3);
}

/* Whatever the text: read or refused, in bounds. */
static void any_text(void **state)
{
    static const char base[] = "noise 0.5\ntarget 30 12 1\nseed 7\nchirp 32 # samples\ntarget 40 15 1\n";
    uint32_t random = 1;
    struct scene s;
    (void)state;
    for (int round = 0; round < 20000; round++) {
        char text[sizeof base];
        memcpy(text, base, sizeof base);
        for (int i = 0; i < 1 + round % 6; i++) {
            random = random * 1664525 + 1013904223;
            text[(random >> 8) % (sizeof base - 1)] = (char)(random >> 24);
        }
        const char *why = read_scene(&s, text);
        assert_true(why ? strlen(why) > 10 : s.targets > 0 && s.targets <= TARGETS_MOST);
    }
}

/* A changed number, two that changed places, and the result of another period are noticed. */
static void results_are_compared(void **state)
{
    enum { NUMBERS = 44 };
    float x[VARIANTS][NUMBERS], first[NUMBERS];
    struct checker c = {.learns = true, .first = first};
    (void)state;
    for (int v = 0; v < VARIANTS; v++)
        for (int i = 0; i < NUMBERS; i++)
            x[v][i] = (float)(1 << v) * (float)sin(i + 1);
    for (int v = 0; v < VARIANTS; v++)
        check_result(&c, v, x[v], NUMBERS);
    c.learns = false;
    check_result(&c, 4, x[1], NUMBERS);
    assert_int_equal(c.unequal, 0);
    assert_int_equal(c.wrong, 0);
    check_result(&c, 5, x[1], NUMBERS);
    assert_int_equal(c.wrong, 1);
    for (int i = 0; i < NUMBERS; i++) {
        float kept = x[0][i];
        x[0][i] = nextafterf(kept, 9);
        check_result(&c, 0, x[0], NUMBERS);
        assert_int_equal(c.wrong, 2 + i);
        x[0][i] = kept;
    }
    float swapped = x[0][3];
    x[0][3] = x[0][11];
    x[0][11] = swapped;
    check_result(&c, 0, x[0], NUMBERS);
    assert_int_equal(c.wrong, 2 + NUMBERS);
    c.learns = true;
    check_result(&c, 1, x[0], NUMBERS);
    assert_int_equal(c.unequal, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_pair_once), cmocka_unit_test(eight_places_as_published),
        cmocka_unit_test(shapes),         cmocka_unit_test(scenes),
        cmocka_unit_test(any_text),       cmocka_unit_test(results_are_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
