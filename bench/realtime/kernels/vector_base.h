/* vector_base.h: four floats a vector by the compiler's own vectors: SSE2, NEON, or plain arithmetic where there is neither. */
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))
enum { WIDTH = 4, PAIRS = 2, SHORT_ROW_LEAST = 2 };
#define VECTOR_IS_OF_TWO 1
typedef float vec __attribute__((vector_size(16)));
typedef int places __attribute__((vector_size(16)));

#if defined(__clang__)
#define PICK(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
#define PICK(a, b, i, j, k, l) __builtin_shuffle(a, b, (places){i, j, k, l})
#endif

INLINE vec load(const float *at)
{
    vec x;
    memcpy(&x, at, sizeof x);
    return x;
}

INLINE void store(float *at, vec x) { memcpy(at, &x, sizeof x); }
INLINE vec all(float x) { return (vec){x, x, x, x}; }
INLINE vec add(vec a, vec b) { return a + b; }
INLINE vec sub(vec a, vec b) { return a - b; }
INLINE vec mul(vec a, vec b) { return a * b; }
INLINE vec mul_add(vec a, vec b, vec c) { return a * b + c; }
INLINE vec mul_sub(vec a, vec b, vec c) { return a * b - c; }
/* c - a b */
INLINE vec sub_mul(vec a, vec b, vec c) { return c - a * b; }
/* a b - c in even places, a b + c in odd ones */
INLINE vec mul_subadd(vec a, vec b, vec c) { return a * b + c * (vec){-1, 1, -1, 1}; }
INLINE vec even_twice(vec a) { return PICK(a, a, 0, 0, 2, 2); }
INLINE vec odd_twice(vec a) { return PICK(a, a, 1, 1, 3, 3); }
INLINE vec swap_pairs(vec a) { return PICK(a, a, 1, 0, 3, 2); }

INLINE void turn4(vec x[4])
{
    vec a = PICK(x[0], x[1], 0, 4, 1, 5), b = PICK(x[0], x[1], 2, 6, 3, 7);
    vec c = PICK(x[2], x[3], 0, 4, 1, 5), d = PICK(x[2], x[3], 2, 6, 3, 7);
    x[0] = PICK(a, c, 0, 1, 4, 5);
    x[1] = PICK(a, c, 2, 3, 6, 7);
    x[2] = PICK(b, d, 0, 1, 4, 5);
    x[3] = PICK(b, d, 2, 3, 6, 7);
}

/* WIDTH pairs to their first and second members, and back. */
INLINE void split(const float *at, vec *re, vec *im)
{
    vec a = load(at), b = load(at + 4);
    *re = PICK(a, b, 0, 2, 4, 6);
    *im = PICK(a, b, 1, 3, 5, 7);
}

INLINE void interleave(float *at, vec re, vec im)
{
    store(at, PICK(re, im, 0, 4, 1, 5));
    store(at + 4, PICK(re, im, 2, 6, 3, 7));
}

/* Eight vectors to WIDTH runs of eight, in long_store()'s blocks: run i, the places i of all, at to + 16 i. */
INLINE void put_turned8(float *to, const vec y[8])
{
    vec a[4] = {y[0], y[1], y[2], y[3]}, b[4] = {y[4], y[5], y[6], y[7]};
    turn4(a);
    turn4(b);
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        store(to + 16 * i, a[i]);
        store(to + 16 * i + 8, b[i]);
    }
}

/* PAIRS x PAIRS pairs of floats. */
INLINE void turn_vectors(const vec x[2], vec y[2])
{
    y[0] = PICK(x[0], x[1], 0, 1, 4, 5);
    y[1] = PICK(x[0], x[1], 2, 3, 6, 7);
}

#if defined(__SSE2__)
INLINE void store_past(float *at, vec x) { _mm_stream_ps(at, x); }
INLINE void past_done(void) { _mm_sfence(); }
#else
INLINE void store_past(float *at, vec x) { store(at, x); }
INLINE void past_done(void) {}
#endif
