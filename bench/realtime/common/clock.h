/* clock.h: one clock for all ranks, and the declaration of what was computed.
 *
 * All times are seconds. A moment is agreed on by rank 0's clock. On a simulated machine time is virtual: it passes only by
 * what the library does and by what is declared below.
 */
#pragma once

#include <mpi.h>
#include <stdbool.h>

struct clock {
    double offset_s;    /* this rank's MPI_Wtime less rank 0's */
    bool is_virtual;    /* a simulated machine */
    bool apart;         /* some rank has a clock of its own, which drifts: clock_meet() looks again */
    double tick_s;      /* the least step seen, MPI_Wtick() where none was; of the rank with the coarsest clock */
    double flops_per_s; /* of a virtual clock's processor; 0 on a real one */
};

/* Collective over the communicator; its rank 0 is the clock of reference. All but offset_s is the same on all ranks after it. */
void clock_agree(struct clock *, MPI_Comm);

double clock_now(const struct clock *);

/* Returns at that moment or just after it; at once when it has passed. Outside the library: a message that needs this
 * processor does not move meanwhile, except where the library has threads or interrupts. */
void clock_until(const struct clock *, double s);

/* Collective: a moment that all ranks learn well before it comes, `lead_s` after the last of them came. Where clocks are apart they
 * are compared again first, so that they drift from one meeting to the next only. */
double clock_meet(struct clock *, MPI_Comm, double lead_s);

/* What was computed since the last call. Virtual time passes by it; on a real machine and with other libraries it does nothing. */
void declare_flops(double flops);
void declare_bytes(double bytes);
