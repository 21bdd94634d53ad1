/* Random numbers without state. */
#include "random.h"

static uint64_t mixed(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

static uint64_t next(struct draws *draws)
{
    draws->state += 0x9e3779b97f4a7c15U;
    return mixed(draws->state);
}

struct draws draws_for(uint64_t seed, uint64_t a, uint64_t b)
{
    struct draws draws = {seed};

    draws.state = next(&draws) ^ a;
    draws.state = next(&draws) ^ b;
    draws.state = next(&draws);
    return draws;
}

double draw_uniform(struct draws *draws) { return (double)(next(draws) >> 11) * 0x1p-53; }

double draw_bell(struct draws *draws)
{
    double sum = -6.0;

    for (int i = 0; i < 12; i++)
        sum += draw_uniform(draws);
    return sum;
}
