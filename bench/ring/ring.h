/* ring.h: what the programs of the ring paper's measurements share: arguments, a common start, the line that is printed.
 *
 * Time is MPI_Wtime: virtual on a simulated machine, where every run is the same to the last digit.
 */
#ifndef BENCH_RING_H
#define BENCH_RING_H

#include <stdbool.h>

enum { RING_SIZES = 64 };

struct ring {
    int rank, ranks;
    int reps;              /* timed repetitions of each measurement, after one that is not */
    int sizes;             /* how many there are */
    int bytes[RING_SIZES]; /* message sizes, in the order of the arguments */
    char *out, *in;        /* for one longest message, and for one from each rank */
    double flops_per_s;    /* at which mpico_compute() passes the time; a large number where it does nothing */
};

/* MPI_Init and the arguments: sizes in bytes, options --reps N and those that the program looks for itself. Ends the job
 * with a sentence when they make no sense. */
void ring_init(struct ring *, int argc, char **argv);
void ring_fini(struct ring *);

/* Blocks until all ranks have called and a moment has come that they agreed on, when the network is quiet. Returns
 * that moment by MPI_Wtime, which is to be one clock for all ranks: so it is on one host and on a simulated machine. */
double ring_align(const struct ring *);

/* Computes until that moment: outside the library, as a program that is busy. */
void ring_compute_until(const struct ring *, double when_s);

/* How long a transfer of the ring may take while the ranks that have no part in it compute. */
extern const double ring_quiet_s;

/* The largest over ranks of `mine_s`, on every rank. */
double ring_slowest(double mine_s);

/* One JSON line from rank 0. `moved` is the bytes that the bandwidth counts; MB are 10^6 bytes. */
void ring_print(const struct ring *, const char *function, int bytes, double elapsed_s, double moved);

#endif
