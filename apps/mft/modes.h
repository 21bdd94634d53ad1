/* Normal modes of a layered fluid: what propagates in the ocean at one frequency. */
#ifndef MFT_MODES_H
#define MFT_MODES_H

#include "env.h"

struct mode_set {
    double freq; /* Hz */
    int n;
    double k[MAX_MODES];     /* horizontal wavenumbers, 1/m, decreasing */
    double alpha[MAX_MODES]; /* attenuation, nepers/m, positive */
    int n_z;
    double dz; /* m between rows of psi */
    double
        *psi; /* psi[row * MAX_MODES + mode] in the water at depth row * dz; unit norm of psi^2/rho over all depths */
};

/* All modes with phase speed below env->c_high. 0, or -1 after complaining. Free with modes_free. Uses no function
   whose last bit may differ between C libraries (only + - * / and sqrt). */
int modes_solve(struct mode_set *set, const struct env *env, double freq);
void modes_free(struct mode_set *set);

/* Value of a mode in the water at depth z (m), linear between rows. */
double modes_value(const struct mode_set *set, int mode, double z);

#endif
