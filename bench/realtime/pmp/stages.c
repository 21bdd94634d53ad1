/* stages.c: a pattern executed in the abstract.
 *
 * Nodes that may act in a stage stand in a list; those that cannot go on wait where the event that they need will find them: a
 * sender in the queue of its destination, a receiver by itself. A message that is sent in a stage may be received in it.
 * Invariant: where senders wait for a node whose posted receive is free, one of them is in the list.
 * The time is that of the actions executed; only the canonical order, the lowest node first, sorts.
 */
#include "pmp/check.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct member {
    struct cursor cursor;
    const struct action *now; /* S or R, or NULL at the end */
    double fraction;          /* of the last W */
    int sender;               /* of that message */
    bool full;                /* its posted receive holds a message */
    bool waits;               /* at R, for a message */
    int queue, queue_end;     /* senders that wait for it, -1 for none */
    int behind;               /* in such a queue */
    int done;                 /* sends and receives so far */
};

struct walk {
    const struct pattern *p;
    struct member *m;
    int *list, *next, *takers, n, n_next, n_takers, left; /* left: nodes that have not ended */
    enum order order;
    uint32_t seed;
    struct stages *out;
};

/* To the node's next send or receive. */
static void advance(struct walk *w, int node)
{
    struct member *m = &w->m[node];
    while ((m->now = cursor_next(&m->cursor)) && m->now->kind == 'W') {
        if (m->now->fraction < m->fraction && !w->out->back) {
            w->out->back = m->now;
            w->out->back_node = node;
        }
        m->fraction = m->now->fraction;
    }
    if (m->now)
        w->next[w->n_next++] = node;
    else
        w->left--;
}

static void act(struct walk *w, int node)
{
    struct member *m = &w->m[node];
    if (w->out->of) {
        w->out->of[node][m->done] = w->out->n;
        w->out->from[node][m->done] = m->now->kind == 'R' ? m->sender : -1;
    }
    m->done++;
    advance(w, node);
}

static void queue(struct walk *w, int sender, struct member *to)
{
    w->m[sender].behind = -1;
    if (to->queue < 0)
        to->queue = sender;
    else
        w->m[to->queue_end].behind = sender;
    to->queue_end = sender;
}

static void send(struct walk *w, int node)
{
    int to = w->m[node].now->to;
    struct member *receiver = &w->m[to];
    if (receiver->full) {
        queue(w, node, receiver);
        return;
    }
    receiver->full = true;
    receiver->sender = node;
    if (receiver->waits)
        w->takers[w->n_takers++] = to;
    receiver->waits = false;
    act(w, node);
}

static void take(struct walk *w, int node)
{
    struct member *m = &w->m[node];
    if (!m->full) {
        m->waits = true;
        return;
    }
    m->full = false;
    if (m->queue >= 0) {
        w->next[w->n_next++] = m->queue;
        m->queue = w->m[m->queue].behind;
    }
    act(w, node);
}

static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int descending(const void *a, const void *b) { return ascending(b, a); }

/* xorshift: the same disorder on every machine. */
static uint32_t draw(struct walk *w)
{
    w->seed ^= w->seed << 13;
    w->seed ^= w->seed >> 17;
    w->seed ^= w->seed << 5;
    return w->seed;
}

/* Some of the list stay behind for a stage, the others change places. */
static void shuffle(struct walk *w)
{
    int kept = 0;
    for (int i = 0; i < w->n; i++)
        if (i > 0 && draw(w) & 1)
            w->next[w->n_next++] = w->list[i];
        else
            w->list[kept++] = w->list[i];
    w->n = kept;
    for (int i = w->n - 1; i > 0; i--) {
        int j = (int)(draw(w) % (uint32_t)(i + 1)), node = w->list[i];
        w->list[i] = w->list[j];
        w->list[j] = node;
    }
}

static void arrange(struct walk *w)
{
    if (w->order >= SHUFFLED)
        shuffle(w);
    else
        qsort(w->list, (size_t)w->n, sizeof *w->list, w->order == LOWEST_FIRST ? ascending : descending);
}

/* Sends first, so that their messages can be taken in the same stage. */
static void stage(struct walk *w)
{
    int *list = w->list;
    w->list = w->next;
    w->next = list;
    w->n = w->n_next;
    w->n_next = w->n_takers = 0;
    arrange(w);
    for (int i = 0; i < w->n; i++) {
        int node = w->list[i];
        if (w->m[node].now->kind == 'S')
            send(w, node);
        else
            w->takers[w->n_takers++] = node;
    }
    for (int i = 0; i < w->n_takers; i++)
        take(w, w->takers[i]);
    w->out->n++;
}

/* Whom a blocked node waits for: the receiver; or the lowest that has still to send to it, which there is as the counts match. */
static int waits_for(const struct walk *w, int node)
{
    if (w->m[node].now->kind == 'S')
        return w->m[node].now->to;
    for (int other = 0; other < w->p->n; other++) {
        struct cursor rest = w->m[other].cursor;
        const struct action *a = w->m[other].now;
        for (; a; a = cursor_next(&rest))
            if (a->kind == 'S' && a->to == node)
                return other;
    }
    return node;
}

/* As waits_for(), found once for each node. */
static int next_in_circle(const struct walk *w, int *known, int node)
{
    if (known[node] < 0)
        known[node] = waits_for(w, node);
    return known[node];
}

/* Every blocked node waits for one that is blocked too, so that the way from any of them ends in a circle. */
static bool complain_of_circle(struct walk *w, struct complaint *wrong)
{
    enum { TOLD = 6 };
    char told[300] = "";
    int node = 0, count = 0, *known = w->next;
    for (int i = 0; i < w->p->n; i++)
        known[i] = -1;
    while (!w->m[node].now)
        node++;
    for (int i = 0; i < w->p->n; i++)
        node = next_in_circle(w, known, node);
    int first = node;
    const struct action *a;
    do {
        a = w->m[node].now;
        size_t used = strlen(told);
        int other = next_in_circle(w, known, node);
        if (count++ < TOLD)
            snprintf(told + used, sizeof told - used, "%snode %d in %c of line %d for node %d to %s", used ? ", " : "",
                     node, a->kind, a->line, other, a->kind == 'S' ? "receive" : "send");
        node = other;
    } while (node != first);
    a = w->m[first].now;
    return complain(wrong, (struct place){a->line, a->column},
                    "the pattern deadlocks: %s%s; change the order of their actions", told,
                    count > TOLD ? " and so on" : "");
}

static bool make_room(struct walk *w, bool keep)
{
    size_t n = (size_t)w->p->n;
    w->m = calloc(n, sizeof *w->m);
    w->list = calloc(2 * n, sizeof *w->list);
    w->next = calloc(2 * n, sizeof *w->next);
    w->takers = calloc(2 * n, sizeof *w->takers);
    bool good = w->m && w->list && w->next && w->takers;
    if (!keep || !good)
        return good;
    w->out->of = calloc(n, sizeof *w->out->of);
    w->out->from = calloc(n, sizeof *w->out->from);
    good = w->out->of && w->out->from;
    for (size_t i = 0; good && i < n; i++) {
        struct totals t = code_totals(&w->p->nodes[i]);
        size_t room = (size_t)(t.sends + t.receives) + 1;
        w->out->of[i] = calloc(room, sizeof(int));
        w->out->from[i] = calloc(room, sizeof(int));
        good = w->out->of[i] && w->out->from[i];
    }
    return good;
}

static void start(struct walk *w)
{
    w->left = w->p->n;
    for (int i = 0; i < w->p->n; i++) {
        w->m[i] = (struct member){.cursor.code = w->p->nodes[i].actions, .queue = -1, .queue_end = -1, .behind = -1};
        advance(w, i);
    }
}

bool stages_find(const struct pattern *p, enum order order, bool keep, struct stages *out, struct complaint *wrong)
{
    struct walk w = {.p = p, .order = order, .seed = 2463534242u + 7919u * (uint32_t)order, .out = out};
    *out = (struct stages){0};
    bool good = make_room(&w, keep) ||
                complain(wrong, (struct place){0, 0}, "no memory to execute %d nodes in the abstract", p->n);
    if (good) {
        start(&w);
        while (w.n_next > 0)
            stage(&w);
        good = w.left == 0 || complain_of_circle(&w, wrong);
    }
    free(w.m);
    free(w.list);
    free(w.next);
    free(w.takers);
    if (!good)
        stages_free(out, p->n);
    return good;
}

static void free_rows(int **rows, int n)
{
    for (int i = 0; rows && i < n; i++)
        free(rows[i]);
    free(rows);
}

void stages_free(struct stages *s, int nodes)
{
    free_rows(s->of, nodes);
    free_rows(s->from, nodes);
    s->of = s->from = NULL;
}
