/* builtins.c: what the compiler calls for because the processor has no instruction for it. */
#include <stdint.h>
#include <string.h>

/* Names are the compiler's. */
void *__hexagon_memcpy_likely_aligned_min32bytes_mult8bytes(void *restrict to, const void *restrict from, size_t n);
uint64_t __hexagon_udivdi3(uint64_t a, uint64_t b);
uint64_t __hexagon_umoddi3(uint64_t a, uint64_t b);
int64_t __hexagon_divdi3(int64_t a, int64_t b);
int64_t __hexagon_moddi3(int64_t a, int64_t b);
uint32_t __hexagon_udivsi3(uint32_t a, uint32_t b);
uint32_t __hexagon_umodsi3(uint32_t a, uint32_t b);
int32_t __hexagon_divsi3(int32_t a, int32_t b);
int32_t __hexagon_modsi3(int32_t a, int32_t b);
double __hexagon_divdf3(double a, double b);

/* For structs: memcpy() itself looks whether they are aligned. */
void *__hexagon_memcpy_likely_aligned_min32bytes_mult8bytes(void *restrict to, const void *restrict from, size_t n)
{
    return memcpy(to, from, n);
}

struct division {
    uint64_t quotient, rest;
};

/* Bit by bit from the first that can be set. Division by zero stops the program. */
static struct division divide(uint64_t a, uint64_t b)
{
    struct division d = {0, a};
    if (b == 0)
        __builtin_trap();
    if (b > a)
        return d;
    for (int k = __builtin_clzll(b) - __builtin_clzll(a); k >= 0; k--) {
        if (d.rest >> k >= b) {
            d.rest -= b << k;
            d.quotient |= (uint64_t)1 << k;
        }
    }
    return d;
}

uint64_t __hexagon_udivdi3(uint64_t a, uint64_t b) { return divide(a, b).quotient; }
uint64_t __hexagon_umoddi3(uint64_t a, uint64_t b) { return divide(a, b).rest; }
uint32_t __hexagon_udivsi3(uint32_t a, uint32_t b) { return (uint32_t)divide(a, b).quotient; }
uint32_t __hexagon_umodsi3(uint32_t a, uint32_t b) { return (uint32_t)divide(a, b).rest; }

static uint64_t magnitude(int64_t a) { return a < 0 ? 0 - (uint64_t)a : (uint64_t)a; }

int64_t __hexagon_divdi3(int64_t a, int64_t b)
{
    uint64_t q = divide(magnitude(a), magnitude(b)).quotient;
    return (int64_t)((a < 0) != (b < 0) ? 0 - q : q);
}

int64_t __hexagon_moddi3(int64_t a, int64_t b)
{
    uint64_t r = divide(magnitude(a), magnitude(b)).rest;
    return (int64_t)(a < 0 ? 0 - r : r);
}

int32_t __hexagon_divsi3(int32_t a, int32_t b) { return (int32_t)__hexagon_divdi3(a, b); }
int32_t __hexagon_modsi3(int32_t a, int32_t b) { return (int32_t)__hexagon_moddi3(a, b); }

/* ---- The quotient of two doubles, rounded to nearest, ties to even ---- */

enum { FRACTION_BITS = 52, EXPONENT_BIAS = 1023, EXPONENT_MAX = 2047 };
#define FRACTION (((uint64_t)1 << FRACTION_BITS) - 1)
#define HIDDEN ((uint64_t)1 << FRACTION_BITS)
#define INFINITE ((uint64_t)EXPONENT_MAX << FRACTION_BITS)

union bits {
    double value;
    uint64_t word;
};

static double from_bits(uint64_t word) { return ((union bits){.word = word}).value; }

/* A finite number that is not 0 as fraction * 2^exponent with the hidden bit set. */
static uint64_t normal(uint64_t magnitude, int *exponent)
{
    uint64_t fraction = magnitude & FRACTION;
    *exponent = (int)(magnitude >> FRACTION_BITS);
    if (*exponent)
        return fraction | HIDDEN;
    int shift = __builtin_clzll(fraction) - (63 - FRACTION_BITS);
    *exponent = 1 - shift;
    return fraction << shift;
}

/* `q` has two bits below the last of the result, the lowest also set when something was below it. */
static uint64_t round_off(uint64_t q, int exponent)
{
    if (exponent >= EXPONENT_MAX)
        return INFINITE;
    if (exponent < 1) {
        int shift = 1 - exponent < 60 ? 1 - exponent : 60;
        q = q >> shift | ((q & (((uint64_t)1 << shift) - 1)) != 0);
        exponent = 0;
    } else {
        q -= HIDDEN << 2;
    }
    uint64_t word = ((uint64_t)exponent << FRACTION_BITS) + (q >> 2);
    unsigned below = q & 3;
    return word + (below > 2 || (below == 2 && word & 1));
}

static uint64_t quotient(uint64_t a, uint64_t b)
{
    int ea, eb;
    uint64_t fa = normal(a, &ea), fb = normal(b, &eb), q = 0;
    int exponent = ea - eb + EXPONENT_BIAS;
    if (fa < fb) {
        fa <<= 1;
        exponent--;
    }
    for (int i = 0; i < FRACTION_BITS + 3; i++) { /* fa < 2 fb: one bit of the quotient a turn */
        q <<= 1;
        if (fa >= fb) {
            fa -= fb;
            q |= 1;
        }
        fa <<= 1;
    }
    return round_off(q | (fa != 0), exponent);
}

double __hexagon_divdf3(double x, double y)
{
    uint64_t sign = ((union bits){x}.word ^ (union bits){y}.word) & (uint64_t)1 << 63;
    uint64_t a = (union bits){x}.word & ~((uint64_t)1 << 63), b = (union bits){y}.word & ~((uint64_t)1 << 63);
    if (a > INFINITE || b > INFINITE || (a == INFINITE && b == INFINITE) || (a == 0 && b == 0))
        return from_bits(INFINITE | HIDDEN >> 1);
    if (a == 0 || b == INFINITE)
        return from_bits(sign);
    if (b == 0 || a == INFINITE)
        return from_bits(sign | INFINITE);
    return from_bits(sign | quotient(a, b));
}
