/* board_conf.c: see board_conf.h. Keys that are not known here are others' (mpicc reads the same file). */
#include "board_conf.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Which folder ---- */

static void list_boards(const char *boards, char *names, size_t room)
{
    struct dirent **entry;
    int n = scandir(boards, &entry, NULL, alphasort);
    size_t len = 0;
    names[0] = 0;
    for (int i = 0; i < n; i++) {
        char file[BOARD_VALUE];
        const char *name = entry[i]->d_name;
        snprintf(file, sizeof file, "%s/%s/board.conf", boards, name);
        if (*name != '.' && access(file, R_OK) == 0 && len + strlen(name) + 3 < room)
            len += (size_t)snprintf(names + len, room - len, "%s%s", len ? ", " : "", name);
        free(entry[i]);
    }
    if (n >= 0)
        free(entry);
}

static FILE *open_conf(struct board_conf *b, const char *name, const char *boards, char *why, unsigned room)
{
    char file[BOARD_VALUE + 16], names[512];
    int is_folder = strchr(name, '/') != NULL;
    snprintf(b->folder, sizeof b->folder, is_folder ? "%.0s%s" : "%s/%s", is_folder ? "" : boards, name);
    snprintf(file, sizeof file, "%s/board.conf", b->folder);
    FILE *f = fopen(file, "re");
    if (f)
        return f;
    list_boards(boards, names, sizeof names);
    if (is_folder)
        snprintf(why, room, "there is no file '%s'", file);
    else
        snprintf(why, room, "there is no board '%s'; there are: %s", name, names[0] ? names : "none installed");
    return NULL;
}

/* ---- One line ---- */

static int wrong(const struct board_conf *b, const char *key, const char *value, char *why, unsigned room)
{
    snprintf(why, room, "%s/board.conf: %s = %s makes no sense", b->folder, key, value);
    return -1;
}

static int take_number(const char *value, unsigned long most, unsigned long *out)
{
    char *end;
    *out = strtoul(value, &end, 0);
    return end == value || *end || *out == 0 || *out > most ? -1 : 0;
}

static int take_text(char *to, size_t room, const char *value)
{
    if (strlen(value) >= room)
        return -1;
    strcpy(to, value);
    return 0;
}

static int take_kind(struct board_conf *b, const char *value)
{
    static const char *const kinds[] = {[BOARD_RING] = "ring", [BOARD_PIPES] = "pipes", [BOARD_CHIP] = "chip"};
    for (int i = 0; i < 3; i++)
        if (strcmp(value, kinds[i]) == 0) {
            b->kind = (enum board_kind)i;
            return 0;
        }
    return -1;
}

static int take(struct board_conf *b, const char *key, const char *value, char *why, unsigned room)
{
    unsigned long number;
    int e = 0;
    if (strcmp(key, "kind") == 0) {
        e = take_kind(b, value);
    } else if (strcmp(key, "max_ranks") == 0) {
        e = take_number(value, 1 << 20, &number);
        b->max_ranks = (int)number;
    } else if (strcmp(key, "identity") == 0) {
        e = take_number(value, 0xffffffff, &b->identity);
    } else if (strcmp(key, "emulator") == 0) {
        e = take_text(b->emulator, sizeof b->emulator, value);
    } else if (strcmp(key, "package") == 0) {
        e = take_text(b->package, sizeof b->package, value);
    }
    return e ? wrong(b, key, value, why, room) : 0;
}

/* Cut "key = value" into its two; NULL for a line without. */
static char *split(char *line)
{
    char *equals = strchr(line, '=');
    if (*line == '#' || !equals)
        return NULL;
    char *end = equals;
    while (end > line && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    *end = 0;
    char *value = equals + 1 + strspn(equals + 1, " \t");
    size_t len = strlen(value);
    while (len && strchr(" \t\r\n", value[len - 1]))
        value[--len] = 0;
    return value;
}

int board_conf_read(struct board_conf *b, const char *name, const char *boards, char *why, unsigned room)
{
    char line[BOARD_VALUE + 64];
    *b = (struct board_conf){.max_ranks = 64};
    FILE *f = open_conf(b, name, boards, why, room);
    int e = f ? 0 : -1;
    while (!e && fgets(line, sizeof line, f)) {
        if (!strchr(line, '\n') && !feof(f)) {
            snprintf(why, room, "%s/board.conf: a line is longer than %d characters", b->folder, (int)sizeof line);
            e = -1;
            break;
        }
        char *value = split(line);
        e = value ? take(b, line, value, why, room) : 0;
    }
    if (f)
        fclose(f);
    return e;
}
