/* options.c: the arguments of a subcommand. */
#include "common/options.h"

#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    const char *program;
    const struct option_spec *specs;
    int n;
    char *wrong;
    size_t room;
};

static bool on_rank_0(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == 0;
}

int refuse(const char *subcommand, const char *sentence)
{
    if (!sentence[0])
        return 0;
    if (on_rank_0())
        fprintf(stderr, "realtime %s: %s\n", subcommand, sentence);
    return 2;
}

bool size_read(const char *text, double most, double *value)
{
    char *end;
    double n = strtod(text, &end);
    if (end == text)
        return false;
    const char *suffix = "KMG", *at = *end ? strchr(suffix, *end) : NULL;
    if (at) {
        n *= ldexp(1, 10 * (int)(at - suffix + 1));
        end++;
    }
    if (*end || !(n >= 0 && n <= most) || n != floor(n))
        return false;
    *value = n;
    return true;
}

static const char *plain_name(const struct option_spec *o) { return o->name + strspn(o->name, "-"); }

static void print_help(const struct reading *r)
{
    static const char *const values[] = {"", " N", " X", " TEXT"};
    printf("Options of realtime %s:\n", r->program);
    for (int i = 0; i < r->n; i++) {
        char left[40];
        snprintf(left, sizeof left, "--%s%s", plain_name(&r->specs[i]), values[r->specs[i].kind]);
        printf("  %-24s %s\n", left, r->specs[i].help ? r->specs[i].help : "");
    }
    fflush(stdout);
}

/* The option called that; *yes is false for --no-NAME of a flag. */
static const struct option_spec *named(const struct reading *r, const char *name, size_t len, bool *yes)
{
    *yes = true;
    for (int i = 0; i < r->n; i++)
        if (strlen(plain_name(&r->specs[i])) == len && strncmp(plain_name(&r->specs[i]), name, len) == 0)
            return &r->specs[i];
    *yes = false;
    for (int i = 0; len > 3 && strncmp(name, "no-", 3) == 0 && i < r->n; i++)
        if (r->specs[i].kind == OPT_FLAG && strlen(plain_name(&r->specs[i])) == len - 3 &&
            strncmp(plain_name(&r->specs[i]), name + 3, len - 3) == 0)
            return &r->specs[i];
    return NULL;
}

static bool wrong_number(const struct reading *r, const struct option_spec *o, const char *value)
{
    snprintf(r->wrong, r->room, "--%s wants a %snumber from %.15g to %.15g, not '%.40s'", plain_name(o),
             o->kind == OPT_WHOLE ? "whole " : "", o->least, o->most, value);
    return false;
}

static bool store_whole(const struct reading *r, const struct option_spec *o, const char *value)
{
    double n = 0;
    bool negative = value[0] == '-';
    if (!size_read(value + negative, INT_MAX, &n))
        return wrong_number(r, o, value);
    n = negative ? -n : n;
    if (n < o->least || n > o->most)
        return wrong_number(r, o, value);
    *(int *)o->to = (int)n;
    return true;
}

static bool store_real(const struct reading *r, const struct option_spec *o, const char *value)
{
    char *end;
    double x = strtod(value, &end);
    if (end == value || *end || !(x >= o->least && x <= o->most))
        return wrong_number(r, o, value);
    *(double *)o->to = x;
    return true;
}

static bool store(const struct reading *r, const struct option_spec *o, const char *value)
{
    switch (o->kind) {
    case OPT_WHOLE:
        return store_whole(r, o, value);
    case OPT_REAL:
        return store_real(r, o, value);
    case OPT_TEXT:
        *(const char **)o->to = value;
        return true;
    case OPT_FLAG:
        break;
    }
    return false;
}

static bool complain(const struct reading *r, const char *what, const char *arg)
{
    snprintf(r->wrong, r->room, "%s '%.60s'; see realtime %s --help", what, arg, r->program);
    return false;
}

/* The option at argv[*i], and its value, which may be the next argument. */
static bool read_one(const struct reading *r, int argc, char **argv, int *i)
{
    const char *arg = argv[*i], *name = arg + 2;
    size_t len = strcspn(name, "=");
    bool yes;
    const struct option_spec *o = named(r, name, len, &yes);
    if (!o)
        return complain(r, "no such option:", arg);
    if (o->kind == OPT_FLAG) {
        if (name[len])
            return complain(r, "this option takes no value:", arg);
        *(bool *)o->to = yes;
        return true;
    }
    if (name[len])
        return store(r, o, name + len + 1);
    if (*i + 1 >= argc)
        return complain(r, "a value is missing after", arg);
    return store(r, o, argv[++*i]);
}

bool options_read(const char *program, const struct option_spec *specs, int n, int *argc, char **argv, char *wrong,
                  size_t room)
{
    struct reading r = {program, specs, n, wrong, room};
    int kept = 1;
    wrong[0] = '\0';
    for (int i = 1; i < *argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            if (on_rank_0())
                print_help(&r);
            return false;
        }
        if (strncmp(argv[i], "--", 2) != 0)
            argv[kept++] = argv[i];
        else if (!read_one(&r, *argc, argv, &i))
            return false;
    }
    *argc = kept;
    return true;
}
