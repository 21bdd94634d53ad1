/* simd.c: what the processor has. */
#include "simd.h"

#if defined(__x86_64__)
bool simd_has(enum simd kind)
{
    switch (kind) {
    case SIMD_BEST:
    case SIMD_BASE:
        return true;
    case SIMD_AVX2:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case SIMD_AVX512:
        return simd_has(SIMD_AVX2) && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512dq");
    case SIMD_KINDS:
        break;
    }
    return false;
}
#else
bool simd_has(enum simd kind) { return kind == SIMD_BEST || kind == SIMD_BASE; }
#endif

enum simd simd_choose(enum simd kind)
{
    if (kind != SIMD_BEST)
        return kind;
    if (simd_has(SIMD_AVX512))
        return SIMD_AVX512;
    return simd_has(SIMD_AVX2) ? SIMD_AVX2 : SIMD_BASE;
}

const char *simd_name(enum simd kind)
{
    static const char *const names[SIMD_KINDS] = {"best", "base", "avx2", "avx512"};
    return kind < SIMD_KINDS ? names[kind] : "unknown";
}
