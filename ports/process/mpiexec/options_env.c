/* options_env.c: variables of the ranks' environment. Launchers differ: "-x NAME=VALUE" and "-x NAME", which passes on what is there, "-genv NAME VALUE"
 * for all ranks, "-env NAME VALUE" for those of one program. Of two values the later counts, and a program's own before that of all.
 */
#include <stdlib.h>
#include <string.h>

#include "options_parser.h"

static int same_name(const char *one, const char *other)
{
    size_t len = strcspn(one, "=");
    return strncmp(one, other, len + 1) == 0;
}

static int add_all(struct parser *p, const char *text)
{
    struct options *o = p->o;
    int i = 0;
    while (i < o->envs && !same_name(text, o->env[i]))
        i++;
    if (i == OPTIONS_ENV)
        return options_wrong(p, "%s: more than %d variables", p->name, OPTIONS_ENV);
    o->env[i] = text;
    o->envs += i == o->envs;
    return 0;
}

static int add_own(struct parser *p, const char *text)
{
    struct options *o = p->o;
    int i = 0;
    while (i < o->owns && (o->own[i].part != o->parts || !same_name(text, o->own[i].text)))
        i++;
    if (i == OPTIONS_ENV)
        return options_wrong(p, "%s: more than %d variables", p->name, OPTIONS_ENV);
    o->own[i] = (struct own_variable){o->parts, text};
    o->owns += i == o->owns;
    return 0;
}

/* "NAME=VALUE", also of two words. NULL: said what is wrong. */
static const char *pair(struct parser *p, const char *word)
{
    const char *equals = strchr(word, '=');
    if (!*word || equals == word) {
        options_wrong(p, "%s needs NAME=VALUE or NAME VALUE, not '%s'", p->name, word);
        return NULL;
    }
    const char *value = equals ? NULL : options_next(p);
    return equals ? word : value ? options_join(p, word, "=", value) : NULL;
}

int options_env_all(struct parser *p, const struct option *opt, char *value)
{
    const char *text = pair(p, value);
    (void)opt;
    return text ? add_all(p, text) : -1;
}

int options_env_own(struct parser *p, const struct option *opt, char *value)
{
    const char *text = pair(p, value);
    (void)opt;
    return text ? add_own(p, text) : -1;
}

int options_env_pass(struct parser *p, const struct option *opt, char *value)
{
    (void)opt;
    if (!*value || *value == '=' || *value == '-')
        return options_wrong(p, "%s needs NAME or NAME=VALUE, not '%s'", p->name, value);
    if (strchr(value, '='))
        return add_all(p, value);
    if (!getenv(value)) /* what is there is passed on anyway */
        options_notice(p, "%s %s: there is no such variable to pass on", p->name, value);
    return 0;
}

/* Both ends of a job are the same here: a rank that dies takes the others along. */
int options_errhandler(struct parser *p, const struct option *opt, char *value)
{
    (void)opt;
    if (strcmp(value, "mpi_errors_return") == 0)
        return add_own(p, "MPICO_ERRORS_RETURN=1");
    if (strcmp(value, "mpi_errors_are_fatal") == 0 || strcmp(value, "mpi_errors_abort") == 0)
        return add_own(p, "MPICO_ERRORS_RETURN=0");
    return options_wrong(p, "%s is mpi_errors_are_fatal, mpi_errors_abort or mpi_errors_return, not '%s'", p->name,
                         value);
}
