/* sar.h: images of point targets by a radar that flies past them and looks to its side (strip map): what is there, its echoes, the
 * filters that focus them, and the targets found in the image.
 *
 * Rows are range bins, columns are pulses. f compresses a pulse in range, g a range bin in azimuth. Lengths are metres.
 */
#pragma once

#include "grid.h"

enum { TARGETS_MOST = 64 };

struct target {
    double range_m;   /* from the first range bin */
    double azimuth_m; /* from the first pulse */
    double amplitude;
};

struct scene {
    double wavelength_m, bandwidth_hz, spacing_m; /* spacing: of the pulses along the flight */
    double range_m;                               /* of the first range bin */
    int chirp;                                    /* samples of the transmitted pulse */
    int aperture;                                 /* pulses that see a target */
    double noise; /* standard deviation of either part; an echo has the amplitude of its target */
    int seed;
    int targets;
    struct target target[TARGETS_MOST];
    int line[TARGETS_MOST]; /* of the file; 0: made up */
};

/* What follows from a scene. */
double scene_bin_m(const struct scene *); /* from range bin to range bin: sampled 1.25 times as often as needed */
double scene_range_cell_m(const struct scene *); /* 3 dB width of a focused target */
double scene_azimuth_cell_m(const struct scene *);
double scene_migration_bins(const struct scene *); /* how far an echo moves through the range bins while it is seen */

/* A scene for this shape: Ka band, five targets unless told otherwise. */
struct scene scene_default(const struct shape *);
/* Reads NAME VALUE lines over the defaults; targets of the file replace others. NULL, or a sentence in `wrong`. */
const char *scene_read(struct scene *, const char *file, const char *text, char *wrong, size_t room);
/* Derives what was left open (range 0), and makes up `count` targets where there are none. NULL, or what is wrong. */
const char *scene_complete(struct scene *, const struct shape *, int count, char *wrong, size_t room);
/* NULL, or what does not fit the shape or the method. */
const char *scene_wrong(const struct scene *, const struct shape *, const char *file, char *wrong, size_t room);

/* The chain of a scene, which must outlive it. */
struct chain sar_chain(const struct scene *);

/* ---- the image, rows x columns complex numbers, amplitude of a target = its own -------------------------------------- */

struct peak {
    double range_m, azimuth_m, amplitude;
};
/* The `count` highest places, refined by parabolas through the neighbours; fewer where the image has no more. -1: no memory. */
int image_peaks(const struct scene *, const struct shape *, const float *image, int count, struct peak *);
/* found[i]: the peak nearest to target i, or -1 when there are none; each peak once. */
void peaks_match(const struct scene *, const struct peak *, int count, int *found);
/* NumPy's format, complex64; grey levels over 60 dB. False: errno says why. */
bool image_write_npy(const char *path, const struct shape *, const float *image);
bool image_write_pgm(const char *path, const struct shape *, const float *image);
