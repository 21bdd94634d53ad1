/* getopt.c: getopt() of a rank (POSIX.1-2017, and the GNU extensions: long options, words in any order). The C
 * library's own keeps its place in hidden variables that all ranks would share, so a rank gets this one, with its
 * place in the fiber. The four variables that a program sees are its own too (image_private.c), whichever of them it
 * names.
 *
 * Invariant: argv[first_other .. last_other) are words that are no options, already passed over; they are moved
 * behind the options found after them.
 */
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "image.h"
#include "own.h"

enum { IN_ORDER = '-', POSIXLY = '+' };

struct call {
    struct getopt_state *s;
    int argc;
    char **argv;
    const char *shorts;
    const struct option *longs;
    int *long_index;
    int long_only, silent, colon; /* silent: say nothing; colon: a missing argument gives ':' */
};

__attribute__((format(printf, 2, 3))) static int complain(const struct call *c, const char *format, ...)
{
    if (!c->silent) {
        va_list list;
        va_start(list, format);
        fprintf(stderr, "%s: ", c->argv[0]);
        vfprintf(stderr, format, list);
        fputc('\n', stderr);
        va_end(list);
    }
    return '?';
}

/* ---- Order of the words ---- */

static int is_option(const char *word) { return word[0] == '-' && word[1]; }

static void reverse(char **word, int from, int to)
{
    while (from < --to) {
        char *w = word[from];
        word[from++] = word[to];
        word[to] = w;
    }
}

/* The options [last_other, optind) come before the others [first_other, last_other). */
static void exchange(const struct call *c, int at)
{
    struct getopt_state *s = c->s;
    reverse(c->argv, s->first_other, s->last_other);
    reverse(c->argv, s->last_other, at);
    reverse(c->argv, s->first_other, at);
    s->first_other += at - s->last_other;
    s->last_other = at;
}

/* Go to the next word to look at. 0: at an option; 1: at another word in order (returned as option 1); -1: the end. */
static int advance(const struct call *c, char order)
{
    struct getopt_state *s = c->s;
    int *at = s->optind;
    if (s->first_other > *at)
        s->first_other = *at;
    if (s->last_other > *at)
        s->last_other = *at;
    if (order == 0) {
        if (s->first_other != s->last_other && s->last_other != *at)
            exchange(c, *at);
        else if (s->last_other != *at)
            s->first_other = *at;
        while (*at < c->argc && !is_option(c->argv[*at]))
            ++*at;
        s->last_other = *at;
    }
    if (*at < c->argc && strcmp(c->argv[*at], "--") == 0) {
        ++*at;
        if (s->first_other != s->last_other && s->last_other != *at)
            exchange(c, *at);
        else if (s->first_other == s->last_other)
            s->first_other = *at;
        s->last_other = c->argc;
        *at = c->argc;
    }
    if (*at >= c->argc) {
        if (s->first_other != s->last_other)
            *at = s->first_other;
        return -1;
    }
    if (is_option(c->argv[*at]))
        return 0;
    return order == POSIXLY ? -1 : 1;
}

/* ---- Long options ---- */

static int same(const struct option *a, const struct option *b)
{
    return a->has_arg == b->has_arg && a->flag == b->flag && a->val == b->val;
}

/* The option that `name` is or begins; NULL: none, or several (*several). */
static const struct option *find_long(const struct call *c, const char *name, size_t len, int *several)
{
    const struct option *found = NULL;
    *several = 0;
    for (const struct option *o = c->longs; o->name; o++) {
        if (strncmp(o->name, name, len))
            continue;
        if (strlen(o->name) == len) {
            *several = 0;
            return o;
        }
        if (found && (c->long_only || !same(found, o)))
            *several = 1;
        else if (!found)
            found = o;
    }
    return *several ? NULL : found;
}

static int ambiguous(const struct call *c, const char *dashes, const char *name, size_t len)
{
    char names[256] = "";
    size_t at = 0;
    for (const struct option *o = c->longs; o->name; o++)
        if (strncmp(o->name, name, len) == 0 && at + strlen(o->name) + 6 < sizeof names)
            at += (size_t)sprintf(names + at, " '%s%s'", dashes, o->name);
    return complain(c, "option '%s%s' is ambiguous; possibilities:%s", dashes, name, names);
}

static int take_long(const struct call *c, const struct option *o, const char *dashes, char *value)
{
    struct getopt_state *s = c->s;
    if (value && o->has_arg == no_argument) {
        *s->optopt = o->val;
        return complain(c, "option '%s%s' doesn't allow an argument", dashes, o->name);
    }
    if (!value && o->has_arg == required_argument) {
        if (*s->optind >= c->argc) {
            *s->optopt = o->val;
            complain(c, "option '%s%s' requires an argument", dashes, o->name);
            return c->colon ? ':' : '?';
        }
        value = c->argv[(*s->optind)++];
    }
    *s->optarg = value;
    if (c->long_index)
        *c->long_index = (int)(o - c->longs);
    if (!o->flag)
        return o->val;
    *o->flag = o->val;
    return 0;
}

/* At the name behind the dashes. -1: this is a short option after all. */
static int long_option(const struct call *c, char *name, const char *dashes)
{
    int several;
    size_t len = strcspn(name, "=");
    const struct option *o = find_long(c, name, len, &several);
    if (!o && !several && dashes[1] == 0 && strchr(c->shorts, *name))
        return -1;
    ++*c->s->optind;
    c->s->next = NULL;
    *c->s->optopt = 0;
    if (several)
        return ambiguous(c, dashes, name, len);
    if (!o)
        return complain(c, "unrecognized option '%s%.*s'", dashes, (int)len, name);
    return take_long(c, o, dashes, name[len] ? name + len + 1 : NULL);
}

/* ---- Short options ---- */

static int short_option(const struct call *c)
{
    struct getopt_state *s = c->s;
    unsigned char letter = (unsigned char)*s->next++;
    const char *known = letter == ':' || letter == ';' ? NULL : strchr(c->shorts, letter);
    if (!*s->next)
        ++*s->optind;
    if (!known) {
        *s->optopt = letter;
        return complain(c, "invalid option -- '%c'", letter);
    }
    if (known[1] != ':')
        return letter;
    char *rest = *s->next ? s->next : NULL;
    s->next = NULL;
    *s->optarg = rest;
    if (rest) {
        ++*s->optind;
    } else if (known[2] != ':') {
        if (*s->optind >= c->argc) {
            *s->optopt = letter;
            complain(c, "option requires an argument -- '%c'", letter);
            return c->colon ? ':' : '?';
        }
        *s->optarg = c->argv[(*s->optind)++];
    }
    return letter;
}

static int next_option(struct call *c)
{
    struct getopt_state *s = c->s;
    char order = 0;
    if (*s->optind == 0 || !s->started) {
        *s->optind = *s->optind ? *s->optind : 1;
        s->first_other = s->last_other = *s->optind;
        s->next = NULL;
        s->started = 1;
    }
    if (*c->shorts == IN_ORDER || *c->shorts == POSIXLY)
        order = *c->shorts++;
    else if (getenv("POSIXLY_CORRECT"))
        order = POSIXLY;
    c->colon = *c->shorts == ':';
    c->silent = c->colon || !*s->opterr;
    *s->optarg = NULL;
    if (s->next && *s->next)
        return short_option(c);
    int where = advance(c, order);
    if (where < 0)
        return -1;
    char *word = c->argv[*s->optind];
    if (where == 1) {
        *s->optarg = word;
        ++*s->optind;
        return 1;
    }
    if (c->longs && word[1] == '-')
        return long_option(c, word + 2, "--");
    if (c->longs && c->long_only && (word[2] || !strchr(c->shorts, word[1]))) {
        int found = long_option(c, word + 1, "-");
        if (found != -1)
            return found;
    }
    s->next = word + 1;
    return short_option(c);
}

/* ---- Whose variables ---- */

static struct getopt_state *state_of(struct fiber *f)
{
    struct getopt_state *s = &f->own->getopt;
    if (!s->optind) {
        s->optarg = images_private(f->own->images, f->own->copy, "optarg");
        s->optind = images_private(f->own->images, f->own->copy, "optind");
        s->opterr = images_private(f->own->images, f->own->copy, "opterr");
        s->optopt = images_private(f->own->images, f->own->copy, "optopt");
    }
    return s;
}

typedef int getopt_function(int, char *const *, const char *, const struct option *, int *);

static int serve(const char *name, int argc, char *const *argv, const char *shorts, const struct option *longs,
                 int *index, int long_only)
{
    struct fiber *f = fiber_self();
    if (!f)
        return ((getopt_function *)fiber_real(name))(argc, argv, shorts, longs, index);
    struct call c = {.s = state_of(f),
                     .argc = argc,
                     .argv = (char **)(uintptr_t)argv,
                     .shorts = shorts,
                     .longs = longs,
                     .long_index = index,
                     .long_only = long_only};
    return argc < 1 ? -1 : next_option(&c);
}

/* The last two words of the real getopt() are then unused: it takes three. */
int getopt(int argc, char *const argv[], const char *shorts)
{
    return serve("getopt", argc, argv, shorts, NULL, NULL, 0);
}

int getopt_long(int argc, char *const argv[], const char *shorts, const struct option *longs, int *index)
{
    return serve("getopt_long", argc, argv, shorts, longs, index, 0);
}

int getopt_long_only(int argc, char *const argv[], const char *shorts, const struct option *longs, int *index)
{
    return serve("getopt_long_only", argc, argv, shorts, longs, index, 1);
}

int __posix_getopt(int argc, char *const argv[], const char *shorts);
int __posix_getopt(int argc, char *const argv[], const char *shorts)
{
    char posix[256] = "+";
    if (strlen(shorts) + 2 > sizeof posix)
        return getopt(argc, argv, shorts);
    strcpy(posix + 1, shorts);
    return getopt(argc, argv, *shorts == '+' || *shorts == '-' ? shorts : posix);
}
