/* check.c: destinations and counts of a pattern. */
#include "pmp/check.h"

#include <stdlib.h>

struct tally {
    const struct pattern *p;
    int node;
    long long *sent_to;
    int *sender; /* the last that sends to it */
    struct complaint *wrong;
    bool good;
};

static void count(void *with, const struct action *a, long long times)
{
    struct tally *t = with;
    if (a->kind != 'S' || !t->good)
        return;
    if (a->to >= t->p->n)
        t->good = complain(t->wrong, (struct place){a->line, a->column},
                           "node %d sends to node %d, but the nodes are 0 to %d; mend the destination", t->node, a->to,
                           t->p->n - 1);
    else if (a->to == t->node)
        t->good = complain(t->wrong, (struct place){a->line, a->column},
                           "node %d sends to itself, which no link carries; mend the destination or leave the send out",
                           t->node);
    else if (times > 0) {
        t->sent_to[a->to] += times;
        t->sender[a->to] = t->node;
    }
}

static bool matched(const struct tally *t, int node)
{
    const struct code *code = &t->p->nodes[node];
    long long receives = code_totals(code).receives, sent = t->sent_to[node];
    if (receives == sent)
        return true;
    if (sent == 0)
        return complain(
            t->wrong, (struct place){code->line, code->column},
            "node %d receives %lld messages in a period, but none is sent to it; mend its Rs or add sends to it", node,
            receives);
    return complain(t->wrong, (struct place){code->line, code->column},
                    "node %d receives %lld messages in a period, but the others send it %lld, the last of them "
                    "node %d; make both equal",
                    node, receives, sent, t->sender[node]);
}

static bool check_all(struct tally *t)
{
    for (t->node = 0; t->good && t->node < t->p->n; t->node++)
        code_visit(&t->p->nodes[t->node], count, t);
    for (int node = 0; t->good && node < t->p->n; node++)
        t->good = matched(t, node);
    return t->good;
}

bool pattern_check(const struct pattern *p, int ranks, struct complaint *wrong)
{
    if (ranks > 0 && p->n != ranks)
        return complain(wrong, (struct place){0, 0},
                        "the pattern has %d nodes, but %d ranks run; start it with mpiexec -n %d", p->n, ranks, p->n);
    struct tally t = {p, 0, calloc((size_t)p->n, sizeof(long long)), calloc((size_t)p->n, sizeof(int)), wrong, true};
    bool good = t.sent_to && t.sender ? check_all(&t)
                                      : complain(wrong, (struct place){0, 0}, "no memory to check %d nodes", p->n);
    free(t.sent_to);
    free(t.sender);
    return good;
}
