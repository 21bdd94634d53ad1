/* options_values.c: options of mpiexec's own, one function a kind of value. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "options_parser.h"

static void *field(struct parser *p, const struct option *opt) { return (char *)p->o + opt->at; }

int options_whole(const char *text, long least, long most, long *out)
{
    char *end;
    errno = 0;
    long n = strtol(text, &end, 10);
    if (end == text || *end || errno || n < least || n > most)
        return -1;
    *out = n;
    return 0;
}

int options_flag(struct parser *p, const struct option *opt, char *value)
{
    (void)value;
    *(int *)field(p, opt) = 1;
    return 0;
}

int options_text(struct parser *p, const struct option *opt, char *value)
{
    *(const char **)field(p, opt) = value;
    return 0;
}

/* A file or a name: an option in its place means that it was forgotten. */
int options_named(struct parser *p, const struct option *opt, char *value)
{
    if (!*value || *value == '-')
        return options_wrong(p, "%s needs a %s, not '%s'", p->name,
                             opt->at == offsetof(struct options, trace) ? "file to write" : "board's name or folder",
                             value);
    return options_text(p, opt, value);
}

int options_count(struct parser *p, const struct option *opt, char *value)
{
    char *end;
    long n;
    (void)opt;
    strtol(value, &end, 10);
    if (end == value || *end)
        return options_wrong(p, "%s needs a number, not '%s'", p->name, value);
    if (options_whole(value, 1, OPTIONS_FIBERS, &n))
        return options_wrong(p, "%s %s: between 1 and %d ranks, or %d with --fibers or --machine", p->name, value,
                             OPTIONS_RANKS, OPTIONS_FIBERS);
    p->count = (int)n;
    return 0;
}

int options_wdir(struct parser *p, const struct option *opt, char *value)
{
    (void)opt;
    p->now.wdir = value;
    return 0;
}

int options_path(struct parser *p, const struct option *opt, char *value)
{
    (void)opt;
    p->now.path = value;
    return 0;
}

int options_stdin(struct parser *p, const struct option *opt, char *value)
{
    (void)opt;
    if (strcmp(value, "none") && strcmp(value, "0"))
        return options_wrong(p, "%s is 'none' or '0', not '%s'", p->name, value);
    p->o->no_stdin = *value == 'n';
    return 0;
}

int options_seconds(struct parser *p, const struct option *opt, char *value)
{
    char *end;
    double s = strtod(value, &end);
    if (end == value || *end || !isfinite(s) || s <= 0 || s > 1e9)
        return options_wrong(p, "%s needs a number of seconds, not '%s'", p->name, value);
    *(double *)field(p, opt) = s;
    return 0;
}

int options_spin_timeout(struct parser *p, const struct option *opt, char *value)
{
    static const struct option here = {.at = offsetof(struct options, spin_timeout_s)};
    (void)opt;
    if (strcmp(value, "0"))
        return options_seconds(p, &here, value);
    p->o->spin_timeout_s = 0;
    return 0;
}

int options_megabytes(struct parser *p, const struct option *opt, char *value)
{
    if (options_whole(value, 1, 1 << 20, field(p, opt)))
        return options_wrong(p, "%s needs a number of MiB from 1 to %d, not '%s'", p->name, 1 << 20, value);
    return 0;
}

int options_threads(struct parser *p, const struct option *opt, char *value)
{
    long n;
    (void)opt;
    if (options_whole(value, 1, OPTIONS_RANKS, &n))
        return options_wrong(p, "%s needs a number from 1 to %d, not '%s'", p->name, OPTIONS_RANKS, value);
    p->o->threads = (int)n;
    return 0;
}

int options_stack(struct parser *p, const struct option *opt, char *value)
{
    char *end;
    double n = strtod(value, &end), unit = 1;
    (void)opt;
    if (end > value && strchr("kKmMgG", *end) && *end) {
        unit = *end == 'k' || *end == 'K' ? 1 << 10 : *end == 'm' || *end == 'M' ? 1 << 20 : 1 << 30;
        end++;
    }
    if (end == value || *end || !(n * unit >= 16384) || n * unit > 1e12)
        return options_wrong(p, "%s needs a size from 16K on, as in 256K or 8M, not '%s'", p->name, value);
    p->o->stack_bytes = (long)(n * unit);
    return 0;
}

int options_machine(struct parser *p, const struct option *opt, char *value)
{
    (void)opt;
    if (*value == '-')
        return options_wrong(p, "%s needs a machine's name or file, not '%s'", p->name, value);
    p->o->machine = value;
    p->o->fibers = 1;
    return 0;
}
