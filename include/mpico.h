/* mpico.h: the few functions beyond the standard. They tell a simulated machine what the program computes; on a
 * real machine they do nothing, so a program may keep them.
 */
#ifndef MPICO_H
#define MPICO_H

#ifdef __cplusplus
extern "C" {
#endif

/* The program has done, or is about to do, so many floating-point operations: a simulated processor needs the time its
 * description gives them. Negative or NaN counts as nothing. Any time, also before MPI_Init. */
void mpico_compute(double flops);
/* The same for memory traffic, in bytes. */
void mpico_compute_bytes(double bytes);

#ifdef __cplusplus
}
#endif
#endif
