/* The receiving array: phones on a cable that hangs neither straight nor plumb. */
#include "array.h"

#include <math.h>

#define PI 3.14159265358979323846

void array_shape(struct array *array, int n, const double *z, double tilt_deg, double tilt_bearing_deg, double bow_m)
{
    double bearing = tilt_bearing_deg * PI / 180, slope = tan(tilt_deg * PI / 180);
    double top = z[0], bottom = z[n - 1], length = bottom > top ? bottom - top : 1.0;

    array->n = n;
    for (int i = 0; i < n; i++) {
        double lean = slope * (0.5 * (top + bottom) - z[i]); /* about the middle phone: the top goes with the current */
        double bow =
            bow_m * (sin(PI * (z[i] - top) / length) - 2 / PI); /* less its mean: the bow moves no phone on average */

        array->z[i] = z[i];
        array->x[i] = lean * sin(bearing) + bow * cos(bearing);
        array->y[i] = lean * cos(bearing) - bow * sin(bearing);
    }
}
