/* compute.c: what a program says of its own work, passed to a machine that cannot see it. */
#include <float.h>

#include "mpico.h"
#include "../port.h"
#include "../trace.h"

static void declare(double flops, double bytes)
{
    if (!mpico_machine.compute)
        return;
    trace_compute(rank_self());
    mpico_machine.compute(flops, bytes);
}

static double sound(double amount) { return amount > 0 && amount <= DBL_MAX ? amount : 0; }

void mpico_compute(double flops) { declare(sound(flops), 0); }

void mpico_compute_bytes(double bytes) { declare(0, sound(bytes)); }
