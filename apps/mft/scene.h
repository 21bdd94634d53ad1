/* All that the search works on: ocean, array, true track, measured data. Files are read by rank 0 only and broadcast. */
#ifndef MFT_SCENE_H
#define MFT_SCENE_H

#include "field.h"
#include "options.h"
#include "track.h"

struct scene {
    struct env measured; /* the ocean the data is synthesised in: CTD cast over the file's sea bed */
    struct env modelled; /* the ocean the search believes in */
    struct track track;  /* the truth; used for the data and for the error, never by the search */
    struct replica_set replicas;
    struct data data;
    double start_s;
    double leg_s;
    int n_legs;
};

extern const double scene_tones[]; /* Hz; the search hears the first replicas.n_tones */
enum { SCENE_TONES = 13 };

/* Distance at which --snr holds, m. */
extern const double scene_ref_range;

/* Collective. 0, or -1 on all ranks after rank 0 complained. Free with scene_fini in either case. */
int scene_init(struct scene *scene, const struct options *options, int rank);
void scene_fini(struct scene *scene);

#endif
