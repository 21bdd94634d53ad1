/* kernels.c: `realtime kernels`: block transforms, foldfft and the corner turn in memory, each against FFTW and plain C in one run.
 * Every rank does the same at the same time; rank 0 reports its own. */
#include "realtime.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cases.h"
#include "common/clock.h"
#include "common/options.h"
#include "common/report.h"
#include "fftw.h"
#include "kernels_report.h"

static const double AGREEMENT = 1e-5; /* of the largest number: for results computed in another order */
enum { ROUNDS_LEAST = 9 };

struct wishes {
    const char *fft, *fold, *turn, *sets, *simd;
    double seconds, planning_s;
    double memory_mib;
    bool estimate, text;
};

static const struct wishes usual = {
    .fft = "8,16,32,64,512,1024,2048,4096,8192",
    .fold = "64x8,128x16,256x32,16x16,64x64,512x512",
    .turn = "64x64,512x512,1000x1000",
    .sets = "repeated,multiple",
    .simd = "best",
    .seconds = 1,
    .planning_s = 5,
};

static bool read_options(struct wishes *w, int *argc, char **argv, char *wrong, size_t room)
{
    const struct option_spec specs[] = {
        {"fft", OPT_TEXT, &w->fft, 0, 0, "points of block transforms, or none (8,16,32,64,512,1024,2048,4096,8192)"},
        {"fold", OPT_TEXT, &w->fold, 0, 0, "sizes NxF of foldfft, or none (64x8,128x16,256x32,16x16,64x64,512x512)"},
        {"turn", OPT_TEXT, &w->turn, 0, 0, "rows x columns of corner turns, or none (64x64,512x512,1000x1000)"},
        {"sets", OPT_TEXT, &w->sets, 0, 0,
         "where the data are: repeated, second (cache), third, multiple (repeated,multiple)"},
        {"memory", OPT_REAL, &w->memory_mib, 0, 65536,
         "MiB of input of the set `multiple`; 0: four times the largest cache (0)"},
        {"simd", OPT_TEXT, &w->simd, 0, 0, "instruction set of our kernels: best (default), base, avx2, avx512"},
        {"seconds", OPT_REAL, &w->seconds, 0, 3600, "of rounds, for each size and set (1)"},
        {"planning", OPT_REAL, &w->planning_s, 0, 3600, "seconds that FFTW may look for each plan (5)"},
        {"estimate", OPT_FLAG, &w->estimate, 0, 0, "FFTW does not search (quick, and no fair race)"},
        {"text", OPT_FLAG, &w->text, 0, 0, "a table instead of JSON lines"},
    };
    if (!options_read("kernels", specs, sizeof specs / sizeof specs[0], argc, argv, wrong, room))
        return false;
    if (*argc > 1)
        snprintf(wrong, room, "%s is not understood; see --help", argv[1]);
    return *argc == 1;
}

static bool read_simd(const char *name, enum simd *simd, char *wrong, size_t room)
{
    for (int i = 0; i < SIMD_KINDS; i++)
        if (strcmp(name, simd_name((enum simd)i)) == 0 && simd_has((enum simd)i)) {
            *simd = simd_choose((enum simd)i);
            return true;
        }
    snprintf(wrong, room, "--simd %s: this processor has no such instruction set or it is unknown; write best", name);
    return false;
}

static bool contest_make(struct contest *c, const struct size_case *s)
{
    if (s->kernel == CASE_FFT)
        return contest_fft(c, s->n);
    return s->kernel == CASE_FOLD ? contest_fold(c, s->n, s->f) : contest_turn(c, s->n, s->f);
}

/* 0 good, 1 a result is wrong, 2 not enough memory. */
static int race_one(struct contest *c, const struct size_case *s, const struct wishes *w)
{
    int which = -1, status = 0;
    if (!contest_make(c, s)) {
        fprintf(stderr, "realtime kernels: not enough memory for %dx%d on the set %s; give a smaller --memory\n", s->n,
                s->f, c->set->name);
        status = 2;
    } else if (!race_agrees(&c->race, c->reference, AGREEMENT, &which)) {
        fprintf(stderr, "realtime kernels: %s of %d, %d: the result of runner %d, %s, is wrong\n", c->kernel, c->n,
                c->f, which, c->race.runners[which].how);
        status = 1;
    } else {
        race_run(&c->race, w->seconds, ROUNDS_LEAST);
        kernels_report(c, w->text);
    }
    contest_free(c);
    return status;
}

static void print_progress(int done, int all)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && isatty(2))
        fprintf(stderr, done < all ? "\rkernels: %d of %d " : "\r                         \r", done, all);
}

static int race_all(const struct cases *cases, const struct wishes *w, enum simd simd, bool fftw)
{
    static struct contest contest; /* its times are too many for a small stack */
    int worst = 0, all = cases->n * cases->n_sets;
    for (int i = 0; i < all; i++) {
        contest = (struct contest){.set = cases->sets[i / cases->n], .simd = simd, .fftw = fftw};
        print_progress(i, all);
        int status = race_one(&contest, &cases->sizes[i % cases->n], w);
        worst = status > worst ? status : worst;
    }
    print_progress(all, all);
    return worst;
}

int realtime_kernels(int argc, char **argv)
{
    struct wishes w = usual;
    struct cases cases = {.n = 0};
    struct clock clock;
    enum simd simd = SIMD_BEST;
    char wrong[400] = "", *all[64];
    int given = argc < 64 ? argc : 64;
    memcpy(all, argv, sizeof *all * (size_t)given);
    if (!read_options(&w, &argc, argv, wrong, sizeof wrong) || !read_simd(w.simd, &simd, wrong, sizeof wrong) ||
        !cases_read(&cases, CASE_FFT, w.fft, wrong, sizeof wrong) ||
        !cases_read(&cases, CASE_FOLD, w.fold, wrong, sizeof wrong) ||
        !cases_read(&cases, CASE_TURN, w.turn, wrong, sizeof wrong) ||
        !cases_read_sets(&cases, w.sets, w.memory_mib * (1 << 20), wrong, sizeof wrong))
        return refuse(argv[0], wrong);
    if (cases.n == 0)
        return refuse(argv[0], "--fft, --fold and --turn are all none: leave one out, or name sizes");
    clock_agree(&clock, MPI_COMM_WORLD);
    if (clock.is_virtual)
        return refuse(argv[0],
                      "on a simulated machine computing takes no time but what is declared; run it without --machine");
    bool fftw = fftw_open();
    if (fftw)
        fftw_patience(w.planning_s, !w.estimate);
    if (!w.text)
        report_environment(&clock, given, all);
    kernels_report_start(simd, fftw, !w.estimate, w.text);
    return race_all(&cases, &w, simd, fftw);
}
