/* random.h: numbers that depend on a seed and a place only, so that every rank makes the same ones of the same column. */
#pragma once

#include <stdint.h>

/* The finaliser of SplitMix64 (Steele, Lea, Flood, Fast splittable pseudorandom number generators, 2014). */
static inline uint64_t random_bits(uint64_t seed, uint64_t place)
{
    uint64_t x = seed * 0x9e3779b97f4a7c15 + place * 0xbf58476d1ce4e5b9 + 0x94d049bb133111eb;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

/* Evenly in [0, 1). */
static inline double random_share(uint64_t seed, uint64_t place)
{
    return (double)(random_bits(seed, place) >> 11) * 0x1p-53;
}
