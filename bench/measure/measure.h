/* measure.h: the measurements of `mpico bench`: where they are taken, what they are, how one is repeated.
 *
 * Plain MPI: the program runs on any launcher and on boards. Time is MPI_Wtime; on a simulated machine it is virtual, and
 * the same in every run. docs/measuring.md has the definition of every pattern.
 */
#ifndef MEASURE_H
#define MEASURE_H

#include <stdbool.h>
#include <stddef.h>

enum { LIST_MOST = 64, SAMPLES_MOST = 1000, TAG = 1, TAG_DONE = 2 };

struct pair {
    int source, destination;
};

/* What the arguments ask for. */
struct wishes {
    int patterns, pattern[LIST_MOST]; /* how many, and their numbers in measure_patterns[] */
    int sizes, bytes[LIST_MOST];
    const char *pairs; /* as written; NULL: each pattern's own */
    int reps;          /* at most so many samples of a measurement */
    double confidence; /* of the median's interval */
    double width;      /* an interval narrower than this share of the median is good enough */
    double budget_s;   /* of a measurement, however wide the interval is then */
    bool samples;      /* print them too */
    bool pin;          /* ranks to processors */
};

/* Where it runs. */
struct place {
    int rank, ranks;
    bool virtual_clock; /* declared computation takes time: a simulated machine */
    double flops_per_s; /* of declared computation, where it does */
    double offset_s;    /* this rank's clock less rank 0's; 0 where it is one clock */
    double lead_s;      /* from the agreement on a moment to that moment */
    double lead_most_s; /* it grows to this where a rank would be late */
    double clock_s;     /* what one reading of the clock takes; 0 on a virtual clock */
    size_t room;        /* bytes of each buffer */
    char *out, *in;
};

/* One measurement. */
struct job {
    const struct pattern *pattern;
    int bytes;
    struct pair pair;
    int batch;      /* operations in one sample */
    double quiet_s; /* pairs: a time in which a message has long arrived and nothing is on its way any more */
};

enum {
    OF_PAIR = 1,   /* between a source and a destination */
    UNSIZED = 2,   /* carries no bytes */
    FROM_ZERO = 4, /* unless told otherwise, from rank 0 to each other one; else only from 0 to 1 */
    ALONE = 8,     /* no batches: every sample is one operation */
    LOCAL = 16,    /* on rank 0 alone */
    HOST_ONLY = 32 /* takes no time on a simulated machine */
};

struct pattern {
    const char *name;
    unsigned kind;
    /* All ranks call it; each returns its own seconds for one operation, 0 where it has no part. The sample is the largest. */
    double (*take)(const struct place *, const struct job *);
};

extern const struct pattern measure_patterns[]; /* ends with a name that is NULL */

double measure_pingpong(const struct place *, const struct job *);
double measure_once(const struct place *, const struct job *);
double measure_gap(const struct place *, const struct job *);
double measure_adjacent(const struct place *, const struct job *);
double measure_exchange(const struct place *, const struct job *);
double measure_send_overhead(const struct place *, const struct job *);
double measure_recv_overhead(const struct place *, const struct job *);
double measure_bcast(const struct place *, const struct job *);
double measure_allgather(const struct place *, const struct job *);
double measure_allgather_in_place(const struct place *, const struct job *);
double measure_scatter(const struct place *, const struct job *);
double measure_gather(const struct place *, const struct job *);
double measure_reduce(const struct place *, const struct job *);
double measure_allreduce(const struct place *, const struct job *);
double measure_alltoall(const struct place *, const struct job *);
double measure_barrier(const struct place *, const struct job *);
double measure_barriers(const struct place *, const struct job *);
double measure_copy(const struct place *, const struct job *);
double measure_combine(const struct place *, const struct job *);

/* Reads the arguments. NULL, or a sentence that says what is wrong; in memory that lasts. */
const char *wishes_read(struct wishes *, int argc, char **argv);
/* The next pair of the list, from *at on, which moves; false at its end. "all", "from-0", or as "0-1,0-2". */
bool wishes_pair(const struct place *, const char *pairs, int *at, struct pair *);
/* Every pair of the list is one of two of these ranks, and there is one. */
bool wishes_pairs_good(const struct place *, const char *pairs);

/* After MPI_Init; `pin` as place_pin(). Blocks: agrees on clocks and on how long an agreement takes. */
void place_init(struct place *, size_t room, bool pin);
void place_fini(struct place *);
/* Binds each rank to a processor of its own, if there are as many and the system can. */
void place_pin(const struct place *);
/* Blocks until all ranks have called. Returns a moment that is the same for all, by this rank's own clock, a while ahead. */
double place_agree(const struct place *);
/* Computes until that moment, outside the library. */
void place_until(const struct place *, double when_s);
/* The same, and notes by how much this rank was late: a common start is one only if nobody was. */
void place_start(const struct place *, double when_s);
double place_late(void);
/* The while ahead: four times as long, or half as long, within limits. */
void place_lengthen(struct place *);
void place_shorten(struct place *);
/* Computes for so long; on a virtual clock only. */
void place_work(const struct place *, double seconds);
/* The largest over ranks, on every rank. */
double place_slowest(double mine_s);
/* Ends the job, saying why. */
_Noreturn void place_give_up(const char *why);

/* What samples say. The samples are sorted when this returns; n is from 1 to SAMPLES_MOST. Seconds. */
struct summary {
    double median, low, high, least, most;
    double confidence; /* the probability that the interval holds the true median */
    int outliers;      /* samples beyond 1.5 interquartile ranges outside the quartiles */
};
struct summary summarize(double *samples, int n, double confidence);

/* Takes samples until the interval is narrow enough or the budget ends. All ranks call it; samples has room for twice wishes->reps.
 * *late: how many more there were that are left out, as a rank was late for their start. Returns how many there are, in the order in which they were taken; the same on every rank. */
int repeat(struct place *, const struct wishes *, struct job *, double *samples, int *late);

/* JSON lines on rank 0; nothing elsewhere. */
void report_run(const struct place *);
void report(const struct place *, const struct wishes *, const struct job *, double *samples, int n, int late);

#endif
