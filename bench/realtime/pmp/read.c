/* read.c: the language of patterns.
 *
 *     pattern  = { header line } node { node }
 *     node     = NUMBER ":" sequence
 *     sequence = { action } "E"
 *     action   = "R" | "S" NUMBER [ SIZE ] | "W" FRACTION | "L" NUMBER sequence
 *
 * Blanks, tabs and line ends separate; a number may follow its letter at once, as in S7; # starts a comment.
 */
#include "pmp/read.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WRITTEN_MOST = 2 * ACTIONS_MOST }; /* times sizeof(struct action) it fits an int */

struct reader {
    const char *at, *line_start;
    int line, default_bytes;
    struct pattern *p;
    struct complaint *wrong;
    int room; /* for nodes */
};

static int column(const struct reader *r) { return (int)(r->at - r->line_start) + 1; }

#define COMPLAIN(r, ...) complain((r)->wrong, (struct place){(r)->line, column(r)}, __VA_ARGS__)

static void skip(struct reader *r)
{
    for (;; r->at++) {
        if (*r->at == '#')
            r->at += strcspn(r->at, "\n");
        if (*r->at == '\n') {
            r->line++;
            r->line_start = r->at + 1;
        } else if (*r->at == '\0' || !strchr(" \t\r", *r->at)) {
            return;
        }
    }
}

static bool at_digit(const struct reader *r) { return *r->at >= '0' && *r->at <= '9'; }

static bool at_gap(const struct reader *r) { return *r->at == '\0' || strchr(" \t\r\n#", *r->at) != NULL; }

/* A whole number up to most, with K, M or G of 1024 where it is a size. */
static bool whole(struct reader *r, const char *what, long long most, bool size, int *value)
{
    skip(r);
    if (!at_digit(r))
        return COMPLAIN(r, "%s is missing; write it as a whole number here", what);
    long long n = 0;
    const char *from = r->at;
    while (at_digit(r) && n <= most)
        n = 10 * n + (*r->at++ - '0');
    const char *suffixes = "KMG", *suffix = size && *r->at ? strchr(suffixes, *r->at) : NULL;
    if (suffix && n <= most) {
        n <<= 10 * (suffix - suffixes + 1);
        r->at++;
    }
    if (n > most) {
        r->at = from;
        return COMPLAIN(r, "%s is too large; the most is %lld", what, most);
    }
    *value = (int)n;
    return true;
}

static bool spaced(struct reader *r)
{
    return at_gap(r) || COMPLAIN(r, "a blank is missing here; separate actions and numbers by blanks");
}

static bool read_send(struct reader *r, struct action *a)
{
    int line = r->line, letter = a->column;
    if (!whole(r, "the node to send to", NODES_MOST - 1, false, &a->to) || !spaced(r))
        return false;
    skip(r);
    const char *after = r->at + strspn(r->at, "0123456789");
    bool label = after[strspn(after, " \t")] == ':'; /* the next node, behind a sequence without its E */
    if (at_digit(r) && !label)
        return whole(r, "the number of bytes", INT_MAX, true, &a->bytes) && spaced(r);
    a->bytes = r->default_bytes;
    return a->bytes >= 0 || complain(r->wrong, (struct place){line, letter},
                                     "this send has no size; write S %d BYTES, or give one for all with --bytes or a "
                                     "header such as (messages size 1/8 MB)",
                                     a->to);
}

static bool read_wait(struct reader *r, struct action *a)
{
    skip(r);
    size_t len = strspn(r->at, "0123456789.eE+-");
    char text[32], *end;
    if (len >= sizeof text || (!at_digit(r) && *r->at != '.'))
        return COMPLAIN(r, "W needs a fraction of the period; write a number from 0 to below 1, as in W 0.5");
    memcpy(text, r->at, len);
    text[len] = '\0';
    a->fraction = strtod(text, &end);
    if (*end != '\0' || end == text || !(a->fraction >= 0 && a->fraction < 1))
        return COMPLAIN(r, "a fraction of the period is at least 0 and below 1; write one, as in W 0.5");
    r->at += len;
    return spaced(r);
}

static bool read_arguments(struct reader *r, struct action *a)
{
    switch (a->kind) {
    case 'R':
    case 'E':
        return spaced(r);
    case 'S':
        return read_send(r, a);
    case 'W':
        return read_wait(r, a);
    default:
        return whole(r, "the number of turns", INT_MAX, false, &a->count) && spaced(r);
    }
}

static struct action *append(struct code *code, int *room)
{
    if (code->n == *room) {
        int more = *room ? 2 * *room : 16;
        struct action *grown = realloc(code->actions, (size_t)more * sizeof *grown);
        if (!grown)
            return NULL;
        code->actions = grown;
        *room = more;
    }
    struct action *a = &code->actions[code->n++];
    *a = (struct action){.pair = -1};
    return a;
}

/* The loops around an action, and what their bodies have cost so far. */
struct nest {
    int depth, loop[NEST_MOST];
    long long cost[NEST_MOST + 1];
};

static bool open_loop(struct reader *r, struct nest *nest, int index, const struct action *a)
{
    if (nest->depth == NEST_MOST)
        return complain(r->wrong, (struct place){a->line, a->column}, "loops are nested too deep here; at most %d are",
                        NEST_MOST);
    nest->loop[nest->depth++] = index;
    nest->cost[nest->depth] = 1; /* the turn itself, so that an empty body has a bound too */
    return true;
}

static void close_loop(struct code *code, struct nest *nest)
{
    int loop = nest->loop[--nest->depth], end = code->n - 1;
    code->actions[loop].pair = end;
    code->actions[end].pair = loop;
    nest->cost[nest->depth] += code->actions[loop].count * nest->cost[nest->depth + 1];
}

/* Costs stay below INT_MAX * ACTIONS_MOST, since they are looked at after every action. */
static bool bounded(struct reader *r, const struct nest *nest, const struct action *a)
{
    return nest->cost[nest->depth] <= ACTIONS_MOST ||
           complain(r->wrong, (struct place){a->line, a->column},
                    "the node does more than %d actions in a period; make its loops shorter", ACTIONS_MOST);
}

/* What stands where an action should. */
static bool no_action(struct reader *r, int node)
{
    char c = *r->at;
    if (c == '\0' || at_digit(r))
        return COMPLAIN(r, "the sequence of node %d has not ended; close it, and each of its loops, with E", node);
    if (c > ' ' && c <= '~')
        return COMPLAIN(r, "'%c' is no action; the actions are E, R, S, W and L", c);
    return COMPLAIN(r, "a byte of value %d is no action; the actions are E, R, S, W and L", (unsigned char)c);
}

static bool read_sequence(struct reader *r, int node)
{
    struct code *code = &r->p->nodes[node];
    struct nest nest = {0};
    for (int room = 0;;) {
        skip(r);
        if (*r->at == '\0' || !strchr("ERSWL", *r->at))
            return no_action(r, node);
        if (code->n == WRITTEN_MOST) /* also of loops of no turn, so that a node's part is one message */
            return COMPLAIN(r, "node %d has more than %d actions written down; make its sequence shorter", node,
                            WRITTEN_MOST);
        struct action *a = append(code, &room);
        if (!a)
            return COMPLAIN(r, "no memory for the actions of node %d; make the pattern shorter", node);
        *a = (struct action){.kind = *r->at, .pair = -1, .line = r->line, .column = column(r)};
        r->at++;
        if (!read_arguments(r, a))
            return false;
        if (a->kind == 'E' && nest.depth == 0)
            return true;
        nest.cost[nest.depth] += a->kind != 'E';
        if (a->kind == 'L' && !open_loop(r, &nest, code->n - 1, a))
            return false;
        if (a->kind == 'E')
            close_loop(code, &nest);
        if (!bounded(r, &nest, a))
            return false;
    }
}

static bool room_for(struct reader *r, int node)
{
    if (node < r->room)
        return true;
    int more = node < 8 ? 16 : 2 * node;
    struct code *grown = realloc(r->p->nodes, (size_t)more * sizeof *grown);
    if (!grown)
        return COMPLAIN(r, "no memory for so many nodes; make the pattern smaller");
    memset(grown + r->room, 0, (size_t)(more - r->room) * sizeof *grown);
    r->p->nodes = grown;
    r->room = more;
    return true;
}

static bool read_node(struct reader *r)
{
    int node, line = r->line, from = column(r);
    if (!at_digit(r))
        return COMPLAIN(r, "a sequence has ended before this; start the next node with its number and a colon");
    if (!whole(r, "the number of the node", NODES_MOST - 1, false, &node) || !room_for(r, node))
        return false;
    struct code *code = &r->p->nodes[node];
    if (code->n > 0)
        return complain(r->wrong, (struct place){line, from},
                        "node %d stands here for the second time, first in line %d; keep one of them", node,
                        code->line);
    skip(r);
    if (*r->at != ':')
        return complain(r->wrong, (struct place){line, from},
                        "this number belongs to no action; if it starts a node, write %d:", node);
    r->at++;
    code->line = line;
    code->column = from;
    r->p->n = node >= r->p->n ? node + 1 : r->p->n;
    return read_sequence(r, node);
}

/* Titles, up to the first line that starts with a number and a colon. */
static bool read_header(struct reader *r)
{
    for (skip(r); *r->at; skip(r)) {
        const char *after = r->at + strspn(r->at, "0123456789");
        if (at_digit(r) && after[strspn(after, " \t")] == ':')
            return true;
        int bytes = header_bytes(r->at);
        size_t len = strcspn(r->at, "\n");
        if (bytes == -2)
            return COMPLAIN(r,
                            "the size in this line is no whole number of bytes; write it as in (messages size 1/8 MB)");
        if (bytes == -1 && memchr(r->at, ':', len))
            return COMPLAIN(
                r, "this is neither a title nor a node; a node starts with its number and a colon, as in 0: R E");
        if (bytes >= 0 && r->default_bytes < 0)
            r->default_bytes = bytes;
        r->at += len;
    }
    return COMPLAIN(r, "there is no node here; write one sequence for each, as in 0: S 1 262144 R E");
}

static bool all_there(struct reader *r)
{
    for (int i = 0; i < r->p->n; i++)
        if (r->p->nodes[i].n == 0)
            return complain(r->wrong, (struct place){0, 0},
                            "node %d is missing below node %d; nodes count from 0, an idle one is %d: E", i,
                            r->p->n - 1, i);
    return true;
}

static bool read_all(struct reader *r)
{
    if (!read_header(r))
        return false;
    for (; *r->at; skip(r))
        if (!read_node(r))
            return false;
    return all_there(r);
}

bool pattern_read(const char *text, int default_bytes, struct pattern *p, struct complaint *wrong)
{
    struct reader r = {
        .at = text, .line_start = text, .line = 1, .default_bytes = default_bytes, .p = p, .wrong = wrong};
    *p = (struct pattern){0};
    if (read_all(&r))
        return true;
    if (r.room > p->n)
        p->n = r.room; /* a node that was being read may lie behind the last whole one */
    pattern_free(p);
    return false;
}
