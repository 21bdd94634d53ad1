/* variables.c: see variables.h. */
#include "variables.h"

#include <stdlib.h>
#include <string.h>

#include "../../host/value.h"
#include "../../host/variables.h"
#include "near.h"

enum kind { KIND_BYTES, KIND_SWITCH, KIND_TEXT };

#define ROW_BYTES(name, field, meaning, usual) {name, KIND_BYTES, meaning, usual},
#define ROW_SWITCH(name, field, meaning, usual) {name, KIND_SWITCH, meaning, usual},
#define ROW_TEXT(name, field, meaning, usual) {name, KIND_TEXT, meaning, usual},

static const struct row {
    const char *name;
    enum kind kind;
    const char *meaning, *usual;
} rows[] = {MPICO_VARIABLES(ROW_BYTES, ROW_SWITCH, ROW_TEXT, ROW_TEXT)};

enum { ROWS = sizeof rows / sizeof *rows, NAME_ROOM = 48 };

void variables_help(FILE *out)
{
    fprintf(out, "Environment variables that mpico reads:\n");
    for (int i = 0; i < ROWS; i++)
        fprintf(out, "\n  %s (default: %s)\n      %s\n", rows[i].name, rows[i].usual, rows[i].meaning);
}

static int wrong(const struct row *row, const char *value, char *why, unsigned room)
{
    size_t bytes;
    uint8_t on;
    const char *wanted = row->kind == KIND_BYTES    ? VALUE_BYTES_WANTED
                         : row->kind == KIND_SWITCH ? VALUE_SWITCH_WANTED
                                                    : NULL;
    int e = row->kind == KIND_BYTES    ? mpico_value_bytes(value, &bytes)
            : row->kind == KIND_SWITCH ? mpico_value_switch(value, &on)
                                       : 0;
    if (e)
        snprintf(why, room, "%s=%s: it %s", row->name, value, wanted);
    return e;
}

/* The value in "NAME=VALUE", NULL when it is of another variable or empty. */
static const char *value_in(const char *variable, const char *name)
{
    size_t len = strlen(name);
    int same = strncmp(variable, name, len) == 0 && variable[len] == '=';
    return same && variable[len + 1] ? variable + len + 1 : NULL;
}

static int check(const struct options *o, const struct row *row, char *why, unsigned room)
{
    const char *value = getenv(row->name);
    for (int i = 0; i < o->envs; i++)
        if (strncmp(o->env[i], row->name, strlen(row->name)) == 0 && o->env[i][strlen(row->name)] == '=')
            value = value_in(o->env[i], row->name);
    int e = value && *value ? wrong(row, value, why, room) : 0;
    for (int i = 0; i < o->owns && !e; i++)
        if ((value = value_in(o->own[i].text, row->name)))
            e = wrong(row, value, why, room);
    return e;
}

int variables_check(const struct options *o, char *why, unsigned room)
{
    for (int i = 0; i < ROWS; i++)
        if (check(o, &rows[i], why, room))
            return 2;
    return 0;
}

const char *variables_meant(const char *variable)
{
    char name[NAME_ROOM];
    size_t len = strcspn(variable, "=");
    const char *meant = NULL;
    int best = 0;
    if (strncmp(variable, "MPICO_", 6) != 0 || len >= sizeof name)
        return NULL;
    memcpy(name, variable, len);
    name[len] = 0;
    for (int i = 0; i < ROWS; i++) {
        if (strcmp(name, rows[i].name) == 0)
            return NULL;
        int score = near_score(name + 6, rows[i].name + 6);
        if (score > best) {
            best = score;
            meant = rows[i].name;
        }
    }
    return meant;
}
