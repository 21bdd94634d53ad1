/* read.c: the description file: words of a line, one line a stage. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "chain/kind.h"

struct word {
    const char *at;
    size_t len;
    struct place place;
};

struct reader {
    const char *next; /* in the current line */
    const char *line_start;
    int line;
    struct chain *chain;
    struct complaint *wrong;
};

static bool ends_line(char c) { return c == '\0' || c == '\n' || c == '\r' || c == '#'; }

/* The next word of the line: '+', or what stands between blanks and '+'. Empty at the line's end. */
static struct word peek(struct reader *r)
{
    while (*r->next == ' ' || *r->next == '\t')
        r->next++;
    struct word w = {r->next, 0, {r->line, (int)(r->next - r->line_start) + 1}};
    if (*w.at == '+')
        w.len = 1;
    else
        while (!ends_line(w.at[w.len]) && !strchr(" \t+", w.at[w.len]))
            w.len++;
    return w;
}

static struct word take(struct reader *r)
{
    struct word w = peek(r);
    r->next += w.len;
    return w;
}

static bool is(struct word w, const char *text) { return strlen(text) == w.len && memcmp(w.at, text, w.len) == 0; }

/* As much of a word as a sentence holds. */
static int shown(struct word w) { return w.len < 40 ? (int)w.len : 40; }

static bool read_number(struct word w, double *value)
{
    char copy[64], *end;
    if (w.len == 0 || w.len >= sizeof copy || !(isdigit((unsigned char)w.at[0]) || strchr("-.", w.at[0])))
        return false;
    memcpy(copy, w.at, w.len);
    copy[w.len] = '\0';
    *value = strtod(copy, &end);
    return *end == '\0' && *value - *value == 0;
}

static bool read_side(struct reader *r, const char *what, int *side)
{
    struct word w = take(r);
    double value;
    if (!read_number(w, &value) || value < 1 || value > SIDE_MOST || value != (int)value) {
        complain(r->wrong, w.place, "the number of %s must be whole, from 1 to %d, not '%.*s'", what, SIDE_MOST,
                 shown(w), w.at);
        return false;
    }
    *side = (int)value;
    return true;
}

static bool read_source(struct reader *r, struct place place)
{
    struct chain *c = r->chain;
    if (c->source.line) {
        complain(r->wrong, place, "a chain has one source; the first stands in line %d", c->source.line);
        return false;
    }
    c->source = place;
    if (!read_side(r, "rows", &c->block.rows))
        return false;
    struct word x = take(r);
    if (!is(x, "x")) {
        complain(r->wrong, x.place, "an 'x' is missing between rows and columns, as in 'source 512 x 512 complex'");
        return false;
    }
    if (!read_side(r, "columns", &c->block.columns))
        return false;
    struct word type = take(r);
    if (!is(type, "complex")) {
        complain(r->wrong, type.place, "the elements must be 'complex' (single precision), not '%.*s'", shown(type),
                 type.at);
        return false;
    }
    return true;
}

static bool read_parameter(struct reader *r, struct function *f)
{
    struct word w = peek(r);
    f->given = w.len > 0 && !is(w, "+");
    if (!f->given) {
        if (f->kind->parameter == PARAMETER_MUST)
            complain(r->wrong, w.place, "a number is missing after '%s'", f->kind->name);
        return f->kind->parameter != PARAMETER_MUST;
    }
    take(r);
    if (f->kind->parameter == PARAMETER_NONE)
        complain(r->wrong, w.place, "'%s' takes no number; put '+' between functions", f->kind->name);
    else if (!read_number(w, &f->parameter))
        complain(r->wrong, w.place, "'%s' wants a number, not '%.*s'", f->kind->name, shown(w), w.at);
    else
        return true;
    return false;
}

/* FUNCTION [NUMBER] + FUNCTION ... to the line's end. */
static bool read_functions(struct reader *r, struct function *functions, int most, int *n)
{
    for (*n = 0;;) {
        struct word w = take(r);
        if (*n == most) {
            complain(r->wrong, w.place, "more than %d functions; spread them over several nodes", most);
            return false;
        }
        struct function *f = &functions[*n];
        *f = (struct function){.kind = kind_find(w.at, w.len), .place = w.place};
        if (!f->kind) {
            complain(r->wrong, w.place, "there is no function '%.*s'; there are: %s", shown(w), w.at, kind_names());
            return false;
        }
        if (!read_parameter(r, f))
            return false;
        ++*n;
        if (!is(peek(r), "+"))
            return true;
        take(r);
    }
}

static bool read_node(struct reader *r, struct place place)
{
    struct chain *c = r->chain;
    if (c->n == NODES_MOST) {
        complain(r->wrong, place, "more than %d nodes", NODES_MOST);
        return false;
    }
    struct node *node = &c->nodes[c->n++];
    node->place = place;
    return read_functions(r, node->functions, FUNCTIONS_MOST, &node->n);
}

static bool read_sink(struct reader *r, struct place place)
{
    r->chain->sink = place;
    if (peek(r).len == 0)
        return true;
    return read_functions(r, r->chain->expected, EXPECTED_MOST, &r->chain->n_expected);
}

static bool read_stage(struct reader *r)
{
    struct word w = take(r);
    if (w.len == 0)
        return true;
    if (r->chain->sink.line)
        complain(r->wrong, w.place, "nothing can follow the sink, which stands in line %d", r->chain->sink.line);
    else if (is(w, "source"))
        return read_source(r, w.place);
    else if (!r->chain->source.line)
        complain(r->wrong, w.place, "a chain begins with its source, as in 'source 512 x 512 complex'");
    else if (is(w, "node"))
        return read_node(r, w.place);
    else if (is(w, "sink"))
        return read_sink(r, w.place);
    else
        complain(r->wrong, w.place, "a line begins with 'source', 'node' or 'sink', not '%.*s'", shown(w), w.at);
    return false;
}

static bool read_line(struct reader *r)
{
    if (!read_stage(r))
        return false;
    struct word rest = peek(r);
    if (rest.len == 0)
        return true;
    complain(r->wrong, rest.place, "this is too much for one line: '%.*s'", shown(rest), rest.at);
    return false;
}

bool chain_read(const char *text, struct chain *chain, struct complaint *wrong)
{
    *chain = (struct chain){0};
    struct reader r = {text, text, 1, chain, wrong};
    for (;; r.line++) {
        if (!read_line(&r))
            return false;
        size_t rest = strcspn(r.next, "\n");
        if (!r.next[rest])
            break;
        r.next = r.line_start = r.next + rest + 1;
    }
    return chain_follow(chain, (struct place){r.line, 1}, wrong);
}
