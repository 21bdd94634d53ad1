/* source.c: see source.h. */
#include "pmp/source.h"

#include "common/text_file.h"
#include "pmp/read.h"

#include <stdio.h>
#include <stdlib.h>

enum { FILE_MOST = 1 << 28, SHUFFLES_MOST = 1000000, ORDERS = 16 };

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
            return complain(wrong, why.place,
                            "when some nodes are late, messages overtake each other and the pattern deadlocks here; "
                            "receive from the senders of the stages with --exact, or change the order of actions");
        stages_free(&s->stages, s->pattern.n);
    }
    return true;
}

static bool find_stages(struct source *s, bool keep, bool exact, struct complaint *wrong)
{
    if (actions_of(&s->pattern) > ACTIONS_MOST)
        return complain(wrong, (struct place){0, 0},
                        "the nodes do more than %d actions in a period; make the loops shorter", ACTIONS_MOST);
    if (!stages_find(&s->pattern, LOWEST_FIRST, false, &s->stages, wrong) || (!exact && !other_orders(s, wrong)))
        return false;
    return stages_find(&s->pattern, LOWEST_FIRST, keep, &s->stages, wrong);
}

static bool enough_subperiods(const struct source *s, int subperiods, struct complaint *wrong)
{
    return subperiods <= 0 || subperiods >= s->stages.n ||
           complain(wrong, (struct place){0, 0},
                    "the pattern has %d stages, which %d sub-periods do not hold; ask for at least %d", s->stages.n,
                    subperiods, s->stages.n);
}

static void warn(const struct source *s, const char *file, const char *text)
{
    if (!s->stages.back)
        return;
    char shown[700];
    struct complaint c = {.place = {s->stages.back->line, s->stages.back->column}};
    snprintf(c.text, sizeof c.text,
             "warning: node %d has waited for a later moment of the period when it comes here; this W never waits",
             s->stages.back_node);
    complaint_show(&c, file, text, 4, shown, sizeof shown);
    fprintf(stderr, "realtime pmp: %s\n", shown);
}

bool source_read(struct source *s, const char *file, int bytes, int subperiods, bool exact, int ranks, char *wrong,
                 size_t room)
{
    struct complaint c = {0};
    char *text = text_load(file, FILE_MOST, "pattern", wrong, room);
    if (!text)
        return false;
    bool good = pattern_read(text, bytes, &s->pattern, &c) && pattern_check(&s->pattern, ranks, &c) &&
                find_stages(s, exact || subperiods >= 0, exact, &c) && enough_subperiods(s, subperiods, &c);
    if (good) {
        s->largest = calloc((size_t)s->pattern.n, sizeof *s->largest);
        good = s->largest || complain(&c, (struct place){0, 0}, "no memory for %d nodes", s->pattern.n);
    }
    for (int i = 0; good && i < s->pattern.n; i++)
        code_visit(&s->pattern.nodes[i], note_largest, s->largest);
    if (good)
        warn(s, file, text);
    else
        complaint_show(&c, file, text, 4, wrong, room);
    free(text);
    return good;
}

void source_free(struct source *s)
{
    stages_free(&s->stages, s->pattern.n);
    pattern_free(&s->pattern);
    free(s->largest);
}
