/* fft_long_inl.h: one transform of 128 points and more, by Stockham's passes, which put the results in order as they go: a pass of radix r
 * takes x[q + s (p + m k)], k < r, p < m, q < s, where s is the product of the radices before and m what remains, and puts result k, times
 * exp(-2 pi i p k / (r m)), at q + s (r p + k). After a first pass of radix 8 every run of q fills whole vectors. Between the passes
 * blocks of WIDTH real parts and WIDTH imaginary ones take turns, so that each cache line that is fetched is used at once. */

struct lane {
    vec re, im;
};

INLINE struct lane lane_add(struct lane a, struct lane b) { return (struct lane){add(a.re, b.re), add(a.im, b.im)}; }
INLINE struct lane lane_sub(struct lane a, struct lane b) { return (struct lane){sub(a.re, b.re), sub(a.im, b.im)}; }
/* a + i b and a - i b */
INLINE struct lane lane_add_i(struct lane a, struct lane b) { return (struct lane){sub(a.re, b.im), add(a.im, b.re)}; }
INLINE struct lane lane_sub_i(struct lane a, struct lane b) { return (struct lane){add(a.re, b.im), sub(a.im, b.re)}; }

INLINE struct lane lane_mul(struct lane a, vec wr, vec wi)
{
    return (struct lane){mul_sub(a.re, wr, mul(a.im, wi)), mul_add(a.re, wi, mul(a.im, wr))};
}

INLINE void lane_fft4(struct lane x[4])
{
    struct lane a = lane_add(x[0], x[2]), b = lane_sub(x[0], x[2]), c = lane_add(x[1], x[3]), d = lane_sub(x[1], x[3]);
    x[0] = lane_add(a, c);
    x[1] = lane_sub_i(b, d);
    x[2] = lane_sub(a, c);
    x[3] = lane_add_i(b, d);
}

/* As pairs_fft8(). */
INLINE void lane_fft8(struct lane x[8])
{
    const vec root = all(0.70710678118654752440F);
    struct lane even[4] = {lane_add(x[0], x[4]), lane_add(x[1], x[5]), lane_add(x[2], x[6]), lane_add(x[3], x[7])};
    struct lane a = lane_sub(x[0], x[4]), b = lane_sub(x[1], x[5]), c = lane_sub(x[2], x[6]), d = lane_sub(x[3], x[7]);
    struct lane u = lane_sub_i(a, c), v = lane_add_i(a, c);
    struct lane bw = {add(b.re, b.im), sub(b.im, b.re)},
                dw = {sub(d.im, d.re), add(d.re, d.im)}; /* dw.im: the opposite */
    struct lane s = {add(bw.re, dw.re), sub(bw.im, dw.im)}, t = {sub(bw.re, dw.re), add(bw.im, dw.im)};
    lane_fft4(even);
    x[0] = even[0];
    x[2] = even[1];
    x[4] = even[2];
    x[6] = even[3];
    x[1] = (struct lane){mul_add(root, s.re, u.re), mul_add(root, s.im, u.im)};
    x[5] = (struct lane){sub_mul(root, s.re, u.re), sub_mul(root, s.im, u.im)};
    x[3] = (struct lane){mul_add(root, t.im, v.re), sub_mul(root, t.re, v.im)};
    x[7] = (struct lane){sub_mul(root, t.im, v.re), mul_add(root, t.re, v.im)};
}

/* `radix`, 8 or 4, is a constant wherever this is called. */
INLINE void lane_fft(int radix, struct lane *x)
{
    if (radix == 8)
        lane_fft8(x);
    else
        lane_fft4(x);
}

INLINE struct lane long_load(const float *x, size_t i)
{
    return (struct lane){load(x + 2 * i), load(x + 2 * i + WIDTH)};
}

INLINE void long_store(float *x, size_t i, struct lane y)
{
    store(x + 2 * i, y.re);
    store(x + 2 * i + WIDTH, y.im);
}

/* Eight lanes at positions p, p + 1, ...: position p + i becomes eight in a row, at 8 (p + i). */
INLINE void long_put8(float *out, size_t p, const struct lane y[8])
{
    vec re[8], im[8];
#pragma GCC unroll 8
    for (int k = 0; k < 8; k++) {
        re[k] = y[k].re;
        im[k] = y[k].im;
    }
    put_turned8(out + 16 * p, re);
    put_turned8(out + 16 * p + WIDTH, im);
}

/* Radix 8, from pairs in memory. twiddles: [m / WIDTH][7] of WIDTH real and WIDTH imaginary parts. */
INLINE void long_first(size_t m, bool inverse, const float *twiddles, const float *in, float *out)
{
    for (size_t p = 0; p < m; p += WIDTH) {
        struct lane x[8];
#pragma GCC unroll 8
        for (size_t k = 0; k < 8; k++) {
            vec re, im;
            split(in + 2 * (p + m * k), &re, &im);
            x[k] = inverse ? (struct lane){im, re} : (struct lane){re, im};
        }
        lane_fft8(x);
#pragma GCC unroll 8
        for (int k = 1; k < 8; k++, twiddles += 2 * WIDTH)
            x[k] = lane_mul(x[k], load(twiddles), load(twiddles + WIDTH));
        long_put8(out, p, x);
    }
}

/* twiddles: [m][radix - 1] pairs. */
INLINE void long_middle(size_t radix, size_t s, size_t m, const float *twiddles, const float *in, float *out)
{
    for (size_t p = 0; p < m; p++, twiddles += 2 * (radix - 1))
        for (size_t q = 0; q < s; q += WIDTH) {
            struct lane x[8];
#pragma GCC unroll 8
            for (size_t k = 0; k < radix; k++)
                x[k] = long_load(in, q + s * (p + m * k));
            lane_fft((int)radix, x);
            long_store(out, q + s * radix * p, x[0]);
#pragma GCC unroll 8
            for (size_t k = 1; k < radix; k++)
                long_store(out, q + s * (radix * p + k),
                           lane_mul(x[k], all(twiddles[2 * k - 2]), all(twiddles[2 * k - 1])));
        }
}

/* m is 1: no factors; to pairs in memory. */
INLINE void long_last(size_t radix, size_t s, bool inverse, const float *in, float *out)
{
    for (size_t q = 0; q < s; q += WIDTH) {
        struct lane x[8];
#pragma GCC unroll 8
        for (size_t k = 0; k < radix; k++)
            x[k] = long_load(in, q + s * k);
        lane_fft((int)radix, x);
#pragma GCC unroll 8
        for (size_t k = 0; k < radix; k++)
            interleave(out + 2 * (q + s * k), inverse ? x[k].im : x[k].re, inverse ? x[k].re : x[k].im);
    }
}

static void long_first_of(const struct fft_tables *t, const float *in, float *out)
{
    size_t m = (size_t)t->points / 8;
    if (t->inverse)
        long_first(m, true, t->of_pass[0], in, out);
    else
        long_first(m, false, t->of_pass[0], in, out);
}

static void long_middle_of(int radix, size_t s, size_t m, const float *twiddles, const float *in, float *out)
{
    if (radix == 8)
        long_middle(8, s, m, twiddles, in, out);
    else
        long_middle(4, s, m, twiddles, in, out);
}

static void long_last_of(const struct fft_tables *t, size_t s, const float *in, float *out)
{
    if (t->radix[t->passes - 1] == 8 && t->inverse)
        long_last(8, s, true, in, out);
    else if (t->radix[t->passes - 1] == 8)
        long_last(8, s, false, in, out);
    else if (t->inverse)
        long_last(4, s, true, in, out);
    else
        long_last(4, s, false, in, out);
}

static void fft_long(const struct fft_tables *t, const float *in, float *out)
{
    size_t s = 8, m = (size_t)t->points / 8;
    long_first_of(t, in, t->work[0]);
    for (int i = 1; i < t->passes - 1; i++) {
        m /= (size_t)t->radix[i];
        long_middle_of(t->radix[i], s, m, t->of_pass[i], t->work[(i - 1) & 1], t->work[i & 1]);
        s *= (size_t)t->radix[i];
    }
    long_last_of(t, s, t->work[t->passes & 1], out);
}
