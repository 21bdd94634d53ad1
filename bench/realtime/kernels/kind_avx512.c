/* kind_avx512.c: the kernels for AVX-512 with vectors of AVX2's length. The target is chosen here, so that any compiler command builds them. */
#if defined(__x86_64__)
#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma,avx512f,avx512vl,avx512dq"))), apply_to = function)
#else
#pragma GCC target("avx2,fma,avx512f,avx512vl,avx512dq")
#endif

#define VECTOR_AVX512 1
#include "vector_avx2.h"

#include "kind_inl.h"

const struct kind kind_avx512 = KIND;

#if defined(__clang__)
#pragma clang attribute pop
#endif
#else
typedef int kind_avx512_is_empty;
#endif
