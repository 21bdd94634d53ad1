/* options_place.c: where ranks are to run, and how many there. There is one host, this one: lists of hosts may name it, as often as they like, and
 * no other.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "here.h"
#include "options_parser.h"

enum { HOST_ROOM = 256, LINE_ROOM = 1024 };

/* ---- Hosts ---- */

/* "NAME" or "NAME:SLOTS", of `len` bytes. */
static int host(struct parser *p, const char *text, size_t len)
{
    char name[HOST_ROOM];
    long slots = 1;
    if (len == 0 || len >= sizeof name)
        return options_wrong(p, "%s: '%.*s' is no host", p->name, len < 40 ? (int)len : 40, text);
    memcpy(name, text, len);
    name[len] = 0;
    char *colon = strrchr(name, ':');
    if (colon && strchr(name, ':') == colon) { /* an address of IPv6 has several */
        *colon = 0;
        if (options_whole(colon + 1, 1, OPTIONS_FIBERS, &slots))
            return options_wrong(p, "%s: '%s' is no number of slots", p->name, colon + 1);
    }
    if (!here_is(name))
        return options_wrong(p, "%s: '%s' is another host: ranks run on this one alone (%s)", p->name, name,
                             here_name());
    p->slots = p->slots + slots < OPTIONS_FIBERS ? p->slots + (int)slots : OPTIONS_FIBERS;
    return 0;
}

int options_hosts(struct parser *p, const struct option *opt, char *value)
{
    (void)opt;
    for (const char *at = value;; at++) {
        size_t len = strcspn(at, ",");
        if (host(p, at, len))
            return -1;
        at += len;
        if (!*at)
            return 0;
    }
}

/* "NAME", "NAME:SLOTS" or "NAME slots=SLOTS"; other words say what does not matter on one host. */
static int host_line(struct parser *p, char *line)
{
    static const char blanks[] = " \t\r\n";
    char *save, *name, *word;
    line[strcspn(line, "#")] = 0;
    name = strtok_r(line, blanks, &save);
    if (!name)
        return 0;
    int before = p->slots;
    if (host(p, name, strlen(name)))
        return -1;
    while ((word = strtok_r(NULL, blanks, &save))) {
        long slots;
        if (strncmp(word, "slots=", 6) != 0)
            continue;
        if (options_whole(word + 6, 0, OPTIONS_FIBERS, &slots))
            return options_wrong(p, "%s: '%s' is no number of slots", p->name, word + 6);
        p->slots = before + slots < OPTIONS_FIBERS ? before + (int)slots : OPTIONS_FIBERS;
    }
    return 0;
}

int options_hostfile(struct parser *p, const struct option *opt, char *value)
{
    char line[LINE_ROOM];
    int e = 0;
    FILE *in = fopen(value, "re");
    (void)opt;
    if (!in)
        return options_wrong(p, "%s: cannot read '%s': %s", p->name, value, strerror(errno));
    while (!e && fgets(line, sizeof line, in))
        e = host_line(p, line);
    if (!e && ferror(in))
        e = options_wrong(p, "%s: cannot read '%s': %s", p->name, value, strerror(errno));
    fclose(in);
    return e;
}

int options_arch(struct parser *p, const struct option *opt, char *value)
{
    (void)opt;
    return here_runs(value) ? 0 : options_wrong(p, "%s: this host is no '%s'", p->name, value);
}

/* ---- How many ---- */

int options_per_host(struct parser *p, const struct option *opt, char *value)
{
    long n = 1; /* of an option without a value */
    if (value && options_whole(value, 1, OPTIONS_FIBERS, &n))
        return options_wrong(p, "%s needs a number of ranks a host, not '%s'", p->name, value);
    p->a_host = (int)n;
    p->a_host_at_most = opt->what;
    return 0;
}

/* A number at *text; past it. */
static int soft_number(const char **text, long *out)
{
    char *end;
    errno = 0;
    *out = strtol(*text, &end, 10);
    if (end == *text || errno || *out < -OPTIONS_FIBERS || *out > OPTIONS_FIBERS)
        return -1;
    *text = end;
    return 0;
}

/* One "A", "A:B" or "A:B:STEP": the largest of its numbers up to `most`, in *best if it is larger. 0 or negative. */
static int soft_triplet(const char **text, long most, long *best)
{
    long a, b, step = 1;
    if (soft_number(text, &a))
        return -1;
    b = a;
    if (**text == ':' && (++*text, soft_number(text, &b)))
        return -1;
    if (**text == ':' && (++*text, soft_number(text, &step)))
        return -1;
    if (step == 0 || (b > a && step < 0) || (b < a && step > 0) || (**text && **text != ','))
        return -1;
    for (long n = a; step > 0 ? n <= b : n >= b; n += step) /* at most 200,001 */
        if (n <= most && n > *best)
            *best = n;
    return 0;
}

/* The largest number up to `most` in the comma-separated triplets of the standard (MPI 5.0, section 11.8.4). 0: there is none; negative:
 * they are none. */
static long soft_best(const char *text, long most)
{
    long best = 0;
    for (;; text++) {
        if (soft_triplet(&text, most, &best))
            return -1;
        if (!*text)
            return best;
    }
}

int options_soft(struct parser *p, const struct option *opt, char *value)
{
    (void)opt;
    if (soft_best(value, OPTIONS_FIBERS) < 0)
        return options_wrong(p, "%s needs numbers as in 2, 2:8 or 2:8:2, with commas between, not '%s'", p->name,
                             value);
    p->soft = value;
    return 0;
}

int options_ranks(struct parser *p)
{
    int n = p->count ? p->count : p->a_host ? p->a_host : p->slots ? p->slots : 1;
    if (p->count > p->a_host && p->a_host && p->a_host_at_most)
        return options_wrong(p, "%d ranks with %d a host would need another host, and there is this one alone",
                             p->count, p->a_host);
    if (p->soft && (n = (int)soft_best(p->soft, n)) == 0)
        return options_wrong(p, "-soft %s: none of these numbers is between 1 and -n", p->soft);
    p->now.ranks = n;
    p->count = 0;
    p->soft = NULL;
    return 0;
}
