/* options_faults.c: what is to happen to a ring of boards. */
#include <math.h>
#include <stdlib.h>

#include "options_parser.h"

/* "RANK", or "RANK-RANK" for a wire; then "@SECONDS", "@+SECONDS", or nothing. */
static int read_fault(struct fault *f, const char *value)
{
    char *end;
    long rank = strtol(value, &end, 10), other = rank;
    if (end == value || rank < 0 || rank >= OPTIONS_RANKS)
        return -1;
    if (f->kind == FAULT_CUT) {
        const char *second = end + 1;
        other = *end == '-' ? strtol(second, &end, 10) : -1;
        if (other < 0 || other >= OPTIONS_RANKS || other == rank || end == second)
            return -1;
    }
    f->rank = (int)rank;
    f->other = (int)other;
    f->text = value;
    if (!*end)
        return 0;
    f->of_output = end[1] == '+';
    const char *time = end + 1 + f->of_output;
    f->after_s = *end == '@' ? strtod(time, &end) : -1;
    return *end || end == time || !isfinite(f->after_s) || f->after_s < 0 ? -1 : 0;
}

int options_fault(struct parser *p, const struct option *opt, char *value)
{
    struct fault f = {.kind = (enum fault_kind)opt->what};
    const char *who = f.kind == FAULT_CUT ? "RANK-RANK" : "RANK";
    if (read_fault(&f, value))
        return options_wrong(p, "%s needs %s or %s@SECONDS, not '%s'", p->name, who, who, value);
    if (p->o->faults == OPTIONS_FAULTS)
        return options_wrong(p, "%s: more than %d faults", p->name, OPTIONS_FAULTS);
    p->o->fault[p->o->faults++] = f;
    return 0;
}

int options_noise(struct parser *p, const struct option *opt, char *value)
{
    char *end;
    double rate = strtod(value, &end);
    (void)opt;
    if (end == value || *end || !(rate >= 0) || rate > 1)
        return options_wrong(p, "%s needs a probability from 0 to 1, not '%s'", p->name, value);
    p->o->noise = rate;
    return 0;
}
