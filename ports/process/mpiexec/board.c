/* board.c: see board.h. */
#include "board.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "board_command.h"
#include "board_conf.h"
#include "board_links.h"
#include "board_wires.h"
#include "machine.h"
#include "runner.h"

static struct board_conf conf;
static struct board_link *links;
static int nodes_in_ring;
static int console[OPTIONS_PARTS]; /* write ends; 0: none */
static char env_rank[32] = "MPICO_BOARD_RANK=", env_size[32];

/* ---- The plan ---- */

__attribute__((format(printf, 4, 5))) static int refuse(int status, char *why, unsigned room, const char *sentence, ...)
{
    va_list list;
    va_start(list, sentence);
    vsnprintf(why, room, sentence, list);
    va_end(list);
    return status;
}

static int check_program(const struct part *p, char *why, unsigned room)
{
    char path[PATH_MAX];
    const char *name = p->argv[0];
    snprintf(path, sizeof path, *name == '/' || !p->wdir ? "%.0s%s" : "%s/%s", p->wdir ? p->wdir : "", name);
    if (access(path, R_OK))
        return refuse(127, why, room, "cannot read '%s': %s", name, strerror(errno));
    if (p->argv[1] && conf.kind != BOARD_PIPES && !strstr(conf.emulator, "ARGS@"))
        return refuse(2, why, room, "programs on this board take no arguments, not even '%s'", p->argv[1]);
    return 0;
}

static int check(const struct options *o, char *why, unsigned room)
{
    if (o->world > conf.max_ranks)
        return refuse(2, why, room, "-n %d: the board '%s' has at most %d ranks", o->world, o->board, conf.max_ranks);
    if (o->world > OPTIONS_PARTS && conf.kind != BOARD_CHIP)
        return refuse(2, why, room, "-n %d: at most %d boards", o->world, OPTIONS_PARTS);
    if (conf.kind == BOARD_CHIP && o->parts > 1)
        return refuse(2, why, room, "all ranks of a chip run one program");
    if (conf.kind == BOARD_CHIP && (o->faults || o->noise > 0))
        return refuse(2, why, room, "--cut, --kill, --babble and --noise are for rings of boards");
    for (int i = 0; i < o->faults; i++) {
        const struct fault *f = &o->fault[i];
        int apart = (f->other - f->rank + o->world) % o->world;
        if (f->rank >= o->world || f->other >= o->world)
            return refuse(2, why, room, "%s: there are ranks 0 to %d", f->text, o->world - 1);
        if (f->kind == FAULT_CUT && apart != 1 && apart != o->world - 1)
            return refuse(2, why, room, "--cut %s: ranks %d and %d are no neighbours", f->text, f->rank, f->other);
    }
    for (int i = 0; i < o->parts; i++) {
        int status = check_program(&o->part[i], why, room);
        if (status)
            return status;
    }
    return 0;
}

/* What a node reads from its console, for questions of ours: see board_ask(). 0 where there is none. */
static int open_console(int rank)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK))
        return 0;
    console[rank] = ends[1];
    return ends[0];
}

/* The programs of the command line become one part a node. */
static int nodes(struct options *o)
{
    static struct part program[OPTIONS_PARTS];
    int count = conf.kind == BOARD_CHIP ? 1 : o->world, of = 0, left;
    memcpy(program, o->part, sizeof program);
    left = program[0].ranks;
    for (int rank = 0; rank < count; rank++, left--) {
        if (left == 0)
            left = program[++of].ranks;
        struct board_node node = {.conf = &conf, .links = links, .rank = rank, .ranks = o->world};
        node.argv = program[of].argv;
        struct part *p = &o->part[rank];
        *p = (struct part){.ranks = 1, .argv = board_command(&node), .wdir = program[of].wdir};
        p->board_rank = rank;
        p->title = program[of].argv[0];
        p->in = conf.kind == BOARD_RING ? open_console(rank) : 0;
        if (!p->argv)
            return -1;
    }
    o->parts = o->ranks = count;
    return 0;
}

/* The emulator is looked for as a program of a job is; but then somebody should be told where to get it. */
static int check_emulator(const struct options *o, char *why, unsigned room)
{
    int status = launch_check(o, why, room);
    if (status == 127 && *conf.emulator && *conf.package) {
        size_t len = strlen(why);
        snprintf(why + len, room - len, "; on Debian it is in the package %s", conf.package);
    }
    return status;
}

int board_plan(struct options *o, char *why, unsigned room)
{
    char boards[PATH_MAX];
    if (!o->board)
        return 0;
    runner_beside("lib/mpico/board", boards);
    if (board_conf_read(&conf, o->board, boards, why, room))
        return 2;
    int status = check(o, why, room);
    if (status)
        return status;
    if (conf.kind != BOARD_CHIP && !(links = board_links_open(o)))
        return refuse(1, why, room, "cannot wire %d boards: %s", o->world, strerror(errno));
    if (nodes(o))
        return refuse(1, why, room, "the command line of '%s' is too long", o->board);
    nodes_in_ring = o->world;
    snprintf(env_size, sizeof env_size, "MPICO_BOARD_SIZE=%d", o->world);
    o->env[o->envs++] = env_size;
    o->env[o->envs++] = env_rank;
    o->no_stdin = 1; /* an emulator would change the terminal's settings */
    o->one_child = conf.kind == BOARD_CHIP;
    return check_emulator(o, why, room);
}

/* ---- While it runs ---- */

void board_prepare(const struct part *p, int link[2])
{
    link[0] = link[1] = -1;
    if (conf.kind != BOARD_PIPES || !links)
        return;
    snprintf(env_rank, sizeof env_rank, "MPICO_BOARD_RANK=%d", p->board_rank);
    link[0] = links[(p->board_rank + nodes_in_ring - 1) % nodes_in_ring].right_end;
    link[1] = links[p->board_rank].left_end;
}

int board_disturb(const struct options *o, const struct child *child)
{
    return o->board && (o->faults || o->noise > 0) ? board_wires_start(o, links, child) : 0;
}

int board_killed(const struct options *o, int rank, int wait_status)
{
    for (int i = 0; i < o->faults; i++)
        if (o->fault[i].kind == FAULT_KILL && o->fault[i].rank == rank)
            return WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGKILL;
    return 0;
}

void board_spoke(void)
{
    if (board_wires_spoke_ns && *board_wires_spoke_ns == 0)
        *board_wires_spoke_ns = machine_now_ns();
}

void board_ask(void)
{
    for (int i = 0; i < OPTIONS_PARTS; i++)
        if (console[i] && write(console[i], "?", 1) < 0)
            continue; /* asked before, and not answered */
}
