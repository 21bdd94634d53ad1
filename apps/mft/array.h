/* The receiving array: phones on a cable that hangs neither straight nor plumb. */
#ifndef MFT_ARRAY_H
#define MFT_ARRAY_H

#include "limits.h"

struct array {
    int n;
    double x[MAX_PHONES], y[MAX_PHONES]; /* horizontal offset from the array's nominal position, m east and north */
    double z[MAX_PHONES];                /* m below the surface */
};

/* A current leans the cable by tilt_deg towards tilt_bearing_deg and bows it, as a half sine between the outer phones,
   by bow_m at right angles (clockwise). The lean fixes bearing up to a reflection; the bow decides between the two. */
void array_shape(struct array *array, int n, const double *z, double tilt_deg, double tilt_bearing_deg, double bow_m);

#endif
