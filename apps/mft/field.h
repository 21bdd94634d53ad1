/* Pressure on the array: what is measured, what a hypothetical source would cause, and how alike the two are. */
#ifndef MFT_FIELD_H
#define MFT_FIELD_H

#include <stdint.h>

#include "array.h"
#include "modes.h"

/* One tone's modes arranged for computing many replicas. */
struct replica {
    int n; /* modes */
    double k_ref;
    double dk[MAX_MODES];                      /* k - k_ref, 1/m */
    double alpha[MAX_MODES];                   /* 1/m */
    float phone[MAX_PHONES / 8][MAX_MODES][8]; /* psi at the phones, in blocks of eight */
    int n_z;
    double dz;
    float *source; /* source[row * MAX_MODES + mode]: psi / sqrt(k) at depth row * dz */
};

struct replica_set {
    int n_tones;
    struct array array;
    double r_min, r_max; /* domain of hypotheses, m */
    double z_max;        /* m */
    struct replica tone[MAX_TONES];
};

/* Measured pressure of one tone in one snapshot, scaled to unit energy over the phones. */
struct sample {
    float re[MAX_PHONES], im[MAX_PHONES];
};

struct data {
    int n_tones, n_snapshots;
    double *t;             /* s */
    struct sample *sample; /* sample[snapshot * n_tones + tone] */
};

struct source {
    double x, y, z; /* m */
};

/* How the noise is set. Its power is the same at all times and phones; for each tone it lies snr_db below the power,
   averaged over the phones and over interference (incoherent sum of modes), of the source at ref_range. */
struct noise {
    double snr_db;
    double ref_range; /* m */
    uint64_t seed;
};

int data_alloc(struct data *data, int n_tones, int n_snapshots); /* 0, or -1 after complaining */
void data_free(struct data *data);

/* Fills one snapshot with the pressure of a source at `at` plus noise. Phones stand at their exact slant position. */
void field_measure(struct data *data, int snapshot, const struct mode_set *modes, const struct array *array,
                   struct source at, struct noise noise);

/* Takes what replicas need from the modes, which may be freed afterwards. 0, or -1 after complaining. */
int replica_init(struct replica *replica, const struct mode_set *modes, const struct array *array);
void replica_fini(struct replica *replica);

/* Bartlett's power |w'd|^2/(w'w d'd), mean over tones first..last-1: 1 is a perfect match, 0 none or out of the domain.
   Pure but for telling a simulated machine of its work; only + - * / and sqrt, so the same bits on any IEEE machine. */
double field_match(const struct replica_set *set, const struct data *data, int snapshot, struct source at, int first,
                   int last);

#endif
