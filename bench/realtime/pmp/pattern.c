/* pattern.c: programs of nodes. */
#include "pmp/pattern.h"

#include <stdlib.h>

void pattern_free(struct pattern *p)
{
    for (int i = 0; i < p->n; i++)
        free(p->nodes[i].actions);
    free(p->nodes);
    *p = (struct pattern){0};
}

static void enter(struct cursor *c, const struct action *loop)
{
    if (loop->count == 0) {
        c->at = loop->pair + 1;
        return;
    }
    c->left[c->depth++] = loop->count;
    c->at++;
}

static void turn(struct cursor *c, const struct action *end)
{
    if (--c->left[c->depth - 1] > 0) {
        c->at = end->pair + 1;
        return;
    }
    c->depth--;
    c->at++;
}

const struct action *cursor_next(struct cursor *c)
{
    for (;;) {
        const struct action *a = &c->code[c->at];
        if (a->kind == 'L') {
            enter(c, a);
        } else if (a->kind != 'E') {
            c->at++;
            return a;
        } else if (a->pair < 0) {
            return NULL;
        } else {
            turn(c, a);
        }
    }
}

/* The products stay below ACTIONS_MOST in a pattern that was read: read.c refuses others as it goes. */
void code_visit(const struct code *code, void (*visit)(void *, const struct action *, long long), void *with)
{
    long long times[NEST_MOST + 1] = {1};
    int depth = 0;
    for (int i = 0; i < code->n; i++) {
        const struct action *a = &code->actions[i];
        if (a->kind == 'L') {
            times[depth + 1] = times[depth] * a->count;
            depth++;
        } else if (a->kind != 'E') {
            visit(with, a, times[depth]);
        } else if (depth > 0) {
            depth--;
        }
    }
}

static void add(void *with, const struct action *a, long long times)
{
    struct totals *t = with;
    t->actions += times;
    if (a->kind == 'R')
        t->receives += times;
    if (a->kind != 'S')
        return;
    t->sends += times;
    t->bytes_sent += times * a->bytes;
    if (times > 0 && a->bytes > t->largest_sent)
        t->largest_sent = a->bytes;
}

struct totals code_totals(const struct code *code)
{
    struct totals t = {0};
    code_visit(code, add, &t);
    return t;
}
