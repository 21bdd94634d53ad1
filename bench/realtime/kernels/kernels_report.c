/* kernels_report.c: rates by the usual counts, ratios round by round. Prints on rank 0 alone. */
#include "kernels_report.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "common/report.h"
#include "fftw.h"

static const double OVER_FFTW = 1.3, OVER_PLAIN = 7;

static bool speaks(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == 0;
}

static const char *compiler_flags(void)
{
#if defined(REALTIME_PLAIN_FLAGS)
    return REALTIME_PLAIN_FLAGS;
#else
    return "as the whole program";
#endif
}

void kernels_report_start(enum simd simd, bool fftw, bool patient, bool text)
{
    const char *planner = patient ? "FFTW_PATIENT" : "FFTW_ESTIMATE";
    if (!fftw && speaks())
        fprintf(stderr,
                "realtime kernels: no libfftw3f.so.3 is installed, so there is no comparison with FFTW; apt install "
                "libfftw3-single3 brings it\n");
    if (text && speaks()) {
        printf("instructions %s, FFTW %s %s, plain C compiled %s\n", simd_name(simd), fftw_version(),
               fftw ? planner : "", compiler_flags());
        printf("%-8s %9s %-9s %9s %9s %9s %7s %7s %7s\n", "kernel", "size", "data", "ours", "FFTW", "plain C", "/FFTW",
               "/plain", "GB/s");
    } else if (!text) {
        report_begin("libraries");
        report_text("simd", simd_name(simd));
        report_text("fftw", fftw_version());
        report_text("planner", fftw ? planner : "");
        report_text("compiler", __VERSION__);
        report_text("plain_flags", compiler_flags());
        report_end();
    }
}

/* Floating-point operations a second; bytes moved where there are none. */
static double rate(const struct contest *c, int runner)
{
    double items = (double)c->race.items;
    return runner < 0 ? 0 : items * (c->flops > 0 ? c->flops : c->bytes) / race_median(&c->race, runner);
}

static double bytes_rate(const struct contest *c, int runner)
{
    return runner < 0 ? 0 : (double)c->race.items * c->bytes / race_median(&c->race, runner);
}

/* The report's gain and more are asked for where it looked: short transforms, new data at every call. */
static bool has_target(const struct contest *c)
{
    if (strcmp(c->set->name, "multiple") != 0)
        return false;
    return (strcmp(c->kernel, "fft") == 0 && c->n >= 8 && c->n <= 64) ||
           (strcmp(c->kernel, "foldfft") == 0 && c->n == 64 && c->f == 8);
}

/* Bytes a second of a program that only moves data, `bytes` of them an item; 0 where it did not run. */
static double bound(const struct contest *c, const char *how, double bytes)
{
    for (int i = 0; i < c->race.n; i++)
        if (c->race.runners[i].team == TEAM_BOUND && strcmp(c->race.runners[i].how, how) == 0)
            return (double)c->race.items * bytes / race_median(&c->race, i);
    return 0;
}

static void print_line(const struct contest *c, const int best[TEAMS], double over_fftw, double over_plain)
{
    char size[32];
    snprintf(size, sizeof size, c->f > 0 ? "%dx%d" : "%d", c->n, c->f);
    printf("%-8s %9s %-9s %9.0f %9.0f %9.0f %7.2f %7.2f %7.1f\n", c->kernel, size, c->set->name,
           rate(c, best[TEAM_OURS]) / 1e6, rate(c, best[TEAM_FFTW]) / 1e6, rate(c, best[TEAM_PLAIN]) / 1e6, over_fftw,
           over_plain, bytes_rate(c, best[TEAM_OURS]) / 1e9);
    fflush(stdout);
}

static void report_team(const struct contest *c, const char *how, const char *mega, const char *giga, int runner)
{
    report_text(how, runner < 0 ? "" : c->race.runners[runner].how);
    report_number(mega, rate(c, runner) / 1e6);
    report_number(giga, bytes_rate(c, runner) / 1e9);
}

static void report_targets(const struct contest *c, bool fftw, double over_fftw, double over_plain)
{
    report_flag("has_target", has_target(c));
    report_number("target_over_fftw", OVER_FFTW);
    report_number("target_over_plain", OVER_PLAIN);
    if (has_target(c) && fftw)
        report_flag("meets_over_fftw", over_fftw >= OVER_FFTW);
    if (has_target(c))
        report_flag("meets_over_plain", over_plain >= OVER_PLAIN);
}

static void report_record(const struct contest *c, const int best[TEAMS], const double over_fftw[3],
                          const double over_plain[3])
{
    const struct race *r = &c->race;
    report_begin("kernel");
    report_text("kernel", c->kernel);
    report_whole("n", c->n);
    report_whole("f", c->f);
    report_text("set", c->set->name);
    report_whole("set_bytes", (long long)(sizeof(float) * r->portions * (r->in_step + r->out_step)));
    report_whole("portion_items", (long long)r->items);
    report_whole("rounds", r->rounds);
    report_text("unit", c->flops > 0 ? "MFLOPS" : "MB/s");
    report_team(c, "ours_how", "ours", "ours_gb_s", best[TEAM_OURS]);
    report_team(c, "fftw_how", "fftw", "fftw_gb_s", best[TEAM_FFTW]);
    report_team(c, "plain_how", "plain", "plain_gb_s", best[TEAM_PLAIN]);
    double in = 4.0 * (double)r->in_floats, out = 4.0 * (double)r->out_floats;
    report_number("read_gb_s", bound(c, "read", in) / 1e9);
    report_number("copied_gb_s", bound(c, "copied", 2 * (in < out ? in : out)) / 1e9);
    report_number("in_place_gb_s", bound(c, "in place", 2 * in) / 1e9);
    report_list("over_fftw", over_fftw, best[TEAM_FFTW] < 0 ? 0 : 3);
    report_list("over_plain", over_plain, 3);
    report_targets(c, best[TEAM_FFTW] >= 0, over_fftw[1], over_plain[1]);
    report_end();
}

void kernels_report(const struct contest *c, bool text)
{
    int best[TEAMS];
    double over_fftw[3] = {0, 0, 0}, over_plain[3];
    for (int team = 0; team < TEAMS; team++)
        best[team] = race_best(&c->race, (enum team)team);
    if (best[TEAM_FFTW] >= 0)
        race_ratio(&c->race, best[TEAM_FFTW], best[TEAM_OURS], over_fftw);
    race_ratio(&c->race, best[TEAM_PLAIN], best[TEAM_OURS], over_plain);
    if (!text)
        report_record(c, best, over_fftw, over_plain);
    else if (speaks())
        print_line(c, best, over_fftw[1], over_plain[1]);
}
