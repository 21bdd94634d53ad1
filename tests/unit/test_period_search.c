/* The search of the shortest period, on work whose time is known. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "common/options.h"
#include "common/search.h"

#include <mpi.h>

/* Work that takes work_s, and hiccup_s once every `every` periods; share: it also waits for that share of the period. */
struct work {
    double work_s, hiccup_s, share;
    int every, done;
    double shortest_s;
};

static struct trial run(void *with, double period_s, int periods)
{
    struct work *w = with;
    struct trial t = {.periods = periods};
    for (int i = 0; i < periods; i++) {
        bool slow = w->every > 0 && ++w->done % w->every == 0;
        double took_s = w->share * period_s + (slow ? w->hiccup_s : w->work_s);
        t.missed += took_s > period_s;
        t.worst_s = fmax(t.worst_s, took_s);
        t.mean_s += took_s / periods;
    }
    w->shortest_s = fmin(w->shortest_s, period_s);
    return t;
}

static struct found search(struct work *w, const struct search *s)
{
    struct found f;
    w->shortest_s = HUGE_VAL;
    bool any = search_period(s, MPI_COMM_WORLD, run, w, &f);
    assert_int_equal(any, f.any);
    assert_true(w->shortest_s >= s->least_s * (1 - 1e-12));
    return f;
}

static const struct search usual = {1e-6, 1, 0.01, 5, 20, 0.95};

static void finds_the_time_of_the_work(void **unused)
{
    (void)unused;
    for (double work_s = 3e-6; work_s < 0.9; work_s *= 1.7) {
        struct work w = {.work_s = work_s};
        struct found f = search(&w, &usual);
        assert_true(f.any);
        assert_true(f.period_s >= work_s && f.period_s <= work_s * 1.0101);
        assert_int_equal(f.proof.missed, 0);
        assert_true(f.proof.periods >= 20 && f.proof.periods * f.period_s >= 4.999);
        assert_true(f.trials < 40);
    }
}

static void waits_for_a_share(void **unused)
{
    (void)unused;
    struct work w = {.work_s = 1e-3, .share = 0.75}; /* kept from 4 ms on */
    struct found f = search(&w, &usual);
    assert_true(f.any && f.period_s >= 4e-3 && f.period_s <= 4.05e-3);
}

/* What the short trials do not meet, the proof does: the answer is the rare time, not the usual one. */
static void rare_pauses_count(void **unused)
{
    (void)unused;
    struct work w = {.work_s = 1e-3, .hiccup_s = 3e-3, .every = 1500};
    struct found f = search(&w, &usual);
    assert_true(f.any);
    assert_true(f.period_s >= 3e-3 && f.period_s <= 3e-3 * 1.0101);
    assert_int_equal(f.proof.missed, 0);
}

/* Each further proof is another chance of luck: the bound of a period that took several is wider than that of a first one. */
static void several_proofs_say_less(void **unused)
{
    (void)unused;
    struct work steady = {.work_s = 1e-3}, rare = {.work_s = 1e-3, .hiccup_s = 3e-3, .every = 1500};
    struct found f = search(&steady, &usual);
    assert_int_equal(f.proofs, 1);
    assert_true(fabs(f.miss_bound - search_miss_bound(1 - 0.05 / 2, f.proof.periods)) < 1e-12);
    f = search(&rare, &usual);
    assert_true(f.proofs > 1);
    double doubt = 0.05 / f.proofs / (f.proofs + 1);
    assert_true(fabs(f.miss_bound - search_miss_bound(1 - doubt, f.proof.periods)) < 1e-12);
    assert_true(search_one(&usual, MPI_COMM_WORLD, run, &steady, 0.01, &f)); /* nothing was picked */
    assert_true(fabs(f.miss_bound - search_miss_bound(0.95, 500)) < 1e-12);
}

static void the_limits_hold(void **unused)
{
    (void)unused;
    struct work never = {.work_s = 2}, always = {.work_s = 1e-9};
    struct found f = search(&never, &usual);
    assert_false(f.any);
    assert_true(f.proof.missed > 0 && f.miss_bound >= 1);
    f = search(&always, &usual);
    assert_true(f.any && f.period_s <= 1.0101e-6);
}

static void one_period(void **unused)
{
    (void)unused;
    struct work w = {.work_s = 2e-3, .hiccup_s = 0.1, .every = 100};
    struct found f;
    assert_false(search_one(&usual, MPI_COMM_WORLD, run, &w, 0.01, &f));
    assert_int_equal(f.proof.periods, 500);
    assert_int_equal(f.proof.missed, 5);
}

static void the_bound_is_that_of_no_miss(void **unused)
{
    (void)unused;
    assert_true(fabs(search_miss_bound(0.95, 1) - 0.95) < 1e-12);
    for (int n = 1; n < 100000; n *= 3) /* (1 - p)^n = 1 - c */
        assert_true(fabs(pow(1 - search_miss_bound(0.99, n), n) - 0.01) < 1e-9);
}

static void limits_are_checked(void **unused)
{
    (void)unused;
    struct search s = usual;
    assert_null(search_wrong(&s, 1e-9));
    assert_non_null(strstr(search_wrong(&s, 1e-6), "resolves"));
    s.most_s = 1e-7;
    assert_non_null(search_wrong(&s, 1e-9));
    s = usual;
    s.confidence = 1;
    assert_non_null(search_wrong(&s, 1e-9));
}

static void options(void **unused)
{
    (void)unused;
    int bytes = 7;
    double share = 0.5;
    bool acks = true, text = false;
    const char *file = "none";
    const struct option_spec specs[] = {{"bytes", OPT_WHOLE, &bytes, 0, 1 << 20, ""},
                                        {"share", OPT_REAL, &share, 0, 1, ""},
                                        {"acks", OPT_FLAG, &acks, 0, 0, ""},
                                        {"text", OPT_FLAG, &text, 0, 0, ""},
                                        {"file", OPT_TEXT, &file, 0, 0, ""}};
    char said[200],
        *good[] = {"x", "one", "--bytes", "4K", "--no-acks", "two", "--share=0.25", "--text", "--file", "f"};
    int argc = 10;
    assert_true(options_read("x", specs, 5, &argc, good, said, sizeof said));
    assert_int_equal(bytes, 4096);
    assert_true(share > 0.24 && share < 0.26 && !acks && text);
    assert_string_equal(file, "f");
    assert_int_equal(argc, 3);
    assert_string_equal(good[2], "two");
    static const char *const bad[][2] = {{"--bytes", "2M"},  {"--bytes", "1.5"}, {"--bytes", "-1"}, {"--bytes", NULL},
                                         {"--share", "nan"}, {"--share", "1x"},  {"--none", NULL},  {"--text=1", NULL}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char *argv[] = {"x", (char *)(uintptr_t)bad[i][0], (char *)(uintptr_t)bad[i][1]};
        argc = bad[i][1] ? 3 : 2;
        assert_false(options_read("x", specs, 5, &argc, argv, said, sizeof said));
        assert_true(strlen(said) > 10);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_time_of_the_work),
        cmocka_unit_test(waits_for_a_share),
        cmocka_unit_test(rare_pauses_count),
        cmocka_unit_test(several_proofs_say_less),
        cmocka_unit_test(the_limits_hold),
        cmocka_unit_test(one_period),
        cmocka_unit_test(the_bound_is_that_of_no_miss),
        cmocka_unit_test(limits_are_checked),
        cmocka_unit_test(options),
    };
    MPI_Init(&argc, &argv);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failed;
}
