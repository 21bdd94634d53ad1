/* mft: matched-field tracking of a towed source. See README.md. */
#include <mpi.h>
#include <stdio.h>

#include "kraken.h"
#include "progress.h"
#include "report.h"
#include "text.h"

enum { SURFACES = 4, EXIT_WRONG = 1, EXIT_INPUT = 2 };

static struct scene scene; /* too large for the stack of a small machine */
static struct surface surfaces[SURFACES];

/* Three range-depth surfaces over the event and one plan, at the middle of the track. Returns how many. */
static int make_surfaces(const struct search_result *result, const struct search_plan *plan, const struct share *share)
{
    int n = scene.data.n_snapshots;

    for (int i = 0; i < SURFACES; i++) {
        int snapshot = i < SURFACES - 1 ? (2 * i + 1) * n / (2 * (SURFACES - 1)) : n / 2;
        struct source found = search_at(result, plan, scene.data.t[snapshot]);

        if (i < SURFACES - 1)
            surface_range_depth(&surfaces[i], &scene, found, snapshot, share->rank, share->size);
        else
            surface_plan(&surfaces[i], &scene, found, snapshot, share->rank, share->size);
    }
    return SURFACES;
}

/* Rank 0 learns the mean of the ranks' time within Allgather. */
static void gather_timing(struct timing *timing, const struct share *share, double search_s)
{
    double sum = 0;

    MPI_Reduce(&share->communicating_s, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    timing->ranks = share->size;
    timing->search_s = search_s;
    timing->communicating_s = sum / share->size;
    timing->computing_s = search_s - timing->communicating_s;
    timing->allgathers = share->calls;
}

static int track_source(const struct options *options, struct share *share)
{
    struct search_plan plan = {
        (int)options->steps, (int)options->hypotheses, (int)options->slice,    scene.n_legs, scene.start_s,
        scene.leg_s,         options->speed_max,       (uint64_t)options->seed};
    struct search_result result;
    struct findings findings = {
        .options = options, .scene = &scene, .plan = &plan, .result = &result, .surface = surfaces};
    struct progress progress;
    double started;
    int failed = 0;

    progress_start(&progress, share->rank == 0);
    MPI_Barrier(MPI_COMM_WORLD);
    started = MPI_Wtime();
    findings.timing.setup_s = started - share->started_s;
    search_run(&result, &plan, &scene.replicas, &scene.data, share, progress_step, &progress);
    gather_timing(&findings.timing, share, MPI_Wtime() - started);
    findings.n_surfaces = make_surfaces(&result, &plan, share);
    if (share->rank == 0) {
        report_table(&findings);
        failed = report_write(&findings, options->output);
    }
    MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return failed ? EXIT_INPUT : 0;
}

static int run(const struct options *options, struct share *share)
{
    int status;

    if (scene_init(&scene, options, share->rank))
        status = EXIT_INPUT;
    else
        status = track_source(options, share);
    scene_fini(&scene);
    return status;
}

/* The check needs one rank only; the others learn its verdict, so that all exit alike. */
static int check_modes(const struct options *options, int rank)
{
    int status = 0;

    if (rank == 0)
        status = kraken_check(options->data, "kraken-388hz.env", "kraken-388hz.prt");
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return status < 0 ? EXIT_INPUT : status ? EXIT_WRONG : 0;
}

int main(int argc, char **argv)
{
    struct options options;
    struct share share;
    int status = EXIT_INPUT;

    MPI_Init(&argc, &argv);
    if (share_init(&share) == 0) {
        complain_mute(share.rank != 0);
        if (options_read(&options, argc, argv) == 0) {
            status = 0;
            if (options.help && share.rank == 0)
                options_help();
            if (!options.help)
                status = options.check_modes ? check_modes(&options, share.rank) : run(&options, &share);
        }
        share_fini(&share);
    }
    MPI_Finalize();
    return status;
}
