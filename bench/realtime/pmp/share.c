/* share.c: from a file on rank 0 to each node's own part.
 *
 * Rank 0 finds everything that can be wrong before the first collective operation, whose value tells the others.
 */
#include "pmp/share.h"

#include "pmp/check.h"
#include "pmp/read.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MOST = 1 << 28, SHUFFLES_MOST = 1000000, ORDERS = 16, TAG_CODE = 1, TAG_STAGES };

/* What rank 0 holds until all have their part. */
struct source {
    struct pattern pattern;
    struct stages stages;
    int *largest; /* by node: the largest message sent to it */
};

static char *read_text(const char *file, char *wrong, size_t room)
{
    FILE *in = fopen(file, "rb");
    if (!in) {
        snprintf(wrong, room, "%s: the file cannot be opened; name one that rank 0 can read", file);
        return NULL;
    }
    size_t len = 0, space = 1 << 16;
    char *text = malloc(space);
    while (text && len < FILE_MOST) {
        len += fread(text + len, 1, space - 1 - len, in);
        if (len < space - 1)
            break;
        char *more = realloc(text, space *= 2);
        if (!more)
            free(text);
        text = more;
    }
    bool good = text && !ferror(in) && len < FILE_MOST && !memchr(text, '\0', len);
    fclose(in);
    if (!good) {
        snprintf(wrong, room, "%s: this is no text, or too long for a pattern; write one as docs/pmp.md says", file);
        free(text);
        return NULL;
    }
    text[len] = '\0';
    return text;
}

static void note_largest(void *with, const struct action *a, long long times)
{
    int *largest = with;
    if (a->kind == 'S' && times > 0 && a->bytes > largest[a->to])
        largest[a->to] = a->bytes;
}

static long long actions_of(const struct pattern *p)
{
    long long sum = 0;
    for (int i = 0; i < p->n; i++)
        sum += code_totals(&p->nodes[i]).actions;
    return sum;
}

/* Receives from any source may take messages in another order than the canonical one, and then the pattern may hang. With exact
 * sources there is but one way to match, so that one order tells for all. */
static bool other_orders(struct source *s, struct complaint *wrong)
{
    struct complaint why;
    long long cost = ORDERS * actions_of(&s->pattern);
    for (int order = HIGHEST_FIRST; order < (cost <= SHUFFLES_MOST ? ORDERS : SHUFFLED + 1); order++) {
        if (!stages_find(&s->pattern, (enum order)order, false, &s->stages, &why))
            return pattern_complain(
                wrong, why.line, why.column,
                "when some nodes are late, messages overtake each other and the pattern deadlocks here; "
                "receive from the senders of the stages with --exact, or change the order of actions");
        stages_free(&s->stages, s->pattern.n);
    }
    return true;
}

static bool find_stages(struct source *s, bool keep, bool exact, struct complaint *wrong)
{
    if (actions_of(&s->pattern) > ACTIONS_MOST)
        return pattern_complain(wrong, 0, 0, "the nodes do more than %d actions in a period; make the loops shorter",
                                ACTIONS_MOST);
    if (!stages_find(&s->pattern, LOWEST_FIRST, false, &s->stages, wrong) || (!exact && !other_orders(s, wrong)))
        return false;
    return stages_find(&s->pattern, LOWEST_FIRST, keep, &s->stages, wrong);
}

static bool enough_subperiods(const struct source *s, int subperiods, struct complaint *wrong)
{
    return subperiods <= 0 || subperiods >= s->stages.n ||
           pattern_complain(wrong, 0, 0,
                            "the pattern has %d stages, which %d sub-periods do not hold; ask for at least %d",
                            s->stages.n, subperiods, s->stages.n);
}

static void warn(const struct source *s, const char *file, const char *text)
{
    if (!s->stages.back)
        return;
    char shown[700];
    struct complaint c = {.line = s->stages.back->line, .column = s->stages.back->column};
    snprintf(c.text, sizeof c.text,
             "warning: node %d has waited for a later moment of the period when it comes here; this W never waits",
             s->stages.back_node);
    pattern_complaint_show(&c, file, text, shown, sizeof shown);
    fprintf(stderr, "realtime pmp: %s\n", shown);
}

static bool prepare(struct source *s, const char *file, int bytes, int subperiods, bool exact, int ranks, char *wrong,
                    size_t room)
{
    struct complaint c = {0};
    char *text = read_text(file, wrong, room);
    if (!text)
        return false;
    bool good = pattern_read(text, bytes, &s->pattern, &c) && pattern_check(&s->pattern, ranks, &c) &&
                find_stages(s, exact || subperiods >= 0, exact, &c) && enough_subperiods(s, subperiods, &c);
    if (good) {
        s->largest = calloc((size_t)s->pattern.n, sizeof *s->largest);
        good = s->largest || pattern_complain(&c, 0, 0, "no memory for %d nodes", s->pattern.n);
    }
    for (int i = 0; good && i < s->pattern.n; i++)
        code_visit(&s->pattern.nodes[i], note_largest, s->largest);
    if (good)
        warn(s, file, text);
    else
        pattern_complaint_show(&c, file, text, wrong, room);
    free(text);
    return good;
}

static void *room_of(size_t n, size_t size)
{
    void *room = calloc(n ? n : 1, size);
    if (!room) {
        fprintf(stderr, "realtime pmp: no memory for a node's sequence; make the pattern shorter\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    return room;
}

static void give(const struct source *s, int node, MPI_Comm comm)
{
    const struct code *code = &s->pattern.nodes[node];
    struct totals t = code_totals(code);
    long long head[3] = {code->n, s->largest[node], s->stages.of ? t.sends + t.receives : 0};
    MPI_Send(head, 3, MPI_LONG_LONG, node, TAG_CODE, comm);
    MPI_Send(code->actions, code->n * (int)sizeof *code->actions, MPI_BYTE, node, TAG_CODE, comm);
    if (s->stages.of) {
        MPI_Send(s->stages.of[node], (int)head[2], MPI_INT, node, TAG_STAGES, comm);
        MPI_Send(s->stages.from[node], (int)head[2], MPI_INT, node, TAG_STAGES, comm);
    }
}

static void get(struct player *p)
{
    long long head[3];
    MPI_Recv(head, 3, MPI_LONG_LONG, 0, TAG_CODE, p->comm, MPI_STATUS_IGNORE);
    p->code.n = (int)head[0];
    p->largest_received = (int)head[1];
    p->code.actions = room_of((size_t)p->code.n, sizeof *p->code.actions);
    MPI_Recv(p->code.actions, p->code.n * (int)sizeof *p->code.actions, MPI_BYTE, 0, TAG_CODE, p->comm,
             MPI_STATUS_IGNORE);
    if (head[2] == 0)
        return;
    p->stage_of = room_of((size_t)head[2], sizeof *p->stage_of);
    p->sources = room_of((size_t)head[2], sizeof *p->sources);
    MPI_Recv(p->stage_of, (int)head[2], MPI_INT, 0, TAG_STAGES, p->comm, MPI_STATUS_IGNORE);
    MPI_Recv(p->sources, (int)head[2], MPI_INT, 0, TAG_STAGES, p->comm, MPI_STATUS_IGNORE);
}

/* Only those of receives, in order, or none where any sender will do. */
static void keep_sources(struct player *p, bool exact)
{
    long long n = 0, all = p->totals.sends + p->totals.receives;
    for (long long i = 0; p->sources && i < all; i++)
        if (p->sources[i] >= 0)
            p->sources[n++] = p->sources[i];
    if (!exact) {
        free(p->sources);
        p->sources = NULL;
    }
}

/* Rank 0's own part moves out of the source. */
static void keep(struct source *s, struct player *p)
{
    p->largest_received = s->largest[0];
    p->code = s->pattern.nodes[0];
    s->pattern.nodes[0].actions = NULL;
    if (s->stages.of) {
        p->stage_of = s->stages.of[0];
        s->stages.of[0] = NULL;
        p->sources = s->stages.from[0];
        s->stages.from[0] = NULL;
    }
}

static void sum_up(const struct source *s, struct shared *shared)
{
    *shared = (struct shared){.nodes = s->pattern.n, .stages = s->stages.n};
    for (int i = 0; i < s->pattern.n; i++) {
        struct totals t = code_totals(&s->pattern.nodes[i]);
        shared->messages += t.sends;
        if ((double)t.bytes_sent > shared->bytes_most)
            shared->bytes_most = (double)t.bytes_sent;
    }
}

static void distribute(struct source *s, struct player *p, int subperiods, struct shared *shared)
{
    if (p->rank == 0)
        sum_up(s, shared);
    MPI_Bcast(shared, (int)sizeof *shared, MPI_BYTE, 0, p->comm);
    p->subperiods = subperiods < 0 ? 0 : subperiods > 0 ? subperiods : shared->stages;
    if (p->rank > 0) {
        get(p);
        return;
    }
    for (int node = 1; node < p->nodes; node++)
        give(s, node, p->comm);
    keep(s, p);
}

static bool all_have_room(struct player *p, char *wrong, size_t room)
{
    int mine = player_init(p), all;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, p->comm);
    if (!all)
        snprintf(wrong, room, "there is no memory for the message buffers of some node; make the messages smaller");
    return all;
}

static void release(struct source *s)
{
    stages_free(&s->stages, s->pattern.n);
    pattern_free(&s->pattern);
    free(s->largest);
}

bool share_pattern(const char *file, int default_bytes, int subperiods, bool exact, struct player *p,
                   struct shared *shared, char *wrong, size_t room)
{
    struct source s = {0};
    MPI_Comm_rank(p->comm, &p->rank);
    MPI_Comm_size(p->comm, &p->nodes);
    int good = p->rank > 0 || prepare(&s, file, default_bytes, subperiods, exact, p->nodes, wrong, room);
    MPI_Bcast(&good, 1, MPI_INT, 0, p->comm);
    if (good) {
        distribute(&s, p, subperiods, shared);
        p->totals = code_totals(&p->code);
        keep_sources(p, exact);
        good = all_have_room(p, wrong, room);
    }
    release(&s);
    return good;
}

bool share_checked(const char *file, int default_bytes, bool exact, MPI_Comm comm, struct shared *shared, char *wrong,
                   size_t room)
{
    struct source s = {0};
    int rank, good = 1;
    *shared = (struct shared){0};
    MPI_Comm_rank(comm, &rank);
    if (rank == 0 && (good = prepare(&s, file, default_bytes, -1, exact, 0, wrong, room)))
        sum_up(&s, shared);
    MPI_Bcast(&good, 1, MPI_INT, 0, comm);
    MPI_Bcast(shared, (int)sizeof *shared, MPI_BYTE, 0, comm);
    release(&s);
    return good;
}

void share_fini(struct player *p)
{
    free(p->code.actions);
    free(p->stage_of);
    free(p->sources);
}
