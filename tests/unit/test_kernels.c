/* The kernels of the real-time suite against a transform in double precision: every size, both directions, every instruction set of this
 * processor, in place, at any address; and a result is the same wherever its block stands. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/fft.h"
#include "kernels/foldfft.h"
#include "kernels/turn.h"

static const double TURN = 6.283185307179586476925286766559;

static uint32_t state = 12345;
static float draw(void)
{
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 8) / 16777216.0F - 0.5F;
}

static float *numbers(size_t floats)
{
    float *x = malloc(sizeof(float) * floats);
    assert_non_null(x);
    for (size_t i = 0; i < floats; i++)
        x[i] = draw();
    return x;
}

/* Result k of the definition; factors: points of the circle, pairs. */
static void by_definition(const double *circle, int points, bool inverse, const float *x, int k, double *re, double *im)
{
    *re = *im = 0;
    for (int j = 0; j < points; j++) {
        long long place = (long long)j * k % points;
        double c = circle[2 * place], s = inverse ? circle[2 * place + 1] : -circle[2 * place + 1];
        *re += c * (double)x[2 * j] - s * (double)x[2 * j + 1];
        *im += s * (double)x[2 * j] + c * (double)x[2 * j + 1];
    }
}

/* At most `most` results of a block, evenly spread and by odd steps. */
static void check_block(int points, bool inverse, const float *x, const float *y, int most)
{
    double *circle = malloc(sizeof(double) * 2 * (size_t)points), largest = 0, worst = 0;
    assert_non_null(circle);
    for (int j = 0; j < points; j++) {
        circle[2 * j] = cos(TURN * j / points);
        circle[2 * j + 1] = sin(TURN * j / points);
    }
    int step = points <= most ? 1 : points / most + 1;
    for (int k = 0; k < points; k += step) {
        double re, im;
        by_definition(circle, points, inverse, x, k, &re, &im);
        largest = fmax(largest, hypot(re, im));
        worst = fmax(worst, hypot(re - (double)y[2 * k], im - (double)y[2 * k + 1]));
    }
    free(circle);
    assert_true(worst <= 1e-6 * fmax(1, log2(points)) * largest);
}

static void check_fft(enum simd kind, int points, enum fft_direction direction, size_t howmany)
{
    size_t floats = 2 * (size_t)points * howmany;
    float *x = numbers(floats + 1), *y = numbers(floats + 3), *in_place = malloc(sizeof(float) * (floats + 1));
    struct fft_plan *plan = fft_plan_alloc(points, direction, kind);
    assert_non_null(in_place);
    assert_non_null(plan);
    assert_int_equal(fft_points(plan), points);
    float guards[2] = {y[0], y[floats + 1]};
    fft_batch(plan, x + 1, y + 1, howmany); /* aligned to a float only */
    memcpy(in_place, x + 1, sizeof(float) * floats);
    fft_batch(plan, in_place, in_place, howmany);
    assert_memory_equal(in_place, y + 1, sizeof(float) * floats);
    assert_true(y[0] == guards[0] && y[floats + 1] == guards[1]);
    for (size_t b = 0; b<howmany; b += howmany> 1 ? howmany - 1 : 1)
        check_block(points, direction == FFT_INVERSE, x + 1 + 2 * (size_t)points * b, y + 1 + 2 * (size_t)points * b,
                    300);
    fft_batch(plan, x + 1 + floats - 2 * (size_t)points, in_place, 1); /* the last block alone */
    assert_memory_equal(in_place, y + 1 + floats - 2 * (size_t)points, sizeof(float) * 2 * (size_t)points);
    fft_plan_free(plan);
    free(x);
    free(y);
    free(in_place);
}

static void test_transforms(void **unused)
{
    (void)unused;
    for (int kind = SIMD_BEST; kind < SIMD_KINDS; kind++)
        for (int points = 1; simd_has((enum simd)kind) && points <= 16384; points *= 2) {
            check_fft((enum simd)kind, points, FFT_FORWARD, points > 1024 ? 2 : 19);
            check_fft((enum simd)kind, points, FFT_INVERSE, points > 1024 ? 1 : 7);
        }
}

static void test_forth_and_back(void **unused)
{
    (void)unused;
    enum { POINTS = 2048 };
    float *x = numbers(2 * POINTS), *y = numbers(2 * POINTS);
    struct fft_plan *forth = fft_plan_alloc(POINTS, FFT_FORWARD, SIMD_BEST),
                    *back = fft_plan_alloc(POINTS, FFT_INVERSE, SIMD_BEST);
    fft_batch(forth, x, y, 1);
    fft_batch(back, y, y, 1);
    for (int i = 0; i < 2 * POINTS; i++)
        assert_true(fabsf(y[i] / POINTS - x[i]) < 1e-6F);
    fft_plan_free(forth);
    fft_plan_free(back);
    free(x);
    free(y);
}

/* More than the caches hold goes another way to memory: the same numbers, and none outside. */
static void test_past_the_caches(void **unused)
{
    (void)unused;
    enum { POINTS = 64, MANY = 33 << 11 };
    size_t floats = 2 * (size_t)POINTS * MANY;
    float *x = calloc(floats + 1, sizeof(float)), *y = calloc(floats + 3, sizeof(float));
    assert_non_null(x);
    assert_non_null(y);
    for (size_t i = 0; i < floats; i += 11)
        x[i] = draw();
    struct fft_plan *plan = fft_plan_alloc(POINTS, FFT_FORWARD, SIMD_BEST);
    fft_batch(plan, x, y + 1, MANY);
    fft_batch(plan, x, x, MANY);
    assert_memory_equal(x, y + 1, sizeof(float) * floats);
    assert_true(y[0] == 0 && y[floats + 1] == 0);
    fft_plan_free(plan);
    free(x);
    free(y);
}

static void test_no_plan(void **unused)
{
    (void)unused;
    static const int wrong[] = {-8, 0, 3, 12, 100, 513, FFT_POINTS_MOST * 2};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_null(fft_plan_alloc(wrong[i], FFT_FORWARD, SIMD_BEST));
        assert_null(fft_plain_twiddles(wrong[i]));
    }
    float weights[256] = {0};
    assert_null(foldfft_plan_alloc(60, 8, weights, weights, SIMD_BEST));
    assert_null(foldfft_plan_alloc(60, 12, weights, weights, SIMD_BEST));
    assert_null(foldfft_plan_alloc(8, 16, weights, weights, SIMD_BEST));
    assert_null(foldfft_plan_alloc(8, 0, weights, weights, SIMD_BEST));
}

/* The definition, step by step; folded: 2 f floats. */
static void check_fold(int n, int f, const float *r, const float *p, const float *x, const float *y)
{
    double worst = 0, largest = 0;
    for (int k = 0; k < f; k++) {
        double re = 0, im = 0;
        for (int j = 0; j < n; j++) {
            double angle = -TURN * (double)((long long)j * k % f) / f, c = cos(angle), s = sin(angle);
            re += (double)r[j] * (c * (double)x[2 * j] - s * (double)x[2 * j + 1]);
            im += (double)r[j] * (s * (double)x[2 * j] + c * (double)x[2 * j + 1]);
        }
        double pr = (double)p[2 * k], pi = (double)p[2 * k + 1], want_re = pr * re - pi * im,
               want_im = pr * im + pi * re;
        largest = fmax(largest, hypot(want_re, want_im));
        worst = fmax(worst, hypot((double)y[2 * k] - want_re, (double)y[2 * k + 1] - want_im));
    }
    assert_true(worst <= 1e-6 * fmax(1, log2(n)) * largest);
}

static void check_foldfft(enum simd kind, int n, int f, size_t howmany)
{
    size_t from = 2 * (size_t)n, to = 2 * (size_t)f;
    float *r = numbers((size_t)n), *p = numbers(to), *x = numbers(from * howmany + 1), *y = numbers(to * howmany + 2);
    float *plain = numbers(to * howmany), *work = numbers(from + to), *twiddles = fft_plain_twiddles(f),
          guard = y[to * howmany + 1];
    struct foldfft_plan *plan = foldfft_plan_alloc(n, f, r, p, kind);
    assert_non_null(plan);
    foldfft(plan, x + 1, y + 1, howmany);
    foldfft_plain(twiddles, n, f, r, p, work, x + 1, plain, howmany);
    assert_true(y[to * howmany + 1] == guard);
    for (size_t b = 0; b < howmany; b += howmany / 2 + 1) {
        check_fold(n, f, r, p, x + 1 + from * b, y + 1 + to * b);
        check_fold(n, f, r, p, x + 1 + from * b, plain + to * b);
    }
    foldfft_plan_free(plan);
    float *all[] = {r, p, x, y, plain, work, twiddles};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
}

static void test_foldfft(void **unused)
{
    (void)unused;
    static const int sizes[][2] = {{64, 8},    {128, 16}, {256, 32}, {16, 16}, {64, 64},
                                   {512, 512}, {24, 8},   {6, 2},    {12, 4},  {7, 1}};
    for (int kind = SIMD_BASE; kind < SIMD_KINDS; kind++)
        for (size_t i = 0; simd_has((enum simd)kind) && i < sizeof sizes / sizeof sizes[0]; i++) {
            check_foldfft((enum simd)kind, sizes[i][0], sizes[i][1], 37);
            check_foldfft((enum simd)kind, sizes[i][0], sizes[i][1], 1);
        }
}

static void check_turn(enum simd kind, size_t rows, size_t columns, size_t in_more, size_t out_more)
{
    size_t in_stride = columns + in_more, out_stride = rows + out_more;
    float *x = numbers(2 * rows * in_stride + 1), *y = numbers(2 * columns * out_stride + 1);
    float *want = malloc(sizeof(float) * (2 * columns * out_stride + 1));
    assert_non_null(want);
    memcpy(want, y, sizeof(float) * (2 * columns * out_stride + 1));
    turn_plain(x + 1, in_stride, want + 1, out_stride, rows, columns);
    turn(kind, x + 1, in_stride, y + 1, out_stride, rows, columns);
    assert_memory_equal(y, want, sizeof(float) * (2 * columns * out_stride + 1)); /* also what lies between the rows */
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++)
            assert_memory_equal(&y[1 + 2 * (c * out_stride + r)], &x[1 + 2 * (r * in_stride + c)], 2 * sizeof(float));
    free(x);
    free(y);
    free(want);
}

static void test_turn(void **unused)
{
    (void)unused;
    static const size_t sizes[][2] = {{1, 1}, {1, 9},   {9, 1},   {4, 4},    {5, 7},
                                      {8, 8}, {13, 64}, {257, 9}, {31, 300}, {128, 128}};
    for (int kind = SIMD_BEST; kind < SIMD_KINDS; kind++)
        for (size_t i = 0; simd_has((enum simd)kind) && i < sizeof sizes / sizeof sizes[0]; i++) {
            check_turn((enum simd)kind, sizes[i][0], sizes[i][1], 0, 0);
            check_turn((enum simd)kind, sizes[i][0], sizes[i][1], 3, 5);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_transforms),      cmocka_unit_test(test_forth_and_back),
        cmocka_unit_test(test_past_the_caches), cmocka_unit_test(test_no_plan),
        cmocka_unit_test(test_foldfft),         cmocka_unit_test(test_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
