/* measure.c: all patterns asked for, one after the other; a JSON line each. */
#include <mpi.h>
#include <stdlib.h>

#include "measure.h"

const struct pattern measure_patterns[] = {
    {"pingpong", OF_PAIR, measure_pingpong},
    {"once", OF_PAIR | FROM_ZERO | ALONE, measure_once},
    {"send-overhead", OF_PAIR | ALONE, measure_send_overhead},
    {"recv-overhead", OF_PAIR | ALONE, measure_recv_overhead},
    {"gap", OF_PAIR, measure_gap},
    {"adjacent", 0, measure_adjacent},
    {"exchange", OF_PAIR, measure_exchange},
    {"bcast", ALONE, measure_bcast},
    {"allgather", ALONE, measure_allgather},
    {"allgather-in-place", ALONE, measure_allgather_in_place},
    {"scatter", ALONE, measure_scatter},
    {"gather", ALONE, measure_gather},
    {"reduce", ALONE, measure_reduce},
    {"allreduce", ALONE, measure_allreduce},
    {"alltoall", ALONE, measure_alltoall},
    {"barrier", ALONE | UNSIZED, measure_barrier},
    {"barriers", UNSIZED, measure_barriers},
    {"copy", LOCAL | HOST_ONLY, measure_copy},
    {"combine", LOCAL, measure_combine},
    {NULL, 0, NULL},
};

/* Patterns without a pair need room for a block of each rank at most. */
static size_t room_for(const struct wishes *w, int ranks)
{
    size_t most = 0, blocks = 1;
    for (int i = 0; i < w->sizes; i++)
        most = (size_t)w->bytes[i] > most ? (size_t)w->bytes[i] : most;
    for (int i = 0; i < w->patterns; i++)
        if (!(measure_patterns[w->pattern[i]].kind & (OF_PAIR | LOCAL | UNSIZED)))
            blocks = (size_t)ranks;
    return most * blocks;
}

static void one(struct place *p, const struct wishes *w, struct job *job, double *samples)
{
    int late, n = repeat(p, w, job, samples, &late);
    report(p, w, job, samples, n, late);
}

static void sized(struct place *p, const struct wishes *w, struct job *job, double *samples)
{
    if (!(job->pattern->kind & OF_PAIR)) {
        one(p, w, job, samples);
        return;
    }
    const char *pairs = w->pairs ? w->pairs : job->pattern->kind & FROM_ZERO ? "from-0" : "0-1";
    for (int at = 0; wishes_pair(p, pairs, &at, &job->pair);)
        one(p, w, job, samples);
}

static void measure(struct place *p, const struct wishes *w, const struct pattern *pattern, double *samples)
{
    struct job job = {.pattern = pattern};
    if (p->virtual_clock && pattern->kind & HOST_ONLY)
        return;
    if (pattern->kind & UNSIZED) {
        one(p, w, &job, samples);
        return;
    }
    for (int i = 0; i < w->sizes; i++) {
        job.bytes = w->bytes[i];
        sized(p, w, &job, samples);
    }
}

/* All ranks have found the same mistake, and one tells it. */
static _Noreturn void refuse(int rank, const char *why)
{
    if (rank != 0)
        MPI_Barrier(MPI_COMM_WORLD);
    place_give_up(why);
}

int main(int argc, char **argv)
{
    struct wishes wishes;
    struct place place;
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const char *wrong = wishes_read(&wishes, argc, argv);
    if (wrong)
        refuse(rank, wrong);
    if (ranks < 2)
        refuse(rank, "at least two ranks; start it as in mpiexec -n 2");
    place_init(&place, room_for(&wishes, ranks), wishes.pin);
    if (wishes.pairs && !wishes_pairs_good(&place, wishes.pairs))
        refuse(rank, "--pairs wants all, from-0, or two of the ranks each, as in 0-1,0-2");
    double *samples = malloc(2 * (size_t)wishes.reps * sizeof *samples);
    if (!samples)
        place_give_up("no memory for so many samples; ask for fewer with --reps");
    report_run(&place);
    for (int i = 0; i < wishes.patterns; i++)
        measure(&place, &wishes, &measure_patterns[wishes.pattern[i]], samples);
    free(samples);
    place_fini(&place);
    MPI_Finalize();
    return 0;
}
