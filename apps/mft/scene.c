/* All that the search works on. */
#include "scene.h"

#include <math.h>
#include <mpi.h>
#include <string.h>

#include "text.h"

/* The deep source's tones of 158 dB. */
const double scene_tones[SCENE_TONES] = {49, 64, 79, 94, 112, 130, 148, 166, 201, 235, 283, 338, 388};
const double scene_ref_range = 5000;

static const double event_s = 75 * 60;
static const double r_min = 200,
                    r_max = 10000; /* hypotheses, m; the environment file states 10 km as its greatest range */

/* In pieces, so that an MPI with small buffers can carry it. */
static void broadcast(void *buffer, size_t bytes)
{
    enum { PIECE = 8192 };
    char *at = buffer;

    for (; bytes > PIECE; bytes -= PIECE, at += PIECE)
        MPI_Bcast(at, PIECE, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Bcast(at, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

/* Makes rank 0's verdict everybody's. */
static int agree(int status)
{
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return status;
}

static int agree_all(int status)
{
    int worst;

    MPI_Allreduce(&status, &worst, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return worst;
}

static int read_files(struct scene *scene, const struct options *options)
{
    static const char *const logs[] = {"sproul-gps-05-10-96.txt", "sproul-gps-05-11-96.txt"};

    if (env_read(&scene->measured, options->data, "kraken-388hz.env"))
        return -1;
    scene->modelled = scene->measured;
    if (env_use_ctd(&scene->measured, options->data, "ctd-i9605.prn"))
        return -1;
    if (!options->mismatch)
        scene->modelled = scene->measured;
    return track_read(&scene->track, options->data, logs, 2, event_s);
}

static int make_replicas(struct scene *scene)
{
    struct replica_set *set = &scene->replicas;
    struct mode_set modes;
    int status = 0;

    set->r_min = r_min;
    set->r_max = r_max;
    set->z_max = scene->modelled.layer[0].depth - 10; /* a towed source keeps clear of the sea bed */
    for (int i = 0; i < set->n_tones && status == 0; i++) {
        status = modes_solve(&modes, &scene->modelled, scene_tones[i]);
        if (status == 0)
            status = replica_init(&set->tone[i], &modes, &set->array);
        modes_free(&modes);
    }
    return status;
}

static int measure(struct scene *scene, const struct options *options)
{
    struct mode_set modes[SCENE_TONES] = {{0}};
    struct noise noise = {options->snr_db, scene_ref_range, (uint64_t)options->seed};
    int status = 0;

    for (int i = 0; i < scene->data.n_tones && status == 0; i++)
        status = modes_solve(&modes[i], &scene->measured, scene_tones[i]);
    for (int i = 0; i < scene->data.n_snapshots && status == 0; i++) {
        struct source at = {0, 0, options->source_depth};

        track_at(&scene->track, scene->data.t[i], &at.x, &at.y);
        field_measure(&scene->data, i, modes, &scene->replicas.array, at, noise);
    }
    for (int i = 0; i < SCENE_TONES; i++)
        modes_free(&modes[i]);
    return status;
}

static int make_data(struct scene *scene, const struct options *options, int rank)
{
    struct data *data = &scene->data;
    int n = (int)floor(scene->n_legs * scene->leg_s / options->snapshot_s + 1e-9) + 1;

    if (agree_all(data_alloc(data, scene->replicas.n_tones, n)))
        return -1;
    for (int i = 0; i < n; i++)
        data->t[i] = scene->start_s + i * options->snapshot_s;
    if (agree(rank == 0 ? measure(scene, options) : 0))
        return -1;
    broadcast(data->sample, (size_t)n * (size_t)data->n_tones * sizeof *data->sample);
    return 0;
}

int scene_init(struct scene *scene, const struct options *options, int rank)
{
    memset(scene, 0, sizeof *scene);
    scene->replicas.n_tones = (int)options->tones;
    scene->start_s = options->from_min * 60;
    scene->leg_s = options->leg_min * 60;
    scene->n_legs = (int)floor((options->to_min - options->from_min) / options->leg_min + 1e-9);
    if (agree(rank == 0 ? read_files(scene, options) : 0))
        return -1;
    broadcast(&scene->measured, sizeof scene->measured);
    broadcast(&scene->modelled, sizeof scene->modelled);
    broadcast(&scene->track, sizeof scene->track);
    array_shape(&scene->replicas.array, scene->measured.n_phones, scene->measured.phone_z, options->tilt_deg,
                options->tilt_bearing_deg, options->bow_m);
    if (agree_all(make_replicas(scene)))
        return -1;
    return make_data(scene, options, rank);
}

void scene_fini(struct scene *scene)
{
    for (int i = 0; i < SCENE_TONES; i++)
        replica_fini(&scene->replicas.tone[i]);
    data_free(&scene->data);
}
