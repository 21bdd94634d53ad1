/* pairs.c: `realtime pairs`: rates of pairs of ranks that send messages one way, one pair alone or many over the same links.
 *
 *     adjacent     rank 0 sends to rank D (--distance), the others look on
 *     symmetric    rank i sends to rank n - 1 - i: all cross the middle, each pair from another distance
 *     asymmetric   rank i sends to rank i + n / 2: all cross the middle, all from the same distance
 */
#include "pairs.h"

#include "common/memory.h"
#include "common/options.h"
#include "common/report.h"
#include "realtime.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 200, MOST_BYTES = 1 << 30, MOST_MESSAGES = 10000000 };

int pairs_count(const struct pairs *p) { return p->layout == ADJACENT ? 1 : p->ranks / 2; }

int pairs_receiver(const struct pairs *p, int pair)
{
    if (p->layout == ADJACENT)
        return p->distance;
    return p->layout == SYMMETRIC ? p->ranks - 1 - pair : p->ranks / 2 + pair;
}

static bool layout_read(const char *text, enum layout *to)
{
    static const char *const names[] = {"adjacent", "symmetric", "asymmetric"};
    for (int i = 0; i < 3; i++)
        if (strcmp(text, names[i]) == 0) {
            *to = (enum layout)i;
            return true;
        }
    return false;
}

/* NULL, or a sentence; an empty one after --help. */
static const char *read_options(struct pairs *p, int argc, char **argv)
{
    static char wrong[WORD];
    const char *layout = "symmetric";
    *p = (struct pairs){.bytes = 262144, .messages = 1000, .acks = true};
    MPI_Comm_size(MPI_COMM_WORLD, &p->ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &p->rank);
    const struct option_spec specs[] = {
        {"layout", OPT_TEXT, &layout, 0, 0, "adjacent, symmetric (default) or asymmetric"},
        {"bytes", OPT_WHOLE, &p->bytes, 0, MOST_BYTES, "length of a message (default 256K)"},
        {"messages", OPT_WHOLE, &p->messages, 1, MOST_MESSAGES,
         "that each pair sends, unless another ends first (default 1000)"},
        {"acks", OPT_FLAG, &p->acks, 0, 0, "a message of no bytes answers each (default); --no-acks: nothing does"},
        {"distance", OPT_WHOLE, &p->distance, 1, 1e6, "of the pair of layout adjacent (default 1)"},
        {"text", OPT_FLAG, &p->text, 0, 0, "a table instead of JSON lines"},
    };
    if (!options_read("pairs", specs, sizeof specs / sizeof specs[0], &argc, argv, wrong, sizeof wrong))
        return wrong;
    if (argc > 1)
        return "there are no arguments but options; realtime pairs --help lists them";
    if (!layout_read(layout, &p->layout)) {
        snprintf(wrong, sizeof wrong, "there is no layout '%.40s'; write adjacent, symmetric or asymmetric", layout);
        return wrong;
    }
    if (p->layout == ADJACENT && !p->distance)
        p->distance = 1;
    return NULL;
}

static const char *fits(const struct pairs *p)
{
    static char wrong[WORD];
    if (p->layout != ADJACENT && (p->ranks % 2 || p->ranks < 2))
        snprintf(wrong, sizeof wrong, "%d ranks are no pairs; run it on an even number", p->ranks);
    else if (p->layout != ADJACENT && p->distance)
        snprintf(wrong, sizeof wrong, "--distance is for --layout adjacent; the others have distances of their own");
    else if (p->layout == ADJACENT && p->distance >= p->ranks)
        snprintf(wrong, sizeof wrong, "rank %d is outside the %d ranks; run it on more, or write a smaller --distance",
                 p->distance, p->ranks);
    else
        return NULL;
    return wrong;
}

/* What receivers know goes to rank 0, in the order of pairs, with what only senders know. */
static void gather(const struct pairs *p, const struct pair_result *mine, struct pair_result *results)
{
    enum { FIELDS = sizeof(struct pair_result) / sizeof(double) };
    struct pair_result *all = p->rank == 0 ? malloc((size_t)p->ranks * sizeof *all) : NULL;
    if (p->rank == 0 && !all)
        MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Gather(mine, FIELDS, MPI_DOUBLE, all, FIELDS, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; all && i < pairs_count(p); i++) {
        results[i] = all[pairs_receiver(p, i)];
        results[i].sent = all[i].sent;
    }
    free(all);
}

static bool everywhere(bool mine)
{
    int here = mine, all;
    MPI_Allreduce(&here, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all;
}

int realtime_pairs(int argc, char **argv)
{
    struct pairs p;
    struct clock clock;
    struct pair_result mine;
    const char *wrong = read_options(&p, argc, argv);
    if (!wrong)
        wrong = fits(&p);
    if (wrong)
        return refuse("pairs", wrong);
    char *buffer = memory_alloc((size_t)p.bytes, MEMORY_PAGE_BYTES);
    double *arrivals = malloc((size_t)p.messages * sizeof *arrivals);
    struct pair_result *results = malloc((size_t)pairs_count(&p) * sizeof *results);
    bool room = everywhere(buffer && arrivals && results);
    if (room) {
        memset(arrivals, 0, (size_t)p.messages * sizeof *arrivals);
        clock_agree(&clock, MPI_COMM_WORLD);
        if (!p.text)
            report_environment(&clock, argc, argv);
        pairs_run(&p, &clock, buffer, arrivals, &mine);
        gather(&p, &mine, results);
        if (p.rank == 0)
            pairs_print(&p, results);
    }
    free(results);
    free(arrivals);
    memory_free(buffer);
    return room ? 0 : refuse("pairs", "there is no memory for the messages; write smaller --bytes or --messages");
}
