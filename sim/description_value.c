/* description_value.c: one value, checked against its row and put into the struct.
 *
 * Invariant: nothing is put where its type or length does not fit; a value out of range may be, as it ends the reading.
 */
#include "description_reader.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static const char *const type_names[] = {[TOML_STRING] = "a text",
                                         [TOML_INTEGER] = "a whole number",
                                         [TOML_REAL] = "a number with a fraction",
                                         [TOML_BOOLEAN] = "true or false",
                                         [TOML_ARRAY] = "an array"};

static int is_type(enum row_type type, enum toml_kind written)
{
    switch (type) {
    case ROW_TEXT:
    case ROW_CHOICE:
    case ROW_WORD:
        return written == TOML_STRING;
    case ROW_WHOLE:
        return written == TOML_INTEGER;
    case ROW_NUMBER:
        return written == TOML_INTEGER || written == TOML_REAL;
    case ROW_FLAG:
        return written == TOML_BOOLEAN;
    case ROW_EXTENTS:
        return written == TOML_ARRAY;
    }
    return 0;
}

static int wrong_type(struct reader *r, const struct row *row, const char *name)
{
    char range[READER_SENTENCE];
    schema_range(row, range, sizeof range);
    const char *what = row->type == ROW_WHOLE ? "a whole number, " : row->type == ROW_NUMBER ? "a number, " : "";
    return reader_refuse(r, r->item.line, "%s must be %s%s, and is %s", name, what, range, type_names[r->item.kind]);
}

static int out_of_range(struct reader *r, const struct row *row, const char *name, double value)
{
    const char *bound = NULL;
    double limit = row->least;
    if (row->above && value <= row->least)
        bound = "above";
    else if (value < row->least)
        bound = "at least";
    else if (value > row->most)
        bound = "at most", limit = row->most;
    return bound ? reader_refuse(r, r->item.line, "%s must be %s %.10g: %s", name, bound, limit, row->pity) : 0;
}

static int take_extents(struct reader *r, const struct row *row, const char *name)
{
    int *extent = schema_target(row, &r->d), *axes = (int *)(void *)((char *)&r->d + row->room);
    int least = row->optional ? 0 : 1;
    if (r->item.count < least || r->item.count > DESCRIPTION_AXES)
        return reader_refuse(r, r->item.line, "%s holds %d numbers: write %d to %d", name, r->item.count, least,
                             DESCRIPTION_AXES);
    for (int i = 0; i < r->item.count; i++) {
        if (out_of_range(r, row, name, (double)r->item.list[i]))
            return -1;
        extent[i] = (int)r->item.list[i];
    }
    *axes = r->item.count;
    return 0;
}

static int word_place(const struct row *row, const char *text)
{
    for (int i = 0; row->words[i]; i++)
        if (!strcmp(row->words[i], text))
            return i;
    return -1;
}

static int no_such_word(struct reader *r, const struct row *row, const char *name)
{
    char range[READER_SENTENCE];
    const char *meant = NULL;
    int nearest = INT_MAX;
    for (int i = 0; row->words[i]; i++)
        if (reader_nearer(r->item.text, row->words[i], &nearest))
            meant = row->words[i];
    if (meant)
        return reader_refuse(r, r->item.line, "%s = \"%s\": did you mean \"%s\"?", name, r->item.text, meant);
    schema_range(row, range, sizeof range);
    return reader_refuse(r, r->item.line, "%s = \"%s\": write %s", name, r->item.text, range);
}

static int take_text(struct reader *r, const struct row *row, const char *name)
{
    size_t len = strlen(r->item.text);
    if (len == 0 && !row->optional)
        return reader_refuse(r, r->item.line, "%s is empty: write %s", name, row->meaning);
    if (len >= row->room)
        return reader_refuse(r, r->item.line, "%s has %zu bytes: write at most %zu", name, len, row->room - 1);
    memcpy(schema_target(row, &r->d), r->item.text, len + 1);
    return 0;
}

int reader_take(struct reader *r, const struct row *row)
{
    char name[READER_NAME];
    void *target = schema_target(row, &r->d);
    schema_name(row, name, sizeof name);
    if (!is_type(row->type, r->item.kind))
        return wrong_type(r, row, name);
    switch (row->type) {
    case ROW_TEXT:
        return take_text(r, row, name);
    case ROW_CHOICE:
    case ROW_WORD:
        if (word_place(row, r->item.text) < 0)
            return no_such_word(r, row, name);
        if (row->type == ROW_WORD)
            return take_text(r, row, name);
        *(int *)target = word_place(row, r->item.text);
        return 0;
    case ROW_EXTENTS:
        return take_extents(r, row, name);
    case ROW_FLAG:
        *(int *)target = (int)r->item.integer;
        return 0;
    case ROW_WHOLE:
        *(int *)target = (int)r->item.integer;
        return out_of_range(r, row, name, (double)r->item.integer);
    case ROW_NUMBER:
        *(double *)target = r->item.number;
        return out_of_range(r, row, name, r->item.number);
    }
    return -1;
}
