/* options.c: the arguments. No list is copied: pairs are read where they stand. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

enum { BYTES_MOST = 1 << 26 };

/* A number from least to most at *text, which moves behind it. */
static bool whole(const char **text, long least, long most, int *value)
{
    char *end;
    long n = strtol(*text, &end, 10);
    if (end == *text || n < least || n > most)
        return false;
    *text = end;
    *value = (int)n;
    return true;
}

/* Behind the comma, or at the end. */
static bool next_word(const char **text)
{
    if (**text == '\0')
        return true;
    return *(*text)++ == ',' && **text != '\0';
}

static const char *read_sizes(struct wishes *w, const char *text)
{
    for (w->sizes = 0; *text;) {
        if (w->sizes == LIST_MOST)
            return "at most 64 sizes";
        if (!whole(&text, 0, BYTES_MOST, &w->bytes[w->sizes++]) || !next_word(&text))
            return "--sizes wants bytes from 0 to 67108864, as in 4,64,1024";
    }
    return NULL;
}

static int pattern_named(const char *name, size_t len)
{
    for (int i = 0; measure_patterns[i].name; i++)
        if (strlen(measure_patterns[i].name) == len && strncmp(measure_patterns[i].name, name, len) == 0)
            return i;
    return -1;
}

static const char *read_patterns(struct wishes *w, const char *text)
{
    for (w->patterns = 0; *text;) {
        size_t len = strcspn(text, ",");
        int found = pattern_named(text, len);
        if (found < 0)
            return "--patterns has a name that is no pattern; see docs/measuring.md";
        if (w->patterns == LIST_MOST)
            return "at most 64 patterns";
        w->pattern[w->patterns++] = found;
        text += len;
        text += *text == ',';
    }
    return NULL;
}

/* A decimal number above `above` and below `below`. */
static bool real(const char *text, double above, double below, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && *value > above && *value < below;
}

static const char *read_one(struct wishes *w, const char *name, const char *value)
{
    if (strcmp(name, "--patterns") == 0)
        return read_patterns(w, value);
    if (strcmp(name, "--sizes") == 0)
        return read_sizes(w, value);
    if (strcmp(name, "--pairs") == 0) {
        w->pairs = value;
        return NULL;
    }
    if (strcmp(name, "--reps") == 0)
        return whole(&value, 1, SAMPLES_MOST, &w->reps) && !*value ? NULL : "--reps wants a number from 1 to 1000";
    if (strcmp(name, "--confidence") == 0)
        return real(value, 0, 1, &w->confidence) ? NULL : "--confidence wants a probability, as 0.95";
    if (strcmp(name, "--width") == 0)
        return real(value, 0, 1, &w->width) ? NULL : "--width wants a share of the median, as 0.02";
    if (strcmp(name, "--budget-ms") != 0)
        return "options: --patterns, --sizes, --pairs, --reps, --confidence, --width, --budget-ms, --samples, --pin";
    bool good = real(value, 0, 1e9, &w->budget_s);
    w->budget_s *= 1e-3;
    return good ? NULL : "--budget-ms wants milliseconds, as 200";
}

const char *wishes_read(struct wishes *w, int argc, char **argv)
{
    *w = (struct wishes){.reps = SAMPLES_MOST, .confidence = 0.95, .width = 0.02, .budget_s = 0.2};
    const char *wrong = read_patterns(w, "pingpong");
    w->bytes[w->sizes++] = 4;
    for (int i = 1; !wrong && i < argc; i++) {
        if (strcmp(argv[i], "--samples") == 0)
            w->samples = true;
        else if (strcmp(argv[i], "--pin") == 0)
            w->pin = true;
        else if (i + 1 == argc)
            wrong = "every option but --samples and --pin wants a value";
        else {
            wrong = read_one(w, argv[i], argv[i + 1]);
            i++;
        }
    }
    return wrong;
}

/* The at-th ordered pair, all those from rank 0 first. */
static bool numbered(const struct place *p, int at, int most, struct pair *pair)
{
    if (at >= most)
        return false;
    pair->source = at / (p->ranks - 1);
    pair->destination = at % (p->ranks - 1);
    pair->destination += pair->destination >= pair->source;
    return true;
}

bool wishes_pair(const struct place *p, const char *pairs, int *at, struct pair *pair)
{
    if (strcmp(pairs, "all") == 0)
        return numbered(p, (*at)++, p->ranks * (p->ranks - 1), pair);
    if (strcmp(pairs, "from-0") == 0)
        return numbered(p, (*at)++, p->ranks - 1, pair);
    const char *text = pairs + *at;
    if (!*text || !whole(&text, 0, INT_MAX, &pair->source) || *text++ != '-' ||
        !whole(&text, 0, INT_MAX, &pair->destination) || !next_word(&text))
        return false;
    *at = (int)(text - pairs);
    return true;
}

bool wishes_pairs_good(const struct place *p, const char *pairs)
{
    struct pair pair;
    int at = 0, n = 0;
    for (; wishes_pair(p, pairs, &at, &pair); n++)
        if (pair.source == pair.destination || pair.source >= p->ranks || pair.destination >= p->ranks)
            return false;
    bool listed = strcmp(pairs, "all") != 0 && strcmp(pairs, "from-0") != 0;
    return n > 0 && (!listed || pairs[at] == '\0');
}
