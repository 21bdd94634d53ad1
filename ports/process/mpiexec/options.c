/* options.c: the words of the command line, one after the other; the first that is no option is a program, and
 * all words up to the next ':' are its arguments.
 */
#include "options.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char options_help[] =
    "usage: mpiexec [-n RANKS] [options] PROGRAM [ARGUMENTS] [: -n RANKS PROGRAM2 [ARGUMENTS]]...\n"
    "\n"
    "  -n, -np RANKS        processes to start (1)\n"
    "  -wdir DIR            their working directory\n"
    "  -x, -env NAME=VALUE  set an environment variable in all ranks\n"
    "  -l, --prefix         begin each line of output with its rank, as in \"[3] \"\n"
    "  --stdin none|0       who reads the standard input: nobody, or rank 0 (the default)\n"
    "  --timeout SECONDS    end the job after this time (exit status 124)\n"
    "  --hang-timeout SECONDS\n"
    "                       end the job when no message has moved for this long while a rank waits for one\n"
    "  --model FILE         choose algorithms of collectives by these parameters (MPICO_MODEL); see `mpico explain`\n"
    "  --trace FILE         write what the ranks did and when, for ui.perfetto.dev and `mpico trace summary`\n"
    "  --trace-limit MB     memory for it until the job ends (1024); what comes later is counted, not kept\n"
    "  -q, --quiet          do not say why a job failed\n"
    "\n"
    "Ranks within one process, many on few CPUs:\n"
    "  --fibers             each rank is a coroutine with globals of its own; the C library's state (as of rand()\n"
    "                       and strtok()), the environment, open files and the directory are shared by all\n"
    "  --threads T          run them on T threads (1); more than 1 is for programs that do not use such shared state\n"
    "  --stack SIZE         each rank's stack, as in 256K (the default) or 8M\n"
    "  --spin-timeout SECONDS\n"
    "                       name a rank that computes so long while others wait (10); 0: never\n"
    "  --machine NAME|FILE  the ranks run on a simulated machine, in its time\n"
    "  --discipline NAME    how its ring carries packets, instead of what its file says\n"
    "  --host-time          its processors need the time that this one needs, instead of what programs declare\n"
    "\n"
    "Ranks on boards, or on emulators of them:\n"
    "  --board NAME|DIR     the program was compiled with mpicc --board NAME\n"
    "  --cut A-B[@SECONDS]  cut the wire between two neighbours, at the start or later; @+SECONDS: after the first "
    "output\n"
    "  --kill RANK[@SECONDS]    stop a node dead\n"
    "  --babble RANK[@SECONDS]  a node sends noise from then on\n"
    "  --noise RATE         damage each byte on a wire with this probability\n"
    "\n"
    "  -h, --help           this text\n"
    "  --version            the version\n"
    "\n"
    "The exit status is that of the first rank that failed (128 + N for signal N). When all ranks wait for each\n"
    "other the job is ended, and who waits for whom is shown; SIGQUIT (Ctrl-\\) shows it at any time.\n";

struct parser {
    struct options *o;
    struct part now; /* the part that is being read */
    char **word;
    char *why;
    unsigned room;
};

__attribute__((format(printf, 2, 3))) static int wrong(struct parser *p, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(p->why, p->room, format, list);
    va_end(list);
    return -1;
}

/* ---- One function a kind of value; `name` is the option ---- */

static int take_ranks(struct parser *p, const char *name, char *value)
{
    char *end;
    errno = 0;
    long n = strtol(value, &end, 10);
    if (end == value || *end)
        return wrong(p, "%s needs a number, not '%s'", name, value);
    if (errno || n < 1 || n > OPTIONS_FIBERS)
        return wrong(p, "%s %s: between 1 and %d ranks", name, value, OPTIONS_RANKS);
    p->now.ranks = (int)n;
    return 0;
}

static int take_wdir(struct parser *p, const char *name, char *value)
{
    (void)name;
    p->now.wdir = value;
    return 0;
}

static int take_env(struct parser *p, const char *name, char *value)
{
    if (!strchr(value, '=') || *value == '=')
        return wrong(p, "%s needs NAME=VALUE, not '%s'", name, value);
    if (p->o->envs == OPTIONS_ENV)
        return wrong(p, "%s: more than %d variables", name, OPTIONS_ENV);
    p->o->env[p->o->envs++] = value;
    return 0;
}

static int take_stdin(struct parser *p, const char *name, char *value)
{
    if (strcmp(value, "none") && strcmp(value, "0"))
        return wrong(p, "%s is 'none' or '0', not '%s'", name, value);
    p->o->no_stdin = *value == 'n';
    return 0;
}

static int seconds(struct parser *p, const char *name, const char *value, double *out)
{
    char *end;
    double s = strtod(value, &end);
    if (end == value || *end || !isfinite(s) || s <= 0 || s > 1e9)
        return wrong(p, "%s needs a number of seconds, not '%s'", name, value);
    *out = s;
    return 0;
}

static int take_timeout(struct parser *p, const char *name, char *value)
{
    return seconds(p, name, value, &p->o->timeout_s);
}

static int take_hang_timeout(struct parser *p, const char *name, char *value)
{
    return seconds(p, name, value, &p->o->hang_timeout_s);
}

static int take_trace(struct parser *p, const char *name, char *value)
{
    if (!*value || *value == '-')
        return wrong(p, "%s needs a file to write, not '%s'", name, value);
    p->o->trace = value;
    return 0;
}

static int take_trace_limit(struct parser *p, const char *name, char *value)
{
    char *end;
    long n = strtol(value, &end, 10);
    if (end == value || *end || n < 1 || n > 1 << 20)
        return wrong(p, "%s needs a number of MiB from 1 to %d, not '%s'", name, 1 << 20, value);
    p->o->trace_limit_mb = n;
    return 0;
}

/* ---- Ranks within one process ---- */

static int take_threads(struct parser *p, const char *name, char *value)
{
    char *end;
    long n = strtol(value, &end, 10);
    if (end == value || *end || n < 1 || n > OPTIONS_RANKS)
        return wrong(p, "%s needs a number from 1 to %d, not '%s'", name, OPTIONS_RANKS, value);
    p->o->threads = (int)n;
    return 0;
}

static int take_stack(struct parser *p, const char *name, char *value)
{
    char *end;
    double n = strtod(value, &end), unit = 1;
    if (end > value && strchr("kKmMgG", *end) && *end) {
        unit = *end == 'k' || *end == 'K' ? 1 << 10 : *end == 'm' || *end == 'M' ? 1 << 20 : 1 << 30;
        end++;
    }
    if (end == value || *end || !(n * unit >= 16384) || n * unit > 1e12)
        return wrong(p, "%s needs a size from 16K on, as in 256K or 8M, not '%s'", name, value);
    p->o->stack_bytes = (long)(n * unit);
    return 0;
}

static int take_spin_timeout(struct parser *p, const char *name, char *value)
{
    if (strcmp(value, "0") == 0) {
        p->o->spin_timeout_s = 0;
        return 0;
    }
    return seconds(p, name, value, &p->o->spin_timeout_s);
}

static int take_model(struct parser *p, const char *name, char *value)
{
    (void)name;
    p->o->model = value;
    return 0;
}

static int take_machine(struct parser *p, const char *name, char *value)
{
    if (*value == '-')
        return wrong(p, "%s needs a machine's name or file, not '%s'", name, value);
    p->o->machine = value;
    p->o->fibers = 1;
    return 0;
}

static int take_discipline(struct parser *p, const char *name, char *value)
{
    (void)name;
    p->o->discipline = value;
    return 0;
}

/* ---- Boards ---- */

static int take_board(struct parser *p, const char *name, char *value)
{
    if (!*value || *value == '-')
        return wrong(p, "%s needs a board's name or folder, not '%s'", name, value);
    p->o->board = value;
    return 0;
}

/* "RANK", or "RANK-RANK" for a wire; then "@SECONDS", "@+SECONDS", or nothing. */
static int read_fault(struct fault *f, const char *value)
{
    char *end;
    long rank = strtol(value, &end, 10), other = rank;
    if (end == value || rank < 0 || rank >= OPTIONS_RANKS)
        return -1;
    if (f->kind == FAULT_CUT) {
        const char *second = end + 1;
        other = *end == '-' ? strtol(second, &end, 10) : -1;
        if (other < 0 || other >= OPTIONS_RANKS || other == rank || end == second)
            return -1;
    }
    f->rank = (int)rank;
    f->other = (int)other;
    f->text = value;
    if (!*end)
        return 0;
    f->of_output = end[1] == '+';
    const char *time = end + 1 + f->of_output;
    f->after_s = *end == '@' ? strtod(time, &end) : -1;
    return *end || end == time || !isfinite(f->after_s) || f->after_s < 0 ? -1 : 0;
}

static int take_fault(struct parser *p, const char *name, char *value)
{
    struct fault f = {.kind = name[2] == 'c' ? FAULT_CUT : name[2] == 'k' ? FAULT_KILL : FAULT_BABBLE};
    if (read_fault(&f, value))
        return wrong(p, "%s needs %s or %s@SECONDS, not '%s'", name, f.kind == FAULT_CUT ? "RANK-RANK" : "RANK",
                     f.kind == FAULT_CUT ? "RANK-RANK" : "RANK", value);
    if (p->o->faults == OPTIONS_FAULTS)
        return wrong(p, "%s: more than %d faults", name, OPTIONS_FAULTS);
    p->o->fault[p->o->faults++] = f;
    return 0;
}

static int take_noise(struct parser *p, const char *name, char *value)
{
    char *end;
    double rate = strtod(value, &end);
    if (end == value || *end || !(rate >= 0) || rate > 1)
        return wrong(p, "%s needs a probability from 0 to 1, not '%s'", name, value);
    p->o->noise = rate;
    return 0;
}

static const struct {
    const char *name;
    int (*take)(struct parser *, const char *name, char *value);
} valued[] = {
    {"-n", take_ranks},
    {"-np", take_ranks},
    {"--np", take_ranks},
    {"-wdir", take_wdir},
    {"--wdir", take_wdir},
    {"-x", take_env},
    {"-env", take_env},
    {"--env", take_env},
    {"-genv", take_env},
    {"--stdin", take_stdin},
    {"-stdin", take_stdin},
    {"--timeout", take_timeout},
    {"-timeout", take_timeout},
    {"--hang-timeout", take_hang_timeout},
    {"--threads", take_threads},
    {"--stack", take_stack},
    {"--machine", take_machine},
    {"--spin-timeout", take_spin_timeout},
    {"--discipline", take_discipline},
    {"--board", take_board},
    {"--cut", take_fault},
    {"--kill", take_fault},
    {"--babble", take_fault},
    {"--noise", take_noise},
    {"--model", take_model},
    {"--trace", take_trace},
    {"--trace-limit", take_trace_limit},
};

/* ---- */

static int is(const char *word, const char *one, const char *other)
{
    return strcmp(word, one) == 0 || strcmp(word, other) == 0;
}

/* An option without a value: 1 when it was one. */
static int flag(struct options *o, const char *word)
{
    if (is(word, "-l", "--prefix"))
        o->prefix = 1;
    else if (is(word, "-q", "--quiet"))
        o->quiet = 1;
    else if (strcmp(word, "--fibers") == 0)
        o->fibers = 1;
    else if (strcmp(word, "--host-time") == 0)
        o->host_time = 1;
    else
        return 0;
    return 1;
}

/* At an option: past it, or negative. "--name=value" is fine for the long ones. */
static int option(struct parser *p)
{
    char *word = *p->word++;
    if (flag(p->o, word))
        return 0;
    char *equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
    size_t len = equals ? (size_t)(equals - word) : strlen(word);
    for (size_t i = 0; i < sizeof valued / sizeof valued[0]; i++) {
        const char *name = valued[i].name;
        if (strlen(name) != len || strncmp(name, word, len))
            continue;
        if (equals)
            return valued[i].take(p, name, equals + 1);
        if (!*p->word || is(*p->word, ":", ""))
            return wrong(p, "%s needs a value", name);
        return valued[i].take(p, name, *p->word++);
    }
    return wrong(p, "unknown option '%s'", word);
}

/* At a program: past its arguments and the ':' behind them. */
static int program(struct parser *p)
{
    struct options *o = p->o;
    if (o->parts == OPTIONS_PARTS)
        return wrong(p, "more than %d programs", OPTIONS_PARTS);
    p->now.argv = p->word;
    while (*p->word && strcmp(*p->word, ":"))
        p->word++;
    o->ranks += p->now.ranks; /* <= 64 * 100000 */
    o->part[o->parts++] = p->now;
    p->now = (struct part){.ranks = 1};
    if (!*p->word)
        return 0;
    *p->word++ = NULL;
    return *p->word ? 0 : wrong(p, "no program after ':'");
}

/* What only all words together tell. */
static int whole(struct parser *p)
{
    const struct options *o = p->o;
    int most = o->fibers ? OPTIONS_FIBERS : OPTIONS_RANKS;
    if (o->ranks > most)
        return o->parts == 1 ? wrong(p, "-n %d: between 1 and %d ranks", o->ranks, most)
                             : wrong(p, "%d ranks: at most %d", o->ranks, most);
    if (o->threads && (!o->fibers || o->machine))
        return wrong(p, "--threads is for --fibers%s", o->machine ? ", not for --machine" : "");
    if (!o->fibers && (o->stack_bytes || o->spin_timeout_s >= 0))
        return wrong(p, "--stack and --spin-timeout are for --fibers and --machine");
    if (!o->machine && (o->discipline || o->host_time))
        return wrong(p, "--discipline and --host-time are for --machine");
    if (o->board && (o->fibers || o->trace))
        return wrong(p, "--board excludes --fibers, --machine and --trace");
    if (!o->board && (o->faults || o->noise > 0))
        return wrong(p, "--cut, --kill, --babble and --noise are for --board");
    if (o->trace_limit_mb && !o->trace)
        return wrong(p, "--trace-limit is for --trace");
    return 0;
}

enum options_result options_parse(struct options *o, int argc, char **argv, char *why, unsigned room)
{
    *o = (struct options){.spin_timeout_s = -1};
    struct parser p = {.o = o, .now = {.ranks = 1}, .word = argc > 0 ? argv + 1 : argv, .why = why, .room = room};
    int open = 1; /* a part has begun, its program has not come yet */
    while (*p.word) {
        if (is(*p.word, "-h", "--help"))
            return OPTIONS_HELP;
        if (is(*p.word, "--version", "-version"))
            return OPTIONS_VERSION;
        int e;
        if (**p.word == '-') {
            e = option(&p);
            open = 1;
        } else if (**p.word == 0 || strcmp(*p.word, ":") == 0) {
            e = wrong(&p, "a program is missing before '%s'", *p.word);
        } else {
            e = program(&p);
            open = 0;
        }
        if (e)
            return OPTIONS_WRONG;
    }
    if (open) {
        wrong(&p, o->parts ? "no program after ':'" : "no program to start");
        return OPTIONS_WRONG;
    }
    o->world = o->ranks;
    return whole(&p) ? OPTIONS_WRONG : OPTIONS_RUN;
}
