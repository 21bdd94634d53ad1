/* description_guess.c: what was meant by a table or key that is not in the schema: one that differs by a few letters,
 * or stands elsewhere, or belongs to another kind of network.
 */
#include "description_reader.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static int least_of(int a, int b, int c)
{
    int least = a < b ? a : b;
    return least < c ? least : c;
}

/* How many letters must be written, left out or changed to make `b` of `a`; both are shorter than TOML_TEXT. */
static int distance(const char *a, const char *b)
{
    int row[TOML_TEXT + 1], width = (int)strlen(b);
    for (int j = 0; j <= width; j++)
        row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= width; j++) {
            int above = row[j];
            row[j] = least_of(row[j - 1] + 1, above + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
        }
    }
    return row[width];
}

/* A third of the letters may be wrong. */
int reader_nearer(const char *written, const char *name, int *nearest)
{
    int d = distance(written, name);
    if (d >= *nearest || d > 1 + (int)strlen(name) / 3)
        return 0;
    *nearest = d;
    return 1;
}

int reader_unknown_table(struct reader *r)
{
    int nearest = INT_MAX, found = 0;
    for (int t = 1; t < READER_TABLES; t++)
        if (reader_nearer(r->item.key, reader_tables[t], &nearest))
            found = t;
    if (found)
        return reader_refuse(r, r->item.line, "[%s] is no table of a machine: did you mean [%s]?", r->item.key,
                             reader_tables[found]);
    return reader_refuse(r, r->item.line,
                         "[%s] is no table of a machine: they are [processor], [cost], [network] and [pauses]",
                         r->item.key);
}

static int elsewhere(struct reader *r, const struct row *row, const char *name)
{
    int kind = 0;
    while (!(row->kinds >> kind & 1) && kind < SCHEMA_KINDS)
        kind++;
    if (!strcmp(row->table, reader_tables[r->table]))
        return reader_refuse(r, r->item.line,
                             "%s is a key of network kind \"%s\", and this one is \"%s\": leave it out", name,
                             schema_kinds[kind], schema_kinds[r->kind]);
    if (!*row->table)
        return reader_refuse(r, r->item.line, "%s is no key: write %s before the first table", name, row->key);
    return reader_refuse(r, r->item.line, "%s is no key: %s belongs in table [%s]", name, row->key, row->table);
}

int reader_unknown_key(struct reader *r)
{
    char name[READER_NAME], meant[READER_NAME] = "";
    const char *table = reader_tables[r->table];
    int nearest = INT_MAX;
    snprintf(name, sizeof name, "%s%s%s", table, *table ? "." : "", r->item.key);
    for (int i = 0; i < schema_rows(r->costs); i++) {
        struct row row = schema_row(r->cost_names, r->costs, i);
        int here = !strcmp(row.table, table);
        if (!strcmp(row.key, r->item.key) && (here || schema_has(&row, r->kind)))
            return elsewhere(r, &row, name);
        if (here && schema_has(&row, r->kind) && reader_nearer(r->item.key, row.key, &nearest))
            schema_name(&row, meant, sizeof meant);
    }
    if (*meant)
        return reader_refuse(r, r->item.line, "%s is no key: did you mean %s?", name, meant);
    return reader_refuse(r, r->item.line, "%s is no key of a machine: docs/machines.md has the list", name);
}
