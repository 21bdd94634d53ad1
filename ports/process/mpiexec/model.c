/* model.c: see model.h. Of the file's TOML the lines "key = number" below [loggp] and [[loggp.segment]] are read; other tables are for people
 * and for other programs. What is missing, unknown or no number there is refused: a model that is half understood would choose at random.
 */
#include "model.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine.h"
#include "runner.h"

enum { LINE = 512, SEGMENTS_MOST = 4, KEYS_MOST = 9, TEXT = 2048 };

static const double plain = 1, microsecond = 1e9, most = 7e16; /* femtoseconds; as src/model/model.c */

/* In the order of src/model/model.h. */
static const struct key {
    const char *name;
    double unit;
} machine_keys[] = {{"processors", plain},
                    {"g_us", microsecond},
                    {"step_us", microsecond},
                    {"switch_us", microsecond},
                    {"hop_us", microsecond},
                    {"copy_us_per_byte", microsecond},
                    {"combine_us_per_byte", microsecond}},
  segment_keys[] = {{"from_bytes", plain},
                    {"rendezvous", plain},
                    {"L_us", microsecond},
                    {"o_s_us", microsecond},
                    {"o_s_us_per_byte", microsecond},
                    {"o_r_us", microsecond},
                    {"o_r_us_per_byte", microsecond},
                    {"G_us_per_byte", microsecond},
                    {"copiers", plain}};

enum {
    MACHINE_KEYS = sizeof machine_keys / sizeof *machine_keys,
    SEGMENT_KEYS = sizeof segment_keys / sizeof *segment_keys
};

/* One table of the file; a value that is missing is negative. */
struct table {
    const struct key *key;
    int keys;
    double value[KEYS_MOST];
};

struct reader {
    const char *path;
    int line;
    struct table machine, segment[SEGMENTS_MOST];
    int segments;
    struct table *now; /* NULL: in a table of others */
    char *why;
    unsigned room;
};

__attribute__((format(printf, 2, 3))) static int wrong(struct reader *r, const char *format, ...)
{
    int n = snprintf(r->why, r->room, "%s:%d: ", r->path, r->line);
    va_list list;
    va_start(list, format);
    if (n >= 0 && (unsigned)n < r->room)
        vsnprintf(r->why + n, r->room - (unsigned)n, format, list);
    va_end(list);
    return -1;
}

static void table_start(struct table *t, const struct key *key, int keys)
{
    t->key = key;
    t->keys = keys;
    for (int i = 0; i < KEYS_MOST; i++)
        t->value[i] = -1;
}

static int read_header(struct reader *r, const char *text)
{
    r->now = NULL;
    if (strcmp(text, "[loggp]") == 0) {
        r->now = &r->machine;
    } else if (strcmp(text, "[[loggp.segment]]") == 0) {
        if (r->segments == SEGMENTS_MOST)
            return wrong(r, "more than %d segments", SEGMENTS_MOST);
        r->now = &r->segment[r->segments++];
        table_start(r->now, segment_keys, SEGMENT_KEYS);
    }
    return 0;
}

static int read_value(struct reader *r, const char *name, const char *text, double *value)
{
    char *end;
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        *value = *text == 't';
        return 0;
    }
    errno = 0;
    *value = strtod(text, &end);
    if (end == text || *end || errno || !isfinite(*value) || *value < 0)
        return wrong(r, "%s needs a number that is not negative, not '%s'", name, text);
    return 0;
}

static int read_pair(struct reader *r, char *text)
{
    char *equals = strchr(text, '=');
    if (!equals)
        return wrong(r, "'%s' is neither a table nor 'key = number'", text);
    size_t len = strcspn(text, " \t=");
    char *value = equals + 1 + strspn(equals + 1, " \t");
    text[len] = 0;
    for (int i = 0; i < r->now->keys; i++) {
        if (strcmp(r->now->key[i].name, text) != 0)
            continue;
        double number;
        if (read_value(r, text, value, &number))
            return -1;
        if (number * r->now->key[i].unit > most)
            return wrong(r, "%s = %s is too large", text, value);
        r->now->value[i] = number;
        return 0;
    }
    return wrong(r, "the model has no '%s'", text);
}

/* A line without its comment and without blanks around. */
static char *trimmed(char *line)
{
    char *text = line + strspn(line, " \t"), *end = text + strcspn(text, "#\r\n");
    while (end > text && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    *end = 0;
    return text;
}

static int read_lines(struct reader *r, FILE *in)
{
    char line[LINE];
    while (fgets(line, sizeof line, in)) {
        r->line++;
        if (!strchr(line, '\n') && !feof(in))
            return wrong(r, "a line of more than %d characters", LINE - 2);
        char *text = trimmed(line);
        int e = *text == '[' ? read_header(r, text) : *text && r->now ? read_pair(r, text) : 0;
        if (e)
            return e;
    }
    return 0;
}

/* Behind what `out` holds. -1: a value is missing, or there is no room. */
static int write_table(struct reader *r, const struct table *t, const char *name, char *out, size_t room)
{
    for (int i = 0; i < t->keys; i++) {
        size_t at = strlen(out);
        if (t->value[i] < 0)
            return wrong(r, "%s has no %s; `mpico model fit` or `mpico tune` writes whole files", name, t->key[i].name);
        int n = snprintf(out + at, room - at, "%s%llu", at ? " " : "",
                         (unsigned long long)(t->value[i] * t->key[i].unit + 0.5));
        if (n < 0 || (size_t)n >= room - at)
            return wrong(r, "too long");
    }
    return 0;
}

static int write_all(struct reader *r, char *out, size_t room)
{
    *out = 0;
    if (!r->segments)
        return wrong(r, "no [[loggp.segment]]: this is no file of kind \"loggp\"");
    if (write_table(r, &r->machine, "[loggp]", out, room))
        return -1;
    size_t at = strlen(out);
    snprintf(out + at, room - at, " %d", r->segments);
    for (int i = 0; i < r->segments; i++) {
        if (write_table(r, &r->segment[i], "[[loggp.segment]]", out, room))
            return -1;
        if (i ? r->segment[i].value[0] <= r->segment[i - 1].value[0] : r->segment[0].value[0] != 0)
            return wrong(r, "from_bytes of the segments must begin at 0 and grow");
    }
    if (r->machine.value[0] < 1)
        return wrong(r, "processors must be at least 1");
    return 0;
}

int model_read(const char *path, int processors, char *out, size_t room, char *why, unsigned why_room)
{
    struct reader r = {.path = path, .why = why, .room = why_room};
    FILE *in = fopen(path, "re");
    if (!in) {
        snprintf(why, why_room, "cannot read the model %s: %s", path, strerror(errno));
        return -1;
    }
    table_start(&r.machine, machine_keys, MACHINE_KEYS);
    int e = read_lines(&r, in);
    fclose(in);
    if (!e && processors)
        r.machine.value[0] = processors;
    return e ? e : write_all(&r, out, room);
}

int model_plan(struct options *o, char *why, unsigned room)
{
    static char variable[TEXT] = "MPICO_LOGGP=";
    char shipped[PATH_MAX];
    size_t name = strlen(variable);
    const char *path = o->model ? o->model : getenv("MPICO_MODEL");
    runner_beside("share/mpico/models/shared-memory.toml", shipped);
    if (o->board || (!path && (o->fibers || getenv("MPICO_LOGGP"))))
        return 0;
    int processors = 0;
    if (!path) {
        if (access(shipped, R_OK))
            return 0; /* an mpiexec on its own: the library chooses by its table */
        path = shipped;
        processors = machine_cpus();
    }
    if (model_read(path, processors, variable + name, sizeof variable - name, why, room))
        return 2;
    o->env[o->envs++] = variable;
    return 0;
}
