/* description.c: from the text of a machine file to struct description, by the rows of the schema.
 *
 * The text is read twice: once for network.kind, which says what the other keys of [network] may be, and once for all
 * keys in the order of the file, so that the first mistake of the file is the one that is reported.
 *
 * Invariant: a key that is not in the schema, stands twice, has the wrong type or is out of range is refused where it
 * stands; what is missing is refused at the header of its table. The caller's struct is set only on success.
 */
#include "description_reader.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOP = 0, NETWORK = 3 };

const char *const reader_tables[READER_TABLES] = {"", "processor", "cost", "network", "pauses"};

int reader_refuse(struct reader *r, int line, const char *format, ...)
{
    va_list list;
    int used = snprintf(r->why, r->room, "%s:%d: ", r->path, line);
    if (used < 0 || (size_t)used >= r->room)
        return -1;
    va_start(list, format);
    vsnprintf(r->why + used, r->room - (size_t)used, format, list);
    for (char *c = r->why; *c; c++) /* a value may hold anything; a sentence is one line */
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    va_end(list);
    return -1;
}

static struct row row_at(const struct reader *r, int i) { return schema_row(r->cost_names, r->costs, i); }

static int table_called(const char *name)
{
    for (int t = 1; t < READER_TABLES; t++)
        if (!strcmp(reader_tables[t], name))
            return t;
    return -1;
}

/* ---- The first reading ---- */

static int kind_of(const struct toml_item *item)
{
    for (int kind = 0; kind < SCHEMA_KINDS; kind++)
        if (item->kind == TOML_STRING && !strcmp(schema_kinds[kind], item->text))
            return kind;
    return -1;
}

/* Negative when the text has none; why, the second reading says. */
static int find_kind(struct reader *r, const char *text, size_t len)
{
    char ignored[1];
    int table = TOP;
    toml_start(&r->toml, text, len, ignored, sizeof ignored);
    while (toml_next(&r->toml, &r->item) > 0) {
        if (r->item.kind == TOML_TABLE)
            table = table_called(r->item.key);
        else if (table == NETWORK && !strcmp(r->item.key, "kind"))
            return kind_of(&r->item);
    }
    return -1;
}

/* ---- The second ---- */

static void take_default(struct reader *r, const struct row *row)
{
    void *target = schema_target(row, &r->d);
    if (row->type == ROW_WORD)
        snprintf(target, row->room, "%s", row->words[(int)row->otherwise]);
    else if (row->type == ROW_NUMBER)
        *(double *)target = row->otherwise;
    else if (row->type != ROW_TEXT)
        *(int *)target = (int)row->otherwise;
}

static void take_defaults(struct reader *r)
{
    for (int i = 0; i < schema_rows(r->costs); i++) {
        struct row row = row_at(r, i);
        if (row.optional && r->kind >= 0 && schema_has(&row, r->kind))
            take_default(r, &row);
    }
}

static int read_table(struct reader *r)
{
    int table = table_called(r->item.key);
    if (table < 0)
        return reader_unknown_table(r);
    if (r->table_line[table])
        return reader_refuse(r, r->item.line, "[%s] began in line %d: write its keys there", r->item.key,
                             r->table_line[table]);
    r->table = table;
    r->table_line[table] = r->item.line;
    return 0;
}

static int read_key(struct reader *r)
{
    for (int i = 0; i < schema_rows(r->costs); i++) {
        struct row row = row_at(r, i);
        if (strcmp(row.key, r->item.key) || strcmp(row.table, reader_tables[r->table]) || !schema_has(&row, r->kind))
            continue;
        if (r->row_line[i])
            return reader_refuse(r, r->item.line, "%s%s%s stands in line %d already: leave one of them out", row.table,
                                 *row.table ? "." : "", row.key, r->row_line[i]);
        r->row_line[i] = r->item.line;
        return reader_take(r, &row);
    }
    return reader_unknown_key(r);
}

static int read_all(struct reader *r, const char *text, size_t len)
{
    char sentence[READER_SENTENCE];
    int more;
    toml_start(&r->toml, text, len, sentence, sizeof sentence);
    while ((more = toml_next(&r->toml, &r->item)) > 0)
        if (r->item.kind == TOML_TABLE ? read_table(r) : read_key(r))
            return -1;
    return more ? reader_refuse(r, r->toml.line, "%s", sentence) : 0;
}

/* ---- What is not there ---- */

static int missing(struct reader *r, const struct row *row)
{
    char range[READER_SENTENCE];
    int table = *row->table ? table_called(row->table) : TOP;
    schema_range(row, range, sizeof range);
    if (table == TOP)
        return reader_refuse(r, 1, "%s is missing: write %s = \"...\" before the first table: %s", row->key, row->key,
                             row->meaning);
    if (!r->table_line[table])
        return reader_refuse(r, r->toml.line, "table [%s] is missing: write [%s] and %s = %s", row->table, row->table,
                             row->key, range);
    return reader_refuse(r, r->table_line[table], "[%s] lacks %s: write %s = %s (%s%s%s)", row->table, row->key,
                         row->key, range, row->unit ? row->unit : "", row->unit ? ": " : "", row->meaning);
}

static int check_all_there(struct reader *r)
{
    for (int pass = 0; pass < 2; pass++) /* first the kind: without it nothing else of the network is certain */
        for (int i = 0; i < schema_rows(r->costs); i++) {
            struct row row = row_at(r, i);
            int wanted = pass == 0 ? row.words == schema_kinds : schema_has(&row, r->kind);
            if (wanted && !row.optional && !r->row_line[i])
                return missing(r, &row);
        }
    return 0;
}

/* ---- The whole ---- */

int description_parse(struct description *d, const char *path, const char *text, size_t len,
                      const char *const *cost_names, int costs, char *why, size_t room)
{
    struct reader r = {.path = path, .cost_names = cost_names, .costs = costs, .why = why, .room = room};
    snprintf(r.d.path, sizeof r.d.path, "%s", path);
    r.kind = find_kind(&r, text, len);
    take_defaults(&r);
    if (read_all(&r, text, len) || check_all_there(&r) || reader_check(&r))
        return -1;
    *d = r.d;
    return 0;
}

/* All of the file, and its length; NULL with the reason in `why`. One byte more than is allowed shows that it is too
 * long. */
static char *load(const char *path, size_t *len, char *why, size_t room)
{
    FILE *f = fopen(path, "rb");
    char *text = f ? malloc(TOML_BYTES + 1) : NULL;
    *len = text ? fread(text, 1, TOML_BYTES + 1, f) : 0;
    int failed = !text || ferror(f);
    if (failed)
        snprintf(why, room, "%s: the machine file cannot be read: %s", path, strerror(errno));
    if (f)
        fclose(f);
    if (failed) {
        free(text);
        return NULL;
    }
    return text;
}

int description_read(struct description *d, const char *path, const char *const *cost_names, int costs, char *why,
                     size_t room)
{
    size_t len;
    char *text = load(path, &len, why, room);
    if (!text)
        return -1;
    int failed = description_parse(d, path, text, len, cost_names, costs, why, room);
    free(text);
    return failed;
}
