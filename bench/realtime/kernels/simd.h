/* simd.h: the instruction sets that the kernels are compiled for. The choice is made when a plan is made, by the processor that runs;
 * a test or a comparison asks for one by name. Nothing here needs MPI. */
#ifndef REALTIME_SIMD_H
#define REALTIME_SIMD_H

#include <stdbool.h>

enum simd {
    SIMD_BEST,   /* the widest that this processor has */
    SIMD_BASE,   /* what the compiler may assume of every processor of this kind: SSE2, NEON, or none */
    SIMD_AVX2,   /* AVX2 and FMA, 8 numbers a vector */
    SIMD_AVX512, /* AVX-512 F, VL and DQ */
    SIMD_KINDS
};

/* Whether this processor can run code of that kind, and the program has it. */
bool simd_has(enum simd);
/* SIMD_BEST made definite; anything else as it is. */
enum simd simd_choose(enum simd);
/* "best", "base", "avx2", "avx512". */
const char *simd_name(enum simd);

#endif
