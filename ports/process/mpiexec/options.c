/* options.c: the words of the command line, one after the other; the first that is no option is a program, and
 * all words up to the next ':' are its arguments.
 */
#include "options.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "near.h"
#include "options_parser.h"

int options_wrong(struct parser *p, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(p->why, p->room, format, list);
    va_end(list);
    return -1;
}

void options_notice(struct parser *p, const char *format, ...)
{
    char *text = p->o->notices;
    size_t len = strlen(text), room = sizeof p->o->notices - len;
    va_list list;
    va_start(list, format);
    int n = vsnprintf(text + len, room, format, list);
    va_end(list);
    if (n >= 0 && (size_t)n + 1 < room)
        strcpy(text + len + n, "\n");
    else
        text[len] = 0; /* no room: lines are whole or not there */
}

static int is(const char *word, const char *one, const char *other)
{
    return strcmp(word, one) == 0 || strcmp(word, other) == 0;
}

char *options_next(struct parser *p)
{
    if (*p->word && !is(*p->word, ":", ""))
        return *p->word++;
    options_wrong(p, "%s needs a value", p->name);
    return NULL;
}

const char *options_join(struct parser *p, const char *one, const char *between, const char *other)
{
    struct options *o = p->o;
    char *text = o->pool + o->pooled;
    size_t room = sizeof o->pool - o->pooled, len = strlen(one) + strlen(between) + strlen(other) + 1;
    if (len > room) {
        options_wrong(p, "%s: more than %d bytes of variables", p->name, OPTIONS_POOL);
        return NULL;
    }
    snprintf(text, room, "%s%s%s", one, between, other);
    o->pooled += (unsigned)len;
    return text;
}

/* ---- Options ---- */

static size_t dashes(const char *word) { return strncmp(word, "--", 2) == 0 ? 2 : 1; }

static int unknown(struct parser *p, const char *word)
{
    const char *meant = NULL;
    int best = 0;
    for (int i = 0; i < options_in_table; i++) {
        int score = near_score(word + dashes(word), options_table[i].name);
        if (score > best) {
            best = score;
            meant = options_table[i].name;
        }
    }
    if (meant)
        return options_wrong(p, "unknown option '%s'; did you mean --%s?", word, meant);
    return options_wrong(p, "unknown option '%s'", word);
}

static const struct option *row_of(const char *name, size_t len)
{
    for (int i = 0; i < options_in_table; i++)
        if (strlen(options_table[i].name) == len && strncmp(options_table[i].name, name, len) == 0)
            return &options_table[i];
    return NULL;
}

/* At an option: past it and its values, or negative. "--name=value" is fine for the long ones. */
static int option(struct parser *p)
{
    char *word = *p->word++, *equals = dashes(word) == 2 ? strchr(word, '=') : NULL;
    size_t len = equals ? (size_t)(equals - word) : strlen(word);
    const struct option *row = row_of(word + dashes(word), len - dashes(word));
    if (!row)
        return unknown(p, word);
    snprintf(p->name, sizeof p->name, "%.*s", (int)len, word);
    if (row->values == 0)
        return equals ? options_wrong(p, "%s takes no value", p->name) : row->take(p, row, NULL);
    char *value = equals ? equals + 1 : options_next(p);
    return value ? row->take(p, row, value) : -1;
}

/* ---- Programs ---- */

/* At a program: past its arguments and the ':' behind them. */
static int program(struct parser *p)
{
    struct options *o = p->o;
    if (o->parts == OPTIONS_PARTS)
        return options_wrong(p, "more than %d programs", OPTIONS_PARTS);
    if (options_ranks(p))
        return -1;
    p->now.argv = p->word;
    while (*p->word && strcmp(*p->word, ":"))
        p->word++;
    o->ranks += p->now.ranks; /* <= 64 * 100000 */
    o->part[o->parts++] = p->now;
    p->now = (struct part){0};
    if (!*p->word)
        return 0;
    *p->word++ = NULL;
    return *p->word ? 0 : options_wrong(p, "no program after ':'");
}

/* What only all words together tell. */
static int whole(struct parser *p)
{
    const struct options *o = p->o;
    int most = o->fibers ? OPTIONS_FIBERS : OPTIONS_RANKS;
    const char *more = o->fibers ? "" : "; --fibers and --machine run more";
    if (o->ranks > most)
        return o->parts == 1 ? options_wrong(p, "-n %d: between 1 and %d ranks%s", o->ranks, most, more)
                             : options_wrong(p, "%d ranks: at most %d%s", o->ranks, most, more);
    if (o->threads && (!o->fibers || o->machine))
        return options_wrong(p, "--threads is for --fibers%s", o->machine ? ", not for --machine" : "");
    if (!o->fibers && (o->stack_bytes || o->spin_timeout_s >= 0))
        return options_wrong(p, "--stack and --spin-timeout are for --fibers and --machine");
    if (!o->machine && (o->discipline || o->host_time))
        return options_wrong(p, "--discipline and --host-time are for --machine");
    if (o->board && (o->fibers || o->trace))
        return options_wrong(p, "--board excludes --fibers, --machine and --trace");
    if (!o->board && (o->faults || o->noise > 0))
        return options_wrong(p, "--cut, --kill, --babble and --noise are for --board");
    if (o->trace_limit_mb && !o->trace)
        return options_wrong(p, "--trace-limit is for --trace");
    for (int i = 0; i < o->parts; i++)
        if (o->part[i].path && (o->fibers || o->board))
            return options_wrong(
                p, "-path is for processes: with --fibers, --machine and --board name the program's file");
    if (o->owns && o->parts > 1 && (o->fibers || o->board))
        return options_wrong(p, "-env: with --fibers, --machine and --board all ranks have one environment; use -genv");
    return 0;
}

/* The variables of a program that is alone are those of all. */
static int own_of_all(struct parser *p)
{
    static const struct option all = {.take = options_env_all};
    struct options *o = p->o;
    strcpy(p->name, "-env");
    for (int i = 0; i < o->owns && o->parts == 1; i++)
        if (all.take(p, &all, (char *)(uintptr_t)o->own[i].text))
            return -1;
    o->owns = o->parts == 1 ? 0 : o->owns;
    return 0;
}

/* An option, or a program, or what is neither. 1: the words have begun a part whose program has not come yet. */
static int word(struct parser *p, int *open)
{
    if (**p->word == '-') {
        *open = 1;
        return option(p);
    }
    if (**p->word == 0 || strcmp(*p->word, ":") == 0)
        return options_wrong(p, "a program is missing before '%s'", *p->word);
    *open = 0;
    return program(p);
}

enum options_result options_parse(struct options *o, int argc, char **argv, char *why, unsigned room)
{
    *o = (struct options){.spin_timeout_s = -1};
    struct parser p = {.o = o, .word = argc > 0 ? argv + 1 : argv, .why = why, .room = room};
    int open = 1; /* a part has begun, its program has not come yet */
    while (*p.word) {
        if (is(*p.word, "-h", "--help") || strcmp(*p.word, "-help") == 0)
            return OPTIONS_HELP;
        if (strcmp(*p.word, "--help-env") == 0)
            return OPTIONS_HELP_ENV;
        if (is(*p.word, "--version", "-version") || strcmp(*p.word, "-V") == 0)
            return OPTIONS_VERSION;
        if (word(&p, &open))
            return OPTIONS_WRONG;
    }
    if (open) {
        options_wrong(&p, o->parts ? "no program after ':'" : "no program to start");
        return OPTIONS_WRONG;
    }
    o->world = o->ranks;
    if (*p.ignored)
        options_notice(&p, "no effect here: %s", p.ignored);
    return whole(&p) || own_of_all(&p) ? OPTIONS_WRONG : OPTIONS_RUN;
}
