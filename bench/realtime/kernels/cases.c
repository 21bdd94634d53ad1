/* cases.c: lists of sizes and of working sets. */
#include "cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache.h"
#include "fft.h"

enum { TURN_MOST = 1 << 13, WORD = 32 };

/* The next word of a list; NULL at its end. Longer ones are cut and then no size. */
static const char *next_word(const char *text, char word[WORD])
{
    if (*text == '\0')
        return NULL;
    size_t length = strcspn(text, ",");
    snprintf(word, WORD, "%.*s", (int)(length < WORD ? length : WORD - 1), text);
    return text + length + (text[length] == ',');
}

static bool read_size(struct size_case *size, const char *word)
{
    char *end;
    long n = strtol(word, &end, 10), f = 0;
    if (size->kernel != CASE_FFT) {
        if (*end != 'x')
            return false;
        f = strtol(end + 1, &end, 10);
    }
    if (*end != '\0' || n < 1 || f < 0 || n > FFT_POINTS_MOST || f > FFT_POINTS_MOST)
        return false;
    size->n = (int)n;
    size->f = (int)f;
    return true;
}

static bool is_power(int n) { return n >= 1 && (n & (n - 1)) == 0; }

static const char *size_wrong(const struct size_case *s)
{
    if (s->kernel == CASE_FFT && (!is_power(s->n) || s->n < 2))
        return "a transform has a power of two points from 2 on";
    if (s->kernel == CASE_FOLD && (s->f < 2 || !is_power(s->f) || s->n % s->f != 0))
        return "foldfft wants a power of two from 2 on after the x, and before it a multiple of that";
    if (s->kernel == CASE_TURN && (s->n > TURN_MOST || s->f < 1 || s->f > TURN_MOST))
        return "a matrix has 1 to 8192 rows and columns";
    return NULL;
}

bool cases_read(struct cases *c, enum case_kernel kernel, const char *text, char *wrong, size_t room)
{
    static const char *const options[] = {"fft", "fold", "turn"}, *const examples[] = {"8,16", "64x8", "512x512"};
    char word[WORD];
    if (strcmp(text, "none") == 0)
        return true;
    while ((text = next_word(text, word)) != NULL) {
        struct size_case size = {kernel, 0, 0};
        const char *why = read_size(&size, word) ? size_wrong(&size) : "that is no size";
        if (why == NULL && c->n == CASES_MOST)
            why = "these are too many sizes";
        if (why != NULL) {
            snprintf(wrong, room, "--%s %s: %s; write for example --%s %s, or none", options[kernel], word, why,
                     options[kernel], examples[kernel]);
            return false;
        }
        c->sizes[c->n++] = size;
    }
    return true;
}

static struct working_set known[SETS] = {
    {"repeated", (size_t)8 << 10, (size_t)8 << 10, true},
    {"second", 0, (size_t)64 << 10, false},
    {"third", 0, (size_t)256 << 10, false},
    {"multiple", 0, (size_t)1 << 20, false},
};

bool cases_read_sets(struct cases *c, const char *text, double memory, char *wrong, size_t room)
{
    char word[WORD];
    known[1].bytes = cache_second() / 3;
    known[2].bytes = cache_largest() / 4;
    known[3].bytes = memory > 0 ? (size_t)memory : 4 * cache_largest();
    while ((text = next_word(text, word)) != NULL) {
        int i = 0;
        while (i < SETS && strcmp(known[i].name, word) != 0)
            i++;
        if (i == SETS || c->n_sets == SETS) {
            snprintf(wrong, room, "--sets %s: the working sets are repeated, second, third and multiple, each once",
                     word);
            return false;
        }
        c->sets[c->n_sets++] = &known[i];
    }
    return true;
}
