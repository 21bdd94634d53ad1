/* Patterns of messages: what is read, what is refused and where, and their execution in the abstract. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmp/check.h"
#include "pmp/read.h"

static const char figure_6_4[] = "**pmp program input\n"
                                 "(messages size 1/8 MB)**\n\n"
                                 "0:\tR\tS7\tR\tS6\tR\tS5\tR\tS4\tR\tS3\tR\tS2\tS1\tR\tE\n"
                                 "1:\tS6\tR\tS7\tR\tS4\tR\tS5\tR\tS2\tR\tS3\tR\tR\tS0\tE\n"
                                 "2:\tR\tS5\tR\tS4\tR\tS7\tR\tS6\tR\tS1\tS0\tR\tS3\tR\tE\n"
                                 "3:\tS4\tR\tS5\tR\tS6\tR\tS7\tR\tS0\tR\tR\tS1\tR\tS2\tE\n"
                                 "4:\tR\tS3\tS2\tR\tR\tS1\tS0\tR\tR\tS7\tR\tS6\tS5\tR\tE\n"
                                 "5:\tS2\tR\tR\tS3\tS0\tR\tR\tS1\tS6\tR\tS7\tR\tR\tS4\tE\n"
                                 "6:\tR\tS1\tS0\tR\tR\tS3\tS2\tR\tR\tS5\tS4\tR\tS7\tR\tE\n"
                                 "7:\tS0\tR\tR\tS1\tS2\tR\tR\tS3\tS4\tR\tR\tS5\tR\tS6\tE\n";

static struct complaint wrong;

/* Reads, checks and executes; true if all is well. */
static bool good(const char *text, int ranks)
{
    struct pattern p;
    struct stages s;
    memset(&wrong, 0, sizeof wrong);
    if (!pattern_read(text, -1, &p, &wrong))
        return false;
    bool well = pattern_check(&p, ranks, &wrong);
    for (int order = LOWEST_FIRST; well && order <= SHUFFLED; order++)
        if ((well = stages_find(&p, (enum order)order, true, &s, &wrong)))
            stages_free(&s, p.n);
    pattern_free(&p);
    return well;
}

static void refused_at(const char *text, int line, int column, const char *word)
{
    assert_false(good(text, 2));
    assert_int_equal(wrong.place.line, line);
    assert_int_equal(wrong.place.column, column);
    if (!strstr(wrong.text, word))
        fail_msg("'%s' does not say '%s'", wrong.text, word);
}

static void reads_the_report(void **unused)
{
    (void)unused;
    struct pattern p;
    assert_true(pattern_read("0: S 1 262144 R E\n1: R S 0 0 E\n", -1, &p, &wrong));
    assert_int_equal(p.n, 2);
    struct totals t = code_totals(&p.nodes[0]), other = code_totals(&p.nodes[1]);
    assert_int_equal(t.bytes_sent, 262144);
    assert_int_equal(other.bytes_sent, 0);
    assert_int_equal(other.sends, 1);
    pattern_free(&p);
}

static void reads_the_figure(void **unused)
{
    (void)unused;
    struct pattern p;
    struct stages s;
    assert_true(pattern_read(figure_6_4, -1, &p, &wrong));
    assert_int_equal(p.n, 8);
    for (int i = 0; i < 8; i++) {
        struct totals t = code_totals(&p.nodes[i]);
        assert_int_equal(t.sends, 7);
        assert_int_equal(t.receives, 7);
        assert_int_equal(t.bytes_sent, 7 * 131072);
    }
    assert_true(pattern_check(&p, 8, &wrong));
    assert_true(stages_find(&p, LOWEST_FIRST, true, &s, &wrong));
    assert_int_equal(s.n, 14); /* its columns */
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 14; k++)
            assert_int_equal(s.of[i][k], k);
    assert_int_equal(s.from[0][0], 7); /* 7 sends to 0 in the first column */
    assert_int_equal(s.from[0][1], -1);
    stages_free(&s, 8);
    pattern_free(&p);
    assert_true(pattern_read(figure_6_4, 100, &p, &wrong)); /* a size that is asked for goes first */
    assert_int_equal(code_totals(&p.nodes[3]).bytes_sent, 700);
    pattern_free(&p);
}

static int trace(const char *text, char *out)
{
    struct pattern p;
    int n = 0;
    assert_true(pattern_read(text, 1, &p, &wrong));
    struct cursor c = {.code = p.nodes[0].actions};
    for (const struct action *a; (a = cursor_next(&c));)
        out[n++] = a->kind == 'S' ? (char)('0' + a->to) : a->kind;
    out[n] = '\0';
    struct totals t = code_totals(&p.nodes[0]);
    assert_int_equal(t.actions, n);
    pattern_free(&p);
    return n;
}

static void loops(void **unused)
{
    (void)unused;
    char out[100];
    trace("0: L 3 S1 R E S2 E", out);
    assert_string_equal(out, "1R1R1R2");
    trace("0: L 2 S1 L 2 R E S2 E L 0 S9 E W .5 E", out);
    assert_string_equal(out, "1RR21RR2W");
    trace("0: L 5 E E # nothing\n", out);
    assert_string_equal(out, "");
    trace("0:\n L 2\n  S 1 # to the next\n  R E\nE", out);
    assert_string_equal(out, "1R1R");
}

static void syntax(void **unused)
{
    (void)unused;
    refused_at("0: S 1 4 R E\n1: R X S 0 4 E\n", 2, 6, "'X' is no action");
    refused_at("0: S1 R E\n1: R S 0 4 E", 1, 4, "no size");
    refused_at("0: S 1 4 R\n1: R S 0 4 E", 2, 1, "not ended");
    refused_at("0: L 2 S 1 4 E\n", 2, 1, "not ended");
    refused_at("0: RE\n1: E", 1, 5, "blank");
    refused_at("0: W 1 E\n1: E", 1, 6, "below 1");
    refused_at("0: W x E\n1: E", 1, 6, "fraction");
    refused_at("0: S 1 99999999999 E\n1: R E", 1, 8, "too large");
    refused_at("0: S 1 4 E 7\n1: R E", 1, 12, "belongs to no action");
    refused_at("0: E R\n", 1, 6, "before this");
    refused_at("0: E\n0: E\n", 2, 1, "second time");
    refused_at("0: E\n3: E\n", 0, 0, "node 1 is missing");
    refused_at("node 0: E\n", 1, 1, "neither");
    refused_at("(messages size 1/3 MB)\n0: E\n", 1, 1, "whole number of bytes");
    refused_at("", 1, 1, "no node");
    refused_at("0: L 4000 L 4000 R E E E\n1: E", 1, 22, "more than");
    refused_at("0: L 1 L 1 L 1 L 1 L 1 L 1 L 1 L 1 L 1 L 1 L 1 L 1 L 1 L 1 L 1 L 1 L 1 E", 1, 68, "nested");
}

static void counts(void **unused)
{
    (void)unused;
    refused_at("0: E\n", 0, 0, "2 ranks");
    refused_at("0: E\n1: E\n2: E\n", 0, 0, "3 nodes");
    refused_at("0: S 1 4 E\n1: R S 2 4 E", 2, 6, "node 2, but the nodes are 0 to 1");
    refused_at("0: S 1 4 E\n1: R S 1 4 E", 2, 6, "itself");
    refused_at("0: S 1 4 E\n1: R R E", 2, 1, "receives 2 messages");
    refused_at("0: L 3 S 1 4 E E\n1: L 2 R E E", 2, 1, "send it 3");
    refused_at("0: R E\n1: E", 1, 1, "none is sent");
    assert_true(good("0: L 3 S 1 4 E E\n1: R L 2 R E E", 2));
}

static void deadlocks(void **unused)
{
    (void)unused;
    refused_at("0: R S 1 4 E\n1: R S 0 4 E", 1, 4, "deadlocks: node 0 in R of line 1 for node 1 to send, node 1 in R");
    /* The second send finds the posted receive full, on both sides. */
    refused_at("0: S 1 4 S 1 4 R R E\n1: S 0 4 S 0 4 R R E", 1, 10, "node 0 in S of line 1 for node 1 to receive");
    assert_true(good("0: S 1 4 R E\n1: S 0 4 R E", 2)); /* one receive is posted in advance */
    assert_true(good("0: S 1 4 R S 1 4 R E\n1: S 0 4 R S 0 4 R E", 2));
    assert_false(good("0: R S 1 4 E\n1: R S 2 4 E\n2: R S 0 4 E", 3));
    assert_true(good(figure_6_4, 8));
}

static void waits_that_go_back(void **unused)
{
    (void)unused;
    struct pattern p;
    struct stages s;
    assert_true(pattern_read("0: W 0.2 W 0.5 S 1 4 E 1: R W 0.5 L 2 W 0.6 W 0.7 E E", -1, &p, &wrong));
    assert_true(stages_find(&p, LOWEST_FIRST, false, &s, &wrong));
    assert_non_null(s.back);
    assert_int_equal(s.back_node, 1);
    assert_true(s.back->fraction > 0.59 && s.back->fraction < 0.61);
    pattern_free(&p);
    assert_true(pattern_read("0: W 0.5 L 2 W 0.5 E S 1 4 E 1: R E", -1, &p, &wrong));
    assert_true(stages_find(&p, LOWEST_FIRST, false, &s, &wrong));
    assert_null(s.back);
    pattern_free(&p);
}

static void shown(void **unused)
{
    (void)unused;
    char out[500];
    const char text[] = "0: E\n1:\tR\tX E\n";
    assert_false(good(text, 2));
    complaint_show(&wrong, "a.pmp", text, 4, out, sizeof out);
    assert_string_equal(out, "a.pmp:2:6: 'X' is no action; the actions are E, R, S, W and L\n"
                             "    1:\tR\tX E\n    "
                             "  \t \t^");
    for (size_t room = 1; room < sizeof out; room++) {
        complaint_show(&wrong, "a.pmp", text, 4, out, room);
        assert_true(strlen(out) < room);
    }
}

static uint32_t seed = 1;

static uint32_t draw(uint32_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

/* Bytes of a good text replaced, removed and repeated: any of it is read or refused, within bounds that the sanitizers watch. */
static void mutations(void **unused)
{
    (void)unused;
    static const char alphabet[] = "0123456789ERSWL:#. \t\n-()/eKMG\x80";
    static const char loops_text[] = "(messages size 4 bytes)\n0: L 3 S 1 L 2 W .1 R E E E 1: L 3 R L 2 S 0 16 E E E";
    char text[sizeof figure_6_4 + 64], out[300];
    for (int turn = 0; turn < 20000; turn++) {
        snprintf(text, sizeof text, "%s", turn & 1 ? figure_6_4 : loops_text);
        for (uint32_t n = 1 + draw(6); n > 0; n--) {
            size_t len = strlen(text), at = draw((uint32_t)len), gone = draw(4);
            if (draw(3) == 0 && at + gone < len)
                memmove(text + at, text + at + gone, len - at - gone + 1);
            else if (len > 0)
                text[at] = alphabet[draw(sizeof alphabet - 1)];
        }
        struct pattern p;
        if (pattern_read(text, -1, &p, &wrong)) {
            pattern_free(&p);
            if (good(text, 0))
                continue;
        }
        assert_true(wrong.text[0] != '\0');
        complaint_show(&wrong, "f", text, 4, out, sizeof out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_the_report),
        cmocka_unit_test(reads_the_figure),
        cmocka_unit_test(loops),
        cmocka_unit_test(syntax),
        cmocka_unit_test(counts),
        cmocka_unit_test(deadlocks),
        cmocka_unit_test(waits_that_go_back),
        cmocka_unit_test(shown),
        cmocka_unit_test(mutations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
