/* options_foreign.c: options of other launchers that ask for nothing, or for what is not there. */
#include <stdio.h>
#include <string.h>

#include "options_parser.h"

int options_same(struct parser *p, const struct option *opt, char *value)
{
    (void)p, (void)opt, (void)value;
    return 0;
}

/* Named in one line at the end (options.c). */
int options_ignored(struct parser *p, const struct option *opt, char *value)
{
    const char *second = opt->what > 1 ? options_next(p) : "";
    if (!second)
        return -1;
    size_t len = strlen(p->ignored);
    snprintf(p->ignored + len, sizeof p->ignored - len, "%s%s%s%s%s%s", len ? ", " : "", p->name, value ? " " : "",
             value ? value : "", *second ? " " : "", second);
    return 0;
}

int options_bind(struct parser *p, const struct option *opt, char *value)
{
    return strcmp(value, "none") == 0 ? 0 : options_ignored(p, opt, value); /* none are bound */
}

int options_refused(struct parser *p, const struct option *opt, char *value)
{
    (void)value;
    return options_wrong(p, "%s: %s", p->name, opt->text);
}
