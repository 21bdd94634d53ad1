/* vector_avx2.h: eight floats a vector. With AVX-512 VL there are twice as many registers. */
#include <immintrin.h>

#define INLINE static inline __attribute__((always_inline))
enum { WIDTH = 8, PAIRS = 4, SHORT_ROW_LEAST = 4 };
typedef __m256 vec;

INLINE vec load(const float *at) { return _mm256_loadu_ps(at); }
INLINE void store(float *at, vec x) { _mm256_storeu_ps(at, x); }
INLINE void store_past(float *at, vec x) { _mm256_stream_ps(at, x); }
INLINE vec all(float x) { return _mm256_set1_ps(x); }
INLINE vec add(vec a, vec b) { return _mm256_add_ps(a, b); }
INLINE vec sub(vec a, vec b) { return _mm256_sub_ps(a, b); }
INLINE vec mul(vec a, vec b) { return _mm256_mul_ps(a, b); }
INLINE vec mul_add(vec a, vec b, vec c) { return _mm256_fmadd_ps(a, b, c); }
INLINE vec mul_sub(vec a, vec b, vec c) { return _mm256_fmsub_ps(a, b, c); }
/* c - a b */
INLINE vec sub_mul(vec a, vec b, vec c) { return _mm256_fnmadd_ps(a, b, c); }
/* a b - c in even places, a b + c in odd ones */
INLINE vec mul_subadd(vec a, vec b, vec c) { return _mm256_fmaddsub_ps(a, b, c); }
INLINE vec even_twice(vec a) { return _mm256_moveldup_ps(a); }
INLINE vec odd_twice(vec a) { return _mm256_movehdup_ps(a); }
INLINE vec swap_pairs(vec a) { return _mm256_permute_ps(a, 0xB1); }

/* 4 x 4 floats in each half. */
INLINE void turn4(vec x[4])
{
    __m256d a = _mm256_castps_pd(_mm256_unpacklo_ps(x[0], x[1])), b = _mm256_castps_pd(_mm256_unpackhi_ps(x[0], x[1]));
    __m256d c = _mm256_castps_pd(_mm256_unpacklo_ps(x[2], x[3])), d = _mm256_castps_pd(_mm256_unpackhi_ps(x[2], x[3]));
    x[0] = _mm256_castpd_ps(_mm256_unpacklo_pd(a, c));
    x[1] = _mm256_castpd_ps(_mm256_unpackhi_pd(a, c));
    x[2] = _mm256_castpd_ps(_mm256_unpacklo_pd(b, d));
    x[3] = _mm256_castpd_ps(_mm256_unpackhi_pd(b, d));
}

/* WIDTH pairs to their first and second members, and back. */
INLINE void split(const float *at, vec *re, vec *im)
{
    vec a = load(at), b = load(at + 8);
    vec low = _mm256_permute2f128_ps(a, b, 0x20), high = _mm256_permute2f128_ps(a, b, 0x31);
    *re = _mm256_shuffle_ps(low, high, 0x88);
    *im = _mm256_shuffle_ps(low, high, 0xDD);
}

INLINE void interleave(float *at, vec re, vec im)
{
    vec a = _mm256_unpacklo_ps(re, im), b = _mm256_unpackhi_ps(re, im);
    store(at, _mm256_permute2f128_ps(a, b, 0x20));
    store(at + 8, _mm256_permute2f128_ps(a, b, 0x31));
}

/* Eight vectors to WIDTH runs of eight, in long_store()'s blocks: run i, the places i of all, at to + 16 i. */
INLINE void put_turned8(float *to, const vec y[8])
{
    vec a[4] = {y[0], y[1], y[2], y[3]}, b[4] = {y[4], y[5], y[6], y[7]};
    turn4(a);
    turn4(b);
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        store(to + 16 * i, _mm256_permute2f128_ps(a[i], b[i], 0x20));
        store(to + 16 * (i + 4), _mm256_permute2f128_ps(a[i], b[i], 0x31));
    }
}

/* PAIRS x PAIRS pairs of floats. */
INLINE void turn_vectors(const vec x[4], vec y[4])
{
    __m256d a = _mm256_unpacklo_pd(_mm256_castps_pd(x[0]), _mm256_castps_pd(x[1]));
    __m256d b = _mm256_unpackhi_pd(_mm256_castps_pd(x[0]), _mm256_castps_pd(x[1]));
    __m256d c = _mm256_unpacklo_pd(_mm256_castps_pd(x[2]), _mm256_castps_pd(x[3]));
    __m256d d = _mm256_unpackhi_pd(_mm256_castps_pd(x[2]), _mm256_castps_pd(x[3]));
    y[0] = _mm256_castpd_ps(_mm256_permute2f128_pd(a, c, 0x20));
    y[1] = _mm256_castpd_ps(_mm256_permute2f128_pd(b, d, 0x20));
    y[2] = _mm256_castpd_ps(_mm256_permute2f128_pd(a, c, 0x31));
    y[3] = _mm256_castpd_ps(_mm256_permute2f128_pd(b, d, 0x31));
}

/* Eight points after the first stage of radix 2 and its factors: the even results from x[0], the odd ones from x[1]; in order. */
#if defined(VECTOR_AVX512)
INLINE void rest_of_eight(vec x[2], vec sign)
{
    const __m256i firsts = _mm256_setr_epi32(0, 1, 4, 5, 8, 9, 12, 13),
                  seconds = _mm256_setr_epi32(2, 3, 6, 7, 11, 10, 15, 14);
    vec p = _mm256_permute2f128_ps(x[0], x[1], 0x20), q = _mm256_permute2f128_ps(x[0], x[1], 0x31);
    vec a = add(p, q), b = sub(p, q), w = _mm256_blend_ps(all(1), sign, 0xF0);
    vec c = _mm256_permutex2var_ps(a, firsts, b), d = _mm256_permutex2var_ps(a, seconds, b);
    x[0] = mul_add(d, w, c);
    x[1] = sub_mul(d, w, c);
}
#else
INLINE vec middle_swapped(vec x) { return _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(x), 0xD8)); }

INLINE void rest_of_eight(vec x[2], vec sign)
{
    vec p = _mm256_permute2f128_ps(x[0], x[1], 0x20), q = _mm256_permute2f128_ps(x[0], x[1], 0x31);
    __m256d a = _mm256_castps_pd(add(p, q)), b = _mm256_castps_pd(sub(p, q));
    vec c = _mm256_castpd_ps(_mm256_unpacklo_pd(a, b)), w = _mm256_blend_ps(all(1), sign, 0xCC);
    vec d = _mm256_permute_ps(_mm256_castpd_ps(_mm256_unpackhi_pd(a, b)), 0xB4);
    x[0] = middle_swapped(mul_add(d, w, c));
    x[1] = middle_swapped(sub_mul(d, w, c));
}
#endif

INLINE void past_done(void) { _mm_sfence(); }
