/* The ocean as layers of fluid over a half-space, read from a KRAKEN environment file and a CTD cast. */
#ifndef MFT_ENV_H
#define MFT_ENV_H

#include "limits.h"

struct layer {
    int n_mesh;                /* mesh intervals the file asks for at its frequency */
    double depth;              /* of the lower boundary, m */
    int n;                     /* points of the profile */
    double z[MAX_PROFILE];     /* m, increasing */
    double c[MAX_PROFILE];     /* sound speed, m/s; linear between points */
    double rho[MAX_PROFILE];   /* g/cm3 */
    double atten[MAX_PROFILE]; /* dB/(m kHz) */
};

struct env {
    double freq; /* Hz, the frequency the mesh was chosen for */
    int n_layers;
    struct layer layer[MAX_LAYERS]; /* layer[0] is the water */
    double basement_c, basement_rho, basement_atten;
    double c_high; /* modes of a higher phase speed are left out, m/s */
    int n_phones;
    double phone_z[MAX_PHONES]; /* m */
};

/* Reads the environment file, checking every count and order. 0, or -1 after complaining. */
int env_read(struct env *env, const char *folder, const char *name);

/* Replaces the water's sound speed by a CTD cast. Below the cast's last sample its speed is kept to the sea bed. */
int env_use_ctd(struct env *env, const char *folder, const char *name);

/* Linear interpolation of one column of the layer at depth z (m). */
double layer_value(const struct layer *layer, const double *column, double z);

#endif
