/* Random numbers without state: a number is a function of its key, so any rank draws the same one in any order. */
#ifndef MFT_RANDOM_H
#define MFT_RANDOM_H

#include <stdint.h>

/* A stream of draws for one key (seed, a, b). The generator is SplitMix64 (Steele, Lea, Flood, OOPSLA 2014) started at
   a hash of the key, the counter-based use of Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011. */
struct draws {
    uint64_t state;
};

struct draws draws_for(uint64_t seed, uint64_t a, uint64_t b);

/* Uniform in [0, 1), 53 bits. */
double draw_uniform(struct draws *draws);

/* Nearly Gaussian, mean 0, variance 1: the sum of twelve uniforms less 6. Only additions, so the same bits anywhere. */
double draw_bell(struct draws *draws);

#endif
