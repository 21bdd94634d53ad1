/* fft_short_inl.h: transforms of up to 64 points, each in registers from its load to its store, one after the other, so that the arithmetic of
 * the next fills the gaps of the one before. A vector holds PAIRS neighbouring points. r1 * r2 points are r1 rows of r2: transforms of r1
 * points down the columns need no exchange between places of a vector; result k of column j, times exp(-2 pi i j k / (r1 r2)), goes to
 * place k of row j by turning tiles in registers; and result l of the transform down column k is result k + r1 l of the whole. */

/* `sign`: 1, -1 and so on forwards, -1, 1 inverse: swap_pairs(x) times it is x times -i, or i. */
INLINE void pairs_fft2(vec *x)
{
    vec a = x[0], b = x[1];
    x[0] = add(a, b);
    x[1] = sub(a, b);
}

INLINE void pairs_fft4(vec *x, vec sign)
{
    vec a = add(x[0], x[2]), b = sub(x[0], x[2]), c = add(x[1], x[3]), d = swap_pairs(sub(x[1], x[3]));
    x[0] = add(a, c);
    x[1] = mul_add(d, sign, b);
    x[2] = sub(a, c);
    x[3] = sub_mul(d, sign, b);
}

/* The odd results are a transform of 4 points of (a, b w, c w^2, d w^3) with w = exp(-2 pi i / 8) = (1 - i) / sqrt(2). */
INLINE void pairs_fft8(vec *x, vec sign)
{
    const vec root = all(0.70710678118654752440F), signed_root = mul(root, sign);
    vec even[4] = {add(x[0], x[4]), add(x[1], x[5]), add(x[2], x[6]), add(x[3], x[7])};
    vec a = sub(x[0], x[4]), b = sub(x[1], x[5]), c = swap_pairs(sub(x[2], x[6])), d = sub(x[3], x[7]);
    vec u = mul_add(c, sign, a), v = sub_mul(c, sign, a);
    vec bw = mul_add(swap_pairs(b), sign, b), dw = sub_mul(swap_pairs(d), sign, d); /* b w and -d w^3, times sqrt(2) */
    vec s = sub(bw, dw), t = swap_pairs(add(bw, dw));
    pairs_fft4(even, sign);
    x[0] = even[0];
    x[1] = mul_add(root, s, u);
    x[2] = even[1];
    x[3] = mul_add(signed_root, t, v);
    x[4] = even[2];
    x[5] = sub_mul(root, s, u);
    x[6] = even[3];
    x[7] = sub_mul(signed_root, t, v);
}

/* `radix` is a constant wherever this is called. */
INLINE void pairs_fft(int radix, vec *x, vec sign)
{
    if (radix == 8)
        pairs_fft8(x, sign);
    else if (radix == 4)
        pairs_fft4(x, sign);
    else
        pairs_fft2(x);
}

/* Times factors that stand as (re, re) and (-im, im). */
INLINE vec pairs_mul(vec x, const float *w) { return mul_add(x, load(w), mul(swap_pairs(x), load(w + WIDTH))); }

/* PAIRS columns of r1 points, and their factors: `w` goes on by 2 * WIDTH floats a result but the first. */
INLINE void short_columns(int r1, size_t row, const float *in, const float *w, vec sign, vec *x)
{
#pragma GCC unroll 8
    for (int m = 0; m < r1; m++)
        x[m] = load(in + row * (size_t)m);
    pairs_fft(r1, x, sign);
#pragma GCC unroll 8
    for (int k = 1; k < r1; k++)
        x[k] = pairs_mul(x[k], w + 2 * WIDTH * (k - 1));
}

INLINE void short_one(int r1, int r2, const struct fft_tables *t, vec sign, const float *in, float *out)
{
    vec x[8 / PAIRS][8], y[8];
#pragma GCC unroll 4
    for (int h = 0; h < r2 / PAIRS; h++)
        short_columns(r1, 2 * (size_t)r2, in + WIDTH * h, t->twiddles + 2 * WIDTH * (r1 - 1) * h, sign, x[h]);
#pragma GCC unroll 4
    for (int g = 0; g < r1 / PAIRS; g++) {
#pragma GCC unroll 4
        for (int h = 0; h < r2 / PAIRS; h++)
            turn_vectors(&x[h][PAIRS * g], &y[PAIRS * h]);
        pairs_fft(r2, y, sign);
#pragma GCC unroll 8
        for (int l = 0; l < r2; l++)
            store(out + 2 * r1 * l + WIDTH * g, y[l]);
    }
}

#define SHORT(points, r1, r2)                                                                                          \
    static void short_##points(const struct fft_tables *t, const float *in, float *out, size_t howmany)                \
    {                                                                                                                  \
        const vec sign = load(t->sign);                                                                                \
        for (size_t i = 0; i < howmany; i++, in += 2 * points, out += 2 * points)                                      \
            short_one(r1, r2, t, sign, in, out);                                                                       \
    }
SHORT(16, 16 / SHORT_ROW_LEAST, SHORT_ROW_LEAST)
SHORT(32, 8, 4)
SHORT(64, 8, 8)
#if defined(VECTOR_IS_OF_TWO)
SHORT(8, 4, 2)
#else
static void short_8(const struct fft_tables *t, const float *in, float *out, size_t howmany)
{
    const vec sign = load(t->sign);
    for (size_t i = 0; i < howmany; i++, in += 16, out += 16) {
        vec x[2] = {load(in), load(in + 8)};
        pairs_fft2(x);
        x[1] = pairs_mul(x[1], t->twiddles);
        rest_of_eight(x, sign);
        store(out, x[0]);
        store(out + 8, x[1]);
    }
}
#endif
#undef SHORT

static void short_2(const struct fft_tables *t, const float *in, float *out, size_t howmany)
{
    (void)t;
    for (size_t i = 0; i < howmany; i++, in += 4, out += 4) {
        float a = in[0], b = in[1], c = in[2], d = in[3];
        out[0] = a + c;
        out[1] = b + d;
        out[2] = a - c;
        out[3] = b - d;
    }
}

static void short_4(const struct fft_tables *t, const float *in, float *out, size_t howmany)
{
    for (size_t i = 0; i < howmany; i++, in += 8, out += 8) {
        float a = in[0] + in[4], b = in[1] + in[5], c = in[0] - in[4], d = in[1] - in[5];
        float e = in[2] + in[6], f = in[3] + in[7], g = (in[3] - in[7]) * t->sign[0], h = (in[2] - in[6]) * t->sign[1];
        out[0] = a + e;
        out[1] = b + f;
        out[2] = c + g;
        out[3] = d + h;
        out[4] = a - e;
        out[5] = b - f;
        out[6] = c - g;
        out[7] = d - h;
    }
}

static void fft_short(const struct fft_tables *t, const float *in, float *out, size_t howmany)
{
    static void (*const of[])(const struct fft_tables *, const float *, float *,
                              size_t) = {NULL, short_2, short_4, short_8, short_16, short_32, short_64};
    of[__builtin_ctz((unsigned)t->points)](t, in, out, howmany);
}
