/* description_show.c: what was read, for people and for programs, and the schema for the documentation. All three walk
 * over the same rows in the same order.
 */
#include "description_schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE = 1024, NAME = 128 };

/* The shortest decimal that reads back as the same number. */
static void number_text(double x, char *text, size_t room)
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, room, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            return;
    }
}

/* A JSON string. Text from machine files is UTF-8 without zeros; TAB, line ends and the like can be in it by
 * escapes. */
static void put_string(const char *s, FILE *f)
{
    fputc('"', f);
    for (; *s; s++)
        if (*s == '"' || *s == '\\')
            fprintf(f, "\\%c", *s);
        else if ((unsigned char)*s < ' ')
            fprintf(f, "\\u%04x", (unsigned)*s);
        else
            fputc(*s, f);
    fputc('"', f);
}

static void put_extents(const struct row *row, const struct description *d, FILE *f)
{
    const int *extent = schema_source(row, d);
    int axes = *(const int *)(const void *)((const char *)d + row->room);
    fputc('[', f);
    for (int i = 0; i < axes; i++)
        fprintf(f, "%s%d", i ? ", " : "", extent[i]);
    fputc(']', f);
}

/* As in JSON. */
static void put_value(const struct row *row, const struct description *d, FILE *f)
{
    char text[64];
    const void *at = schema_source(row, d);
    switch (row->type) {
    case ROW_TEXT:
    case ROW_WORD:
        put_string(at, f);
        return;
    case ROW_CHOICE:
        put_string(row->words[*(const int *)at], f);
        return;
    case ROW_WHOLE:
        fprintf(f, "%d", *(const int *)at);
        return;
    case ROW_NUMBER:
        number_text(*(const double *)at, text, sizeof text);
        fputs(text, f);
        return;
    case ROW_FLAG:
        fputs(*(const int *)at ? "true" : "false", f);
        return;
    case ROW_EXTENTS:
        put_extents(row, d, f);
    }
}

/* ---- For people ---- */

/* 4e7 Hz as "40 MHz". */
static void put_scaled(double x, const char *unit, FILE *f)
{
    static const char *const prefix[] = {"", "k", "M", "G", "T", "P"};
    int i = 0;
    for (; i < 5 && x >= 1000; i++)
        x /= 1000;
    fprintf(f, "%.9g %s%s", x, prefix[i], unit);
}

static void show_row(const struct row *row, const struct description *d, FILE *f)
{
    char name[NAME];
    schema_name(row, name, sizeof name);
    fprintf(f, "%-34s ", name);
    if (row->unit && (!strcmp(row->unit, "Hz") || !strcmp(row->unit, "B/s"))) {
        put_scaled(*(const double *)schema_source(row, d), row->unit, f);
    } else if (row->type == ROW_TEXT) {
        fputs(schema_source(row, d), f);
    } else {
        put_value(row, d, f);
        if (row->unit)
            fprintf(f, " %s", row->unit);
    }
    fputc('\n', f);
}

void description_show(const struct description *d, const char *const *cost_names, int costs, FILE *f)
{
    for (int i = 0; i < schema_rows(costs); i++) {
        struct row row = schema_row(cost_names, costs, i);
        if (schema_has(&row, (int)d->network))
            show_row(&row, d, f);
    }
}

/* ---- For programs ---- */

void description_json(const struct description *d, const char *const *cost_names, int costs, FILE *f)
{
    const char *table = "", *between = "";
    fputc('{', f);
    for (int i = 0; i < schema_rows(costs); i++) {
        struct row row = schema_row(cost_names, costs, i);
        if (!schema_has(&row, (int)d->network))
            continue;
        if (strcmp(row.table, table)) {
            fprintf(f, "%s, \"%s\": {", *table ? "}" : "", row.table);
            between = "";
        }
        table = row.table;
        fprintf(f, "%s\"%s\": ", between, row.key);
        put_value(&row, d, f);
        between = ", ";
    }
    fputs("}}\n", f);
}

/* ---- For the documentation ---- */

static const char *type_text(enum row_type type)
{
    static const char *const text[] = {[ROW_TEXT] = "text",
                                       [ROW_WHOLE] = "whole number",
                                       [ROW_NUMBER] = "number",
                                       [ROW_FLAG] = "true or false",
                                       [ROW_CHOICE] = "word",
                                       [ROW_WORD] = "word",
                                       [ROW_EXTENTS] = "whole numbers"};
    return text[type];
}

static void put_default(const struct row *row, FILE *f)
{
    if (!row->optional)
        fputs("needed", f);
    else if (row->type == ROW_TEXT || row->type == ROW_EXTENTS)
        fputs(row->type == ROW_TEXT ? "empty" : "none", f);
    else if (row->type == ROW_FLAG)
        fputs(row->otherwise != 0 ? "true" : "false", f);
    else if (row->type == ROW_WORD || row->type == ROW_CHOICE)
        fprintf(f, "\"%s\"", row->words[(int)row->otherwise]);
    else
        fprintf(f, "%.9g", row->otherwise);
}

static void put_schema_row(const struct row *row, FILE *f)
{
    char range[VALUE];
    schema_range(row, range, sizeof range);
    fprintf(f, "| `%s` | %s | %s%s%s | ", row->key, type_text(row->type), row->type == ROW_FLAG ? "" : range,
            row->unit ? " " : "", row->unit ? row->unit : "");
    put_default(row, f);
    fprintf(f, " | %s |\n", row->meaning);
}

static void put_heading(const struct row *row, FILE *f)
{
    if (!*row->table)
        fputs("Before the first table:\n", f);
    else if (!row->kinds)
        fprintf(f, "\n`[%s]`:\n", row->table);
    else
        for (int kind = 0; kind < SCHEMA_KINDS; kind++)
            if (schema_has(row, kind))
                fprintf(f, "\n`[%s]` with `kind = \"%s\"`:\n", row->table, schema_kinds[kind]);
    fputs("\n| key | type | range | default | meaning |\n|---|---|---|---|---|\n", f);
}

void description_schema(const char *const *cost_names, int costs, FILE *f)
{
    struct row before = {.table = "none"};
    for (int i = 0; i < schema_rows(costs); i++) {
        struct row row = schema_row(cost_names, costs, i);
        if (strcmp(row.table, before.table) || row.kinds != before.kinds)
            put_heading(&row, f);
        put_schema_row(&row, f);
        before = row;
    }
}
