/* fftw.h: FFTW in single precision, found when the program runs, so that building never needs it. Plans are of one thread. */
#ifndef REALTIME_FFTW_H
#define REALTIME_FFTW_H

#include <stdbool.h>
#include <stddef.h>

/* False: the library is not installed. */
bool fftw_open(void);
const char *fftw_version(void);
/* The search for one plan takes at most so long; `patient`: FFTW_PATIENT, otherwise FFTW_ESTIMATE. */
void fftw_patience(double seconds, bool patient);
/* `howmany` transforms one after the other; in and out, which the planner writes over, the same or not. NULL when it cannot. */
void *fftw_plan_batch(int points, size_t howmany, float *in, float *out);
/* A transpose as FFTW plans it: a transform of rank 0. */
void *fftw_plan_turn(size_t rows, size_t columns, float *in, float *out);
/* Other arrays than those planned for must be aligned as they were, to 64 bytes. */
void fftw_run(const void *plan, const float *in, float *out);
void fftw_plan_free(void *plan);

#endif
