/* runner.c: see runner.h. The runner and the machines are found from where mpiexec itself lies: an installation and the
 * build tree have the same shape.
 */
#include "runner.h"

#include <dirent.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launch.h"

enum { OPTION_WORDS = 32, NAMES_ROOM = 1024 };
static const char suffix[] = ".toml";

/* ---- Where things are ---- */

void runner_beside(const char *name, char path[PATH_MAX])
{
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = 0;
    /* Without its name, and without the folder's: beside bin/. */
    for (int i = 0; i < 2 && strrchr(self, '/'); i++)
        *strrchr(self, '/') = 0;
    if (snprintf(path, PATH_MAX, "%s/%s", self, name) >= PATH_MAX)
        path[0] = 0;
}

static int is_machine(const struct dirent *d)
{
    size_t len = strlen(d->d_name);
    return len >= sizeof suffix && strcmp(d->d_name + len - (sizeof suffix - 1), suffix) == 0;
}

static void list_machines(const char *folder, char *names, size_t room)
{
    struct dirent **entry;
    int n = scandir(folder, &entry, is_machine, alphasort);
    size_t len = 0;
    names[0] = 0;
    for (int i = 0; i < n; i++) {
        int name = (int)(strlen(entry[i]->d_name) - (sizeof suffix - 1));
        if (len + (size_t)name + 3 < room)
            len += (size_t)snprintf(names + len, room - len, "%s%.*s", len ? ", " : "", name, entry[i]->d_name);
        free(entry[i]);
    }
    if (n >= 0)
        free(entry);
}

int runner_machine(const char *name, const char *folder, char *path, unsigned path_room, char *why, unsigned room)
{
    size_t len = strlen(name);
    int is_file = strchr(name, '/') || (len >= sizeof suffix && strcmp(name + len - (sizeof suffix - 1), suffix) == 0);
    snprintf(path, path_room, is_file ? "%.0s%s%.0s" : "%s/%s%s", folder, name, suffix);
    if (access(path, R_OK) == 0)
        return 0;
    char names[NAMES_ROOM];
    list_machines(folder, names, sizeof names);
    if (is_file)
        snprintf(why, room, "there is no machine file '%s'", name);
    else
        snprintf(why, room, "there is no machine '%s'; there are: %s (or give a file, as in ./%s%s)", name,
                 names[0] ? names : "none installed", name, suffix);
    return -1;
}

/* ---- The runner's command line ---- */

struct words {
    char **word;
    size_t count;
};

static void add(struct words *w, const char *word) { w->word[w->count++] = (char *)(uintptr_t)word; }

__attribute__((format(printf, 3, 4))) static void add_value(struct words *w, const char *name, const char *format, ...)
{
    char *text = NULL;
    va_list list;
    va_start(list, format);
    int len = vasprintf(&text, format, list);
    va_end(list);
    add(w, name);
    add(w, len < 0 ? "" : text);
}

static void add_options(struct words *w, const struct options *o, const char *machine)
{
    if (o->prefix)
        add(w, "--prefix");
    if (o->quiet)
        add(w, "--quiet");
    if (o->host_time)
        add(w, "--host-time");
    if (o->threads)
        add_value(w, "--threads", "%d", o->threads);
    if (o->machine)
        add_value(w, "--machine", "%s", machine);
    if (o->discipline)
        add_value(w, "--discipline", "%s", o->discipline);
    if (o->stack_bytes)
        add_value(w, "--stack", "%ld", o->stack_bytes);
    if (o->spin_timeout_s >= 0)
        add_value(w, "--spin-timeout", "%g", o->spin_timeout_s);
    if (o->hang_timeout_s > 0)
        add_value(w, "--hang-timeout", "%g", o->hang_timeout_s);
    add(w, "--");
}

static void add_programs(struct words *w, const struct options *o)
{
    for (int i = 0; i < o->parts; i++) {
        if (i)
            add(w, ":");
        add_value(w, "-n", "%d", o->part[i].ranks);
        for (char **word = o->part[i].argv; *word; word++)
            add(w, *word);
    }
}

static size_t count_words(const struct options *o)
{
    size_t n = OPTION_WORDS;
    for (int i = 0; i < o->parts; i++) {
        n += 4;
        for (char **word = o->part[i].argv; *word; word++)
            n++;
    }
    return n;
}

static int refuse(char *why, unsigned room, const char *sentence)
{
    snprintf(why, room, "%s", sentence);
    return 1;
}

static int same_directory(const struct options *o)
{
    for (int i = 1; i < o->parts; i++) {
        const char *a = o->part[0].wdir, *b = o->part[i].wdir;
        if ((a || b) && (!a || !b || strcmp(a, b)))
            return 0;
    }
    return 1;
}

int runner_plan(struct options *o, char *why, unsigned room)
{
    static char program[PATH_MAX], machine[PATH_MAX];
    char folder[PATH_MAX];
    if (!o->fibers)
        return 0;
    int status = launch_check(o, why, room);
    if (status)
        return status;
    if (!same_directory(o))
        return refuse(why, room, "-wdir: ranks of one process have one working directory");
    runner_beside("share/mpico/machines", folder);
    if (o->machine && runner_machine(o->machine, folder, machine, sizeof machine, why, room))
        return 2;
    runner_beside(o->machine ? "lib/mpico/sim/mpico-sim" : "lib/mpico/fiber/mpico-fiber", program);
    if (access(program, X_OK))
        return refuse(why, room,
                      o->machine ? "--machine: this build has no simulator" : "--fibers: this build has no fibers");
    struct words w = {.word = calloc(count_words(o), sizeof *w.word)};
    if (!w.word)
        return refuse(why, room, "no memory");
    add(&w, program);
    add_options(&w, o, machine);
    add_programs(&w, o);
    o->part[0] = (struct part){.ranks = 1, .argv = w.word, .wdir = o->part[0].wdir};
    o->parts = o->ranks = 1;
    o->prefix = 0; /* the runner's affair now */
    o->one_child = 1;
    return 0;
}
