/* complex.h: the parts of complex numbers; no functions of analysis. */
#ifndef MPICO_HEXAGON_COMPLEX_H
#define MPICO_HEXAGON_COMPLEX_H

#define complex _Complex
#define _Complex_I (__extension__ 1.0iF)
#define I _Complex_I

static inline float crealf(float complex z) { return __real__ z; }
static inline float cimagf(float complex z) { return __imag__ z; }
static inline double creal(double complex z) { return __real__ z; }
static inline double cimag(double complex z) { return __imag__ z; }
static inline long double creall(long double complex z) { return __real__ z; }
static inline long double cimagl(long double complex z) { return __imag__ z; }

#endif
