/* The sizes of balanced grids, against all factorisations: the largest and the smallest differ least, then the smallest is largest, and so
 * on; and large numbers, of which it is known what is best.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "api/topo.h"

enum { MOST_DIMS = 5 };

struct search {
    int k, found;
    int now[MOST_DIMS], best[MOST_DIMS];
};

static int is_better(const struct search *s)
{
    int spread = s->now[0] - s->now[s->k - 1], least = s->best[0] - s->best[s->k - 1];
    if (!s->found || spread != least)
        return !s->found || spread < least;
    for (int i = s->k - 1; i >= 0; i--)
        if (s->now[i] != s->best[i])
            return s->now[i] > s->best[i];
    return 0;
}

/* Every way to write n as the product of the factors from `at` on, none above `most`. */
static void try_all(struct search *s, int n, int at, int most)
{
    if (at == s->k - 1) {
        s->now[at] = n;
        if (n <= most && is_better(s)) {
            memcpy(s->best, s->now, sizeof s->best);
            s->found = 1;
        }
        return;
    }
    for (int f = 1; f <= n && f <= most; f++)
        if (n % f == 0) {
            s->now[at] = f;
            try_all(s, n / f, at + 1, f);
        }
}

static void expect(int n, int k, const int *wanted)
{
    int dims[40] = {0};
    api_dims_balance(n, k, dims);
    for (int i = 0; i < k; i++)
        if (dims[i] != wanted[i])
            fail_msg("%d in %d dimensions: size %d is %d, not %d", n, k, i, dims[i], wanted[i]);
}

static void nothing_is_nearer_together(void **unused)
{
    (void)unused;
    static const int last[MOST_DIMS + 1] = {0, 4000, 4000, 4000, 2000, 1000};
    for (int k = 1; k <= MOST_DIMS; k++)
        for (int n = 1; n <= last[k]; n++) {
            struct search s = {.k = k};
            try_all(&s, n, 0, n);
            expect(n, k, s.best);
        }
}

static void known(void **unused)
{
    (void)unused;
    expect(7488, 3, (int[]){26, 18, 16}); /* not 24 x 24 x 13, whose largest is less */
    expect(5040, 3, (int[]){21, 16, 15}); /* not 20 x 18 x 14, whose smallest is less */
    expect(98784, 5, (int[]){14, 14, 9, 8, 7});
    expect(2147483647, 1, (int[]){2147483647});
    expect(2147483647, 2, (int[]){2147483647, 1});
    expect(2147483647, 4, (int[]){2147483647, 1, 1, 1});
    expect(2147395600, 2, (int[]){46340, 46340});
    expect(2146654199, 2, (int[]){46337, 46327});
    expect(2146689000, 3, (int[]){1290, 1290, 1290});
    expect(1 << 30, 5, (int[]){64, 64, 64, 64, 64});
    expect(1 << 30, 31,
           (int[]){2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1});
    expect(1, 3, (int[]){1, 1, 1});
}

/* Sizes that are set stay, and are none of ours. */
static void given(void **unused)
{
    (void)unused;
    int dims[] = {0, 9, 0, 1, 0};
    api_dims_balance(7488, 3, dims);
    assert_memory_equal(dims, ((int[]){26, 9, 18, 1, 16}), sizeof dims);
}

/* Numbers with many divisors take long only if too much is tried. */
static void large(void **unused)
{
    (void)unused;
    static const int numbers[] = {2095133040, 1396755360, 2082162720, 1745944200, 2147483640, 2147117569, 1999966000};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        for (int k = 1; k <= 33; k++) {
            int dims[40] = {0}, n = numbers[i];
            api_dims_balance(n, k, dims);
            for (int d = 0; d < k; d++) {
                assert_true(dims[d] > 0 && n % dims[d] == 0 && (d == 0 || dims[d] <= dims[d - 1]));
                n /= dims[d];
            }
            assert_int_equal(n, 1);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_nearer_together),
        cmocka_unit_test(known),
        cmocka_unit_test(given),
        cmocka_unit_test(large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
