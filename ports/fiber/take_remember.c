/* take_remember.c: what functions of the C library remember from one call to the next, or leave in memory of their own
 * for the caller to read: a rank has it itself, as other ranks call them while it waits.
 */
#include <argp.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "image.h"
#include "own.h"

static struct remembered *remembered(void)
{
    struct fiber *f = fiber_self();
    if (!f)
        return NULL;
    if (!f->own->remembered && !(f->own->remembered = calloc(1, sizeof *f->own->remembered)))
        fiber_end_job(f, 1, "no memory for what the C library remembers");
    return f->own->remembered;
}

/* ---- Words ---- */

char *strtok(char *restrict text, const char *restrict between)
{
    struct remembered *m = remembered();
    if (m)
        return strtok_r(text, between, &m->token);
    char *(*real)(char *, const char *) = fiber_real("strtok");
    return real(text, between);
}

/* ---- Times ---- */

static void *own_variable(const char *name, const char *alias)
{
    const struct fiber_own *own = fiber_self()->own;
    void *p = images_symbol(own->images, own->copy, name);
    return p ? p : images_symbol(own->images, own->copy, alias);
}

/* The C library reads the process's TZ: it becomes the rank's. And what it says of the zone goes to the variables that the
 * program has in its own memory. */
void tzset(void)
{
    static void (*real)(void);
    if (!real)
        real = fiber_real("tzset");
    struct remembered *m = remembered();
    if (m) {
        const char *own = getenv("TZ");
        struct fiber *f = fiber_step_out();
        const char *of_process = getenv("TZ");
        if (own && (!of_process || strcmp(own, of_process)))
            setenv("TZ", own, 1);
        else if (!own && of_process)
            unsetenv("TZ");
        fiber_step_in(f);
    }
    real();
    if (!m)
        return;
    if (!m->zone_known) {
        m->zone_known = 1;
        m->zone_names = own_variable("tzname", "__tzname");
        m->zone_seconds = own_variable("timezone", "__timezone");
        m->zone_summer = own_variable("daylight", "__daylight");
    }
    if (m->zone_names)
        memcpy(m->zone_names, tzname, sizeof tzname);
    if (m->zone_seconds)
        *m->zone_seconds = timezone;
    if (m->zone_summer)
        *m->zone_summer = daylight;
}

struct tm *gmtime(const time_t *t)
{
    struct remembered *m = remembered();
    if (m)
        return gmtime_r(t, &m->time);
    struct tm *(*real)(const time_t *) = fiber_real("gmtime");
    return real(t);
}

struct tm *localtime_r(const time_t *restrict t, struct tm *restrict out)
{
    struct tm *(*real)(const time_t *, struct tm *) = fiber_real("localtime_r");
    if (fiber_self())
        tzset();
    return real(t, out);
}

struct tm *localtime(const time_t *t)
{
    struct remembered *m = remembered();
    if (m)
        return localtime_r(t, &m->time);
    struct tm *(*real)(const time_t *) = fiber_real("localtime");
    return real(t);
}

time_t mktime(struct tm *t)
{
    time_t (*real)(struct tm *) = fiber_real("mktime");
    if (fiber_self())
        tzset();
    return real(t);
}

char *asctime(const struct tm *t)
{
    struct remembered *m = remembered();
    if (m)
        return asctime_r(t, m->time_text);
    char *(*real)(const struct tm *) = fiber_real("asctime");
    return real(t);
}

char *ctime_r(const time_t *t, char *text)
{
    struct tm broken;
    return localtime_r(t, &broken) ? asctime_r(&broken, text) : NULL;
}

char *ctime(const time_t *t)
{
    struct tm *broken = localtime(t);
    return broken ? asctime(broken) : NULL;
}

/* ---- The hash table ---- */

int hcreate(size_t entries)
{
    struct remembered *m = remembered();
    if (m)
        return hcreate_r(entries, &m->table);
    int (*real)(size_t) = fiber_real("hcreate");
    return real(entries);
}

ENTRY *hsearch(ENTRY item, ACTION action)
{
    struct remembered *m = remembered();
    if (!m) {
        ENTRY *(*real)(ENTRY, ACTION) = fiber_real("hsearch");
        return real(item, action);
    }
    ENTRY *found;
    return hsearch_r(item, action, &found, &m->table) ? found : NULL;
}

void hdestroy(void)
{
    struct remembered *m = remembered();
    if (m) {
        hdestroy_r(&m->table);
        return;
    }
    void (*real)(void) = fiber_real("hdestroy");
    real();
}

/* ---- Options of argp ---- */

static void copy_own(const char *name, void *to, size_t bytes)
{
    const struct fiber_own *own = fiber_self()->own;
    const void *from = images_symbol(own->images, own->copy, name);
    if (from)
        memcpy(to, from, bytes);
}

/* What a program defines in the C library's stead is not found there, as that was loaded first. */
error_t argp_parse(const struct argp *restrict argp, int argc, char **restrict argv, unsigned flags,
                   int *restrict index, void *restrict input)
{
    error_t (*real)(const struct argp *, int, char **, unsigned, int *, void *) = fiber_real("argp_parse");
    if (fiber_self()) {
        copy_own("argp_program_version", &argp_program_version, sizeof argp_program_version);
        copy_own("argp_program_version_hook", &argp_program_version_hook, sizeof argp_program_version_hook);
        copy_own("argp_program_bug_address", &argp_program_bug_address, sizeof argp_program_bug_address);
        copy_own("argp_err_exit_status", &argp_err_exit_status, sizeof argp_err_exit_status);
    }
    return real(argp, argc, argv, flags, index, input);
}
