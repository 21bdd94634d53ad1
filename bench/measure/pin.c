/* pin.c: a processor of its own for each rank, where there are as many. Without, a kernel may put a rank that wakes up beside the one that has woken
 * it, which then takes turns with it for as long as it spins. By weak references: other systems have neither function.
 */
#include <mpi.h>

#include "measure.h"

enum { WORDS = 16, BITS = 8 * (int)sizeof(unsigned long) };

extern int sched_getaffinity(int pid, size_t size, unsigned long *mask) __attribute__((weak));
extern int sched_setaffinity(int pid, size_t size, const unsigned long *mask) __attribute__((weak));

static bool has(const unsigned long *mask, int cpu) { return mask[cpu / BITS] >> (cpu % BITS) & 1; }

void place_pin(const struct place *p)
{
    unsigned long allowed[WORDS] = {0}, mine[WORDS] = {0};
    if (!sched_getaffinity || !sched_setaffinity || sched_getaffinity(0, sizeof allowed, allowed))
        return;
    int cpus = 0;
    for (int cpu = 0; cpu < WORDS * BITS; cpu++)
        if (has(allowed, cpu) && cpus++ == p->rank)
            mine[cpu / BITS] = 1ul << (cpu % BITS);
    if (p->ranks <= cpus)
        (void)sched_setaffinity(0, sizeof mine, mine);
}
