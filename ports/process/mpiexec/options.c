/* options.c: the words of the command line, one after the other; the first that is no option is a program, and
 * all words up to the next ':' are its arguments.
 */
#include "options.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char options_help[] =
    "usage: mpiexec [-n RANKS] [options] PROGRAM [ARGUMENTS] [: -n RANKS PROGRAM2 [ARGUMENTS]]...\n"
    "\n"
    "  -n, -np RANKS        processes to start (1)\n"
    "  -wdir DIR            their working directory\n"
    "  -x, -env NAME=VALUE  set an environment variable in all ranks\n"
    "  -l, --prefix         begin each line of output with its rank, as in \"[3] \"\n"
    "  --stdin none|0       who reads the standard input: nobody, or rank 0 (the default)\n"
    "  --timeout SECONDS    end the job after this time (exit status 124)\n"
    "  --hang-timeout SECONDS\n"
    "                       end the job when no message has moved for this long while a rank waits for one\n"
    "  -q                   do not say why a job failed\n"
    "  -h, --help           this text\n"
    "  --version            the version\n"
    "\n"
    "The exit status is that of the first rank that failed (128 + N for signal N). When all ranks wait for each\n"
    "other the job is ended, and who waits for whom is shown; SIGQUIT (Ctrl-\\) shows it at any time.\n";

struct parser {
    struct options *o;
    struct part now; /* the part that is being read */
    char **word;
    char *why;
    unsigned room;
};

__attribute__((format(printf, 2, 3))) static int wrong(struct parser *p, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(p->why, p->room, format, list);
    va_end(list);
    return -1;
}

/* ---- One function a kind of value; `name` is the option ---- */

static int take_ranks(struct parser *p, const char *name, char *value)
{
    char *end;
    errno = 0;
    long n = strtol(value, &end, 10);
    if (end == value || *end)
        return wrong(p, "%s needs a number, not '%s'", name, value);
    if (errno || n < 1 || n > OPTIONS_RANKS)
        return wrong(p, "%s %s: between 1 and %d ranks", name, value, OPTIONS_RANKS);
    p->now.ranks = (int)n;
    return 0;
}

static int take_wdir(struct parser *p, const char *name, char *value)
{
    (void)name;
    p->now.wdir = value;
    return 0;
}

static int take_env(struct parser *p, const char *name, char *value)
{
    if (!strchr(value, '=') || *value == '=')
        return wrong(p, "%s needs NAME=VALUE, not '%s'", name, value);
    if (p->o->envs == OPTIONS_ENV)
        return wrong(p, "%s: more than %d variables", name, OPTIONS_ENV);
    p->o->env[p->o->envs++] = value;
    return 0;
}

static int take_stdin(struct parser *p, const char *name, char *value)
{
    if (strcmp(value, "none") && strcmp(value, "0"))
        return wrong(p, "%s is 'none' or '0', not '%s'", name, value);
    p->o->no_stdin = *value == 'n';
    return 0;
}

static int seconds(struct parser *p, const char *name, const char *value, double *out)
{
    char *end;
    double s = strtod(value, &end);
    if (end == value || *end || !isfinite(s) || s <= 0 || s > 1e9)
        return wrong(p, "%s needs a number of seconds, not '%s'", name, value);
    *out = s;
    return 0;
}

static int take_timeout(struct parser *p, const char *name, char *value)
{
    return seconds(p, name, value, &p->o->timeout_s);
}

static int take_hang_timeout(struct parser *p, const char *name, char *value)
{
    return seconds(p, name, value, &p->o->hang_timeout_s);
}

static const struct {
    const char *name;
    int (*take)(struct parser *, const char *name, char *value);
} valued[] = {
    {"-n", take_ranks},         {"-np", take_ranks},
    {"--np", take_ranks},       {"-wdir", take_wdir},
    {"--wdir", take_wdir},      {"-x", take_env},
    {"-env", take_env},         {"--env", take_env},
    {"-genv", take_env},        {"--stdin", take_stdin},
    {"-stdin", take_stdin},     {"--timeout", take_timeout},
    {"-timeout", take_timeout}, {"--hang-timeout", take_hang_timeout},
};

/* ---- */

static int is(const char *word, const char *one, const char *other)
{
    return strcmp(word, one) == 0 || strcmp(word, other) == 0;
}

/* An option without a value: 1 when it was one. */
static int flag(struct options *o, const char *word)
{
    if (is(word, "-l", "--prefix"))
        o->prefix = 1;
    else if (is(word, "-q", "--quiet"))
        o->quiet = 1;
    else
        return 0;
    return 1;
}

/* At an option: past it, or negative. "--name=value" is fine for the long ones. */
static int option(struct parser *p)
{
    char *word = *p->word++;
    if (flag(p->o, word))
        return 0;
    char *equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
    size_t len = equals ? (size_t)(equals - word) : strlen(word);
    for (size_t i = 0; i < sizeof valued / sizeof valued[0]; i++) {
        const char *name = valued[i].name;
        if (strlen(name) != len || strncmp(name, word, len))
            continue;
        if (equals)
            return valued[i].take(p, name, equals + 1);
        if (!*p->word || is(*p->word, ":", ""))
            return wrong(p, "%s needs a value", name);
        return valued[i].take(p, name, *p->word++);
    }
    return wrong(p, "unknown option '%s'", word);
}

/* At a program: past its arguments and the ':' behind them. */
static int program(struct parser *p)
{
    struct options *o = p->o;
    if (o->parts == OPTIONS_PARTS)
        return wrong(p, "more than %d programs", OPTIONS_PARTS);
    p->now.argv = p->word;
    while (*p->word && strcmp(*p->word, ":"))
        p->word++;
    o->ranks += p->now.ranks; /* <= 64 * 1024 */
    if (o->ranks > OPTIONS_RANKS)
        return wrong(p, "%d ranks: at most %d", o->ranks, OPTIONS_RANKS);
    o->part[o->parts++] = p->now;
    p->now = (struct part){.ranks = 1};
    if (!*p->word)
        return 0;
    *p->word++ = NULL;
    return *p->word ? 0 : wrong(p, "no program after ':'");
}

enum options_result options_parse(struct options *o, int argc, char **argv, char *why, unsigned room)
{
    *o = (struct options){0};
    struct parser p = {.o = o, .now = {.ranks = 1}, .word = argc > 0 ? argv + 1 : argv, .why = why, .room = room};
    int open = 1; /* a part has begun, its program has not come yet */
    while (*p.word) {
        if (is(*p.word, "-h", "--help"))
            return OPTIONS_HELP;
        if (is(*p.word, "--version", "-version"))
            return OPTIONS_VERSION;
        int e;
        if (**p.word == '-') {
            e = option(&p);
            open = 1;
        } else if (**p.word == 0 || strcmp(*p.word, ":") == 0) {
            e = wrong(&p, "a program is missing before '%s'", *p.word);
        } else {
            e = program(&p);
            open = 0;
        }
        if (e)
            return OPTIONS_WRONG;
    }
    if (open) {
        wrong(&p, o->parts ? "no program after ':'" : "no program to start");
        return OPTIONS_WRONG;
    }
    return OPTIONS_RUN;
}
