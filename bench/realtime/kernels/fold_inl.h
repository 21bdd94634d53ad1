/* fold_inl.h: what foldfft does before and after its transform, all of it for f = 8, and copies past the caches. */

/* Floats i, i + WIDTH ... of the folded block, `vectors` vectors of them at a time. */
INLINE void fold_some(int n, int f, const float *r, const float *in, float *out, int vectors)
{
    vec sum[4];
#pragma GCC unroll 4
    for (int v = 0; v < vectors; v++)
        sum[v] = mul(load(r + v * WIDTH), load(in + v * WIDTH));
    for (int j = 2 * f; j < 2 * n; j += 2 * f)
#pragma GCC unroll 4
        for (int v = 0; v < vectors; v++)
            sum[v] = mul_add(load(r + j + v * WIDTH), load(in + j + v * WIDTH), sum[v]);
#pragma GCC unroll 4
    for (int v = 0; v < vectors; v++)
        store(out + v * WIDTH, sum[v]);
}

static void fold_few(int n, int f, const float *r, const float *in, float *out)
{
    for (int i = 0; i < 2 * f; i++) {
        float sum = 0;
        for (int j = i; j < 2 * n; j += 2 * f)
            sum += r[j] * in[j];
        out[i] = sum;
    }
}

static void fold(int n, int f, const float *r, const float *in, float *out, size_t howmany)
{
    for (size_t b = 0; b < howmany; b++, in += 2 * (size_t)n, out += 2 * (size_t)f) {
        if (2 * f == 2 * WIDTH)
            fold_some(n, WIDTH, r, in, out, 2);
        else if (2 * f % (4 * WIDTH) == 0)
            for (int i = 0; i < 2 * f; i += 4 * WIDTH)
                fold_some(n, f, r + i, in + i, out + i, 4);
        else
            fold_few(n, f, r, in, out);
    }
}

static void weigh(int f, const float *p, const float *in, float *out, size_t howmany)
{
    for (size_t b = 0; b < howmany; b++, in += 2 * (size_t)f, out += 2 * (size_t)f) {
        int i = 0;
        for (; i + WIDTH <= 2 * f; i += WIDTH) {
            vec x = load(in + i), w = load(p + i);
            store(out + i, mul_subadd(x, even_twice(w), mul(swap_pairs(x), odd_twice(w))));
        }
        for (; i < 2 * f; i += 2) {
            float re = in[i] * p[i] - in[i + 1] * p[i + 1], im = in[i] * p[i + 1] + in[i + 1] * p[i];
            out[i] = re;
            out[i + 1] = im;
        }
    }
}

#if !defined(VECTOR_IS_OF_TWO)
INLINE vec weighed(vec x, vec w) { return mul_subadd(x, even_twice(w), mul(swap_pairs(x), odd_twice(w))); }

/* foldfft with f = 8, from load to store in registers. */
static void fold_eight(int n, const float *r, const struct fft_tables *t, const float *p, const float *in, float *out,
                       size_t howmany)
{
    const vec sign = load(t->sign), w0 = load(p), w1 = load(p + 8);
    for (size_t b = 0; b < howmany; b++, in += 2 * (size_t)n, out += 16) {
        vec x[2] = {mul(load(r), load(in)), mul(load(r + 8), load(in + 8))};
        for (int j = 16; j < 2 * n; j += 16) {
            x[0] = mul_add(load(r + j), load(in + j), x[0]);
            x[1] = mul_add(load(r + j + 8), load(in + j + 8), x[1]);
        }
        pairs_fft2(x);
        x[1] = pairs_mul(x[1], t->twiddles);
        rest_of_eight(x, sign);
        store(out, weighed(x[0], w0));
        store(out + 8, weighed(x[1], w1));
    }
}
#else
#define fold_eight NULL
#endif

static void stream(const float *in, float *out, size_t floats)
{
    size_t i = 0;
    for (; i < floats && (uintptr_t)(out + i) % sizeof(vec) != 0; i++)
        out[i] = in[i];
    for (; i + WIDTH <= floats; i += WIDTH)
        store_past(out + i, load(in + i));
    past_done();
    for (; i < floats; i++)
        out[i] = in[i];
}
