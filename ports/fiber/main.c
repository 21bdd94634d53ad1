/* main.c: the runner's command line, which mpiexec writes, and the order in which things come to be.
 *
 *   mpico-fiber [options] -- -n RANKS PROGRAM [ARGUMENTS] [: -n RANKS PROGRAM [ARGUMENTS]]...
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "image.h"
#include "own.h"

enum { PARTS_MAX = 64, WHY_ROOM = 512, SPIN_DEFAULT_S = 10, NOT_RUN = 126 };

int mpico_runner(int argc, char **argv, char *window, size_t window_bytes);

/* One part of the command line; parts with the same program share its images. */
struct part {
    int ranks, argc, first_copy;
    char **argv;
    struct images *images;
    const struct part *like; /* the first part with this program; itself */
};

struct plan {
    struct fiber_options options;
    struct part part[PARTS_MAX];
    int parts;
};

static int wrong(const char *what, const char *word)
{
    fprintf(stderr, "mpico: the runner of ranks was started with a wrong command line (%s '%s'): use mpiexec\n", what,
            word ? word : "");
    return -1;
}

/* ---- The command line ---- */

static int flag(struct fiber_options *o, const char *word)
{
    if (strcmp(word, "--prefix") == 0)
        o->prefix = 1;
    else if (strcmp(word, "--quiet") == 0)
        o->quiet = 1;
    else if (strcmp(word, "--host-time") == 0)
        o->host_time = 1;
    else
        return 0;
    return 1;
}

static int valued(struct fiber_options *o, const char *word, const char *value)
{
    if (!value)
        return 0;
    if (strcmp(word, "--threads") == 0)
        o->threads = atoi(value);
    else if (strcmp(word, "--machine") == 0)
        o->machine = value;
    else if (strcmp(word, "--discipline") == 0)
        o->discipline = value;
    else if (strcmp(word, "--spin-timeout") == 0)
        o->spin_timeout_s = atof(value);
    else if (strcmp(word, "--hang-timeout") == 0)
        o->hang_timeout_s = atof(value);
    else if (strcmp(word, "--stack") == 0)
        o->stack_bytes = strtoull(value, NULL, 10);
    else
        return 0;
    return 1;
}

/* "-n RANKS PROGRAM ARGUMENTS" up to ':' or the end, which becomes NULL. Where the next part begins, or NULL: wrong. */
static char **read_part(struct plan *p, char **word)
{
    if (p->parts == PARTS_MAX || !word[0] || strcmp(word[0], "-n") || !word[1] || atoi(word[1]) < 1 || !word[2])
        return NULL;
    struct part *part = &p->part[p->parts++];
    *part = (struct part){.ranks = atoi(word[1]), .argv = word + 2};
    while (part->argv[part->argc] && strcmp(part->argv[part->argc], ":"))
        part->argc++;
    p->options.ranks += part->ranks;
    word = part->argv + part->argc;
    if (!*word)
        return word;
    *word = NULL;
    return word + 1;
}

static int read_words(struct plan *p, char **word)
{
    struct fiber_options *o = &p->options;
    *o = (struct fiber_options){.threads = 1, .spin_timeout_s = SPIN_DEFAULT_S, .stack_bytes = fiber_stack_usual()};
    for (word++; *word && strcmp(*word, "--"); word++)
        if (!flag(o, *word) && !(valued(o, *word, word[1]) && ++word))
            return wrong("option", *word);
    if (!*word)
        return wrong("no program", "");
    word++;
    do
        if (!(word = read_part(p, word)))
            return wrong("program", p->parts ? p->part[p->parts - 1].argv[0] : "");
    while (*word);
    return o->threads < 1 || o->stack_bytes < 16384 ? wrong("a number", "too small") : 0;
}

/* ---- Programs and ranks ---- */

static struct part *first_like(struct plan *p, const char *program)
{
    struct part *one = p->part;
    while (strcmp(one->argv[0], program))
        one++;
    return one;
}

static int load(struct plan *p, size_t window_bytes)
{
    int copies[PARTS_MAX] = {0};
    for (int i = 0; i < p->parts; i++) {
        struct part *like = first_like(p, p->part[i].argv[0]);
        p->part[i].like = like;
        p->part[i].first_copy = copies[like - p->part];
        copies[like - p->part] += p->part[i].ranks;
    }
    for (int i = 0; i < p->parts; i++) {
        struct part *part = &p->part[i];
        char why[WHY_ROOM] = "";
        if (part->like == part)
            part->images = images_load(part->argv[0], copies[i], window_bytes, why, sizeof why);
        else
            part->images = part->like->images;
        if (!part->images) {
            fprintf(stderr, "mpiexec: %s\n", why);
            return NOT_RUN;
        }
    }
    return 0;
}

static int make_ranks(struct fiber_job *job, const struct plan *p)
{
    size_t ranks = (size_t)job->ranks;
    job->fiber = calloc(ranks, sizeof *job->fiber);
    struct fiber_own *own = calloc(ranks, sizeof *own);
    if (!job->fiber || !own)
        return -1;
    int rank = 0;
    for (int i = 0; i < p->parts; i++)
        for (int k = 0; k < p->part[i].ranks; k++, rank++) {
            const struct part *part = &p->part[i];
            own[rank] = (struct fiber_own){.images = part->images,
                                           .copy = part->first_copy + k,
                                           .program = part->argv[0],
                                           .argc = part->argc,
                                           .argv = part->argv,
                                           .envp = environ};
            job->fiber[rank] = (struct fiber){.rank = rank, .own = &own[rank]};
        }
    return fiber_make_all(job);
}

int fiber_main(const struct fiber_port *port, int argc, char **argv, char *tls_window, size_t tls_window_bytes)
{
    static struct plan plan;
    static struct fiber_job job;
    (void)tls_window; /* the window ends at the thread pointer: its address says no more */
    int done = port->command && argc > 1 ? port->command(argc, argv) : -1;
    if (done >= 0)
        return done;
    if (read_words(&plan, argv))
        return 2;
    job.options = plan.options;
    job.ranks = plan.options.ranks;
    job.runs_on = port;
    if (port->open(&job))
        return 1;
    output_start();
    exit_start();
    int status = load(&plan, tls_window_bytes);
    if (status)
        return status;
    fiber_job = &job;
    if (make_ranks(&job, &plan))
        return 1;
    fault_start();
    fiber_thread_start();
    watchdog_start();
    status = port->run(&job);
    fiber_flush();
    return status ? status : end_late_status();
}

int mpico_runner(int argc, char **argv, char *window, size_t window_bytes)
{
    _exit(fiber_main(&mpico_fiber_port, argc, argv, window, window_bytes));
}
