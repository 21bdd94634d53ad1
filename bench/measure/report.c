/* report.c: JSON lines on the standard output of rank 0. The printf of a board has no %f. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "measure.h"

/* Microseconds to the nearest picosecond. Half of what 64 bits hold are 53 days. */
static void print_us(double seconds)
{
    long long ps = (long long)(seconds * 1e12 + (seconds < 0 ? -0.5 : 0.5));
    unsigned long long size = ps < 0 ? 0 - (unsigned long long)ps : (unsigned long long)ps;
    printf("%s%lu.%06lu", ps < 0 ? "-" : "", (unsigned long)(size / 1000000), (unsigned long)(size % 1000000));
}

void report_run(const struct place *p)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int len;
    if (p->rank != 0)
        return;
    MPI_Get_library_version(library, &len);
    library[strcspn(library, "\"\\\r\n\t")] = '\0';
    printf("{\"record\": \"run\", \"ranks\": %d, \"virtual_clock\": %s, \"library\": \"%s\", \"clock_resolution_us\": ",
           p->ranks, p->virtual_clock ? "true" : "false", library);
    print_us(MPI_Wtick());
    printf("}\n");
    fflush(stdout);
}

static void print_samples(const double *samples, int n)
{
    printf(", \"samples_us\": [");
    for (int i = 0; i < n; i++) {
        printf("%s", i ? ", " : "");
        print_us(samples[i]);
    }
    printf("]");
}

static void print_pair(const struct place *p, const struct pair *pair)
{
    printf(", \"source\": %d, \"destination\": %d, \"hops\": %d", pair->source, pair->destination,
           (pair->destination - pair->source + p->ranks) % p->ranks);
}

static void print_summary(const struct summary *s)
{
    const struct {
        const char *name;
        double seconds;
    } times[] = {
        {"us", s->median}, {"low_us", s->low}, {"high_us", s->high}, {"least_us", s->least}, {"most_us", s->most}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        printf(", \"%s\": ", times[i].name);
        print_us(times[i].seconds);
    }
}

void report(const struct place *p, const struct wishes *w, const struct job *job, double *samples, int n, int late)
{
    if (p->rank != 0)
        return;
    printf("{\"record\": \"measurement\", \"pattern\": \"%s\", \"ranks\": %d, \"bytes\": %d", job->pattern->name,
           p->ranks, job->bytes);
    if (job->pattern->kind & OF_PAIR)
        print_pair(p, &job->pair);
    struct summary s = summarize(samples, n, w->confidence);
    print_summary(&s);
    /* Equal samples of a clock that gives the same in every run leave no doubt. */
    bool certain = s.confidence >= w->confidence || (p->virtual_clock && n == 2);
    long share = (long)((certain ? w->confidence : s.confidence) * 1e4 + 0.5);
    printf(", \"confidence\": %ld.%04ld, \"repetitions\": %d, \"outliers\": %d, \"late\": %d", share / 10000,
           share % 10000, n, s.outliers, late);
    if (w->samples)
        print_samples(samples, n);
    printf("}\n");
    fflush(stdout);
}
