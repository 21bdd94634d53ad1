/* sar_report.c: the targets of an image beside the true ones, from the sink to rank 0, which prints them. */
#include "run.h"
#include "common/report.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct finding {
    int peaks, found[TARGETS_MOST];
    struct peak peak[TARGETS_MOST];
    uint64_t sum;
    enum { ALL_DONE, NO_PEAKS, NO_NPY, NO_PGM } failed;
    int error; /* errno of what failed */
};

static void find(const struct wishes *w, const struct scene *s, const float *image, struct finding *f)
{
    f->peaks = image_peaks(s, &w->shape, image, s->targets, f->peak);
    errno = 0;
    f->failed = f->peaks < 0                                           ? NO_PEAKS
                : w->npy && !image_write_npy(w->npy, &w->shape, image) ? NO_NPY
                : w->pgm && !image_write_pgm(w->pgm, &w->shape, image) ? NO_PGM
                                                                       : ALL_DONE;
    f->error = errno ? errno : EIO;
    peaks_match(s, f->peak, f->peaks, f->found);
    f->sum = checksum(image, 2 * (size_t)w->shape.rows * (size_t)w->shape.columns);
}

/* Everything that is known of a target side by side; what was not found is no number. */
struct columns {
    double true_range[TARGETS_MOST], true_azimuth[TARGETS_MOST], range[TARGETS_MOST], azimuth[TARGETS_MOST];
    double amplitude[TARGETS_MOST], true_amplitude[TARGETS_MOST], error[TARGETS_MOST];
};

/* The error is the larger of the two directions', each in its resolution cells. */
static double fill(const struct scene *s, const struct finding *f, struct columns *c)
{
    double worst = 0;
    for (int i = 0; i < s->targets; i++) {
        struct peak none = {NAN, NAN, NAN}, p = f->found[i] >= 0 ? f->peak[f->found[i]] : none;
        c->true_range[i] = s->target[i].range_m;
        c->true_azimuth[i] = s->target[i].azimuth_m;
        c->true_amplitude[i] = s->target[i].amplitude;
        c->range[i] = p.range_m;
        c->azimuth[i] = p.azimuth_m;
        c->amplitude[i] = p.amplitude;
        c->error[i] = fmax(fabs(p.range_m - c->true_range[i]) / scene_range_cell_m(s),
                           fabs(p.azimuth_m - c->true_azimuth[i]) / scene_azimuth_cell_m(s));
        worst = f->found[i] < 0 ? HUGE_VAL : fmax(worst, c->error[i]);
    }
    return worst;
}

static void print(const struct wishes *w, const struct scene *s, const struct finding *f, const struct columns *c,
                  double worst)
{
    char sum[20];
    snprintf(sum, sizeof sum, "%016llx", (unsigned long long)f->sum);
    report_begin("sar");
    report_whole("rows", w->shape.rows);
    report_whole("columns", w->shape.columns);
    report_number("wavelength_m", s->wavelength_m);
    report_number("bandwidth_hz", s->bandwidth_hz);
    report_number("range_m", s->range_m);
    report_whole("chirp", s->chirp);
    report_whole("aperture", s->aperture);
    report_number("noise", s->noise);
    report_number("bin_m", scene_bin_m(s));
    report_number("spacing_m", s->spacing_m);
    report_number("range_cell_m", scene_range_cell_m(s));
    report_number("azimuth_cell_m", scene_azimuth_cell_m(s));
    report_number("migration_bins", scene_migration_bins(s));
    report_whole("targets", s->targets);
    report_list("true_range_m", c->true_range, s->targets);
    report_list("true_azimuth_m", c->true_azimuth, s->targets);
    report_list("true_amplitude", c->true_amplitude, s->targets);
    report_list("found_range_m", c->range, s->targets);
    report_list("found_azimuth_m", c->azimuth, s->targets);
    report_list("found_amplitude", c->amplitude, s->targets);
    report_list("error_cells", c->error, s->targets);
    report_number("worst_error_cells", worst);
    report_flag("focused", worst < 0.5);
    report_text("checksum", sum);
    report_end();
}

const char *sar_report(const struct wishes *w, const struct scene *s, const float *image, bool *good, char *wrong,
                       size_t room)
{
    static struct finding f;
    static struct columns c;
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank == ranks - 1)
        find(w, s, image, &f);
    MPI_Bcast(&f, (int)sizeof f, MPI_BYTE, ranks - 1, MPI_COMM_WORLD);
    if (f.failed == NO_PEAKS)
        snprintf(wrong, room, "no memory to find the targets in the image; ask for a smaller one");
    else if (f.failed)
        snprintf(wrong, room, "cannot write the image to %.200s: %s", f.failed == NO_NPY ? w->npy : w->pgm,
                 strerror(f.error));
    if (f.failed)
        return wrong;
    double worst = fill(s, &f, &c);
    if (rank == 0)
        print(w, s, &f, &c, worst);
    *good = worst < 0.5;
    return NULL;
}
