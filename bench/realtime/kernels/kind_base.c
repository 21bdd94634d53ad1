/* kind_base.c: the kernels for any processor; and which kind is which. */
#include <stddef.h>

#include "vector_base.h"

#include "kind_inl.h"

const struct kind kind_base = KIND;

const struct kind *kernels_of(enum simd which)
{
#if defined(__x86_64__)
    if (which == SIMD_AVX512)
        return &kind_avx512;
    if (which == SIMD_AVX2)
        return &kind_avx2;
#endif
    (void)which;
    return &kind_base;
}
