/* kind_avx2.c: the kernels for AVX2 and FMA. The target is chosen here, so that any compiler command builds them. */
#if defined(__x86_64__)
#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif

#include "vector_avx2.h"

#include "kind_inl.h"

const struct kind kind_avx2 = KIND;

#if defined(__clang__)
#pragma clang attribute pop
#endif
#else
typedef int kind_avx2_is_empty;
#endif
