/* options_table.c: every option of mpiexec, whoever's it is. Names are without dashes: other launchers take one or two, and so do we. */
#include "options_parser.h"

#define FIELD(name) offsetof(struct options, name)
#define FLAG(name, field)                                                                                              \
    {                                                                                                                  \
        name, 0, options_flag, FIELD(field), 0, NULL                                                                   \
    }
#define SET(name, take, field)                                                                                         \
    {                                                                                                                  \
        name, 1, take, FIELD(field), 0, NULL                                                                           \
    }
#define TAKE(name, take)                                                                                               \
    {                                                                                                                  \
        name, 1, take, 0, 0, NULL                                                                                      \
    }
#define WHAT(name, take, what)                                                                                         \
    {                                                                                                                  \
        name, 1, take, 0, what, NULL                                                                                   \
    }
#define SAME(name)                                                                                                     \
    {                                                                                                                  \
        name, 0, options_same, 0, 0, NULL                                                                              \
    }
#define IGNORED(name, values)                                                                                          \
    {                                                                                                                  \
        name, values, options_ignored, 0, values, NULL                                                                 \
    }
#define REFUSED(name, why)                                                                                             \
    {                                                                                                                  \
        name, 0, options_refused, 0, 0, why                                                                            \
    }

static const char environment[] =
    "ranks have the environment of mpiexec: start it with `env -i` and what is to be left";
static const char redirect[] = "redirect the output of mpiexec; --prefix says which rank wrote a line";

const struct option options_table[] = {
    /* Ranks and programs */
    TAKE("n", options_count),
    TAKE("np", options_count),
    TAKE("c", options_count),
    TAKE("wdir", options_wdir),
    TAKE("wd", options_wdir),
    TAKE("path", options_path),
    TAKE("configfile", options_config),
    TAKE("app", options_config),
    /* Their environment */
    TAKE("x", options_env_pass),
    TAKE("genv", options_env_all),
    TAKE("env", options_env_own),
    SAME("genvall"),
    SAME("envall"),
    TAKE("initial-errhandler", options_errhandler),
    /* Output, input, and the end */
    FLAG("l", prefix),
    FLAG("prefix", prefix),
    FLAG("prepend-rank", prefix),
    FLAG("tag-output", prefix),
    FLAG("q", quiet),
    FLAG("quiet", quiet),
    TAKE("stdin", options_stdin),
    SET("timeout", options_seconds, timeout_s),
    SET("hang-timeout", options_seconds, hang_timeout_s),
    SET("trace", options_named, trace),
    SET("trace-limit", options_megabytes, trace_limit_mb),
    SET("model", options_text, model),
    /* Ranks within one process */
    FLAG("fibers", fibers),
    TAKE("threads", options_threads),
    TAKE("stack", options_stack),
    TAKE("spin-timeout", options_spin_timeout),
    TAKE("machine", options_machine),
    SET("discipline", options_text, discipline),
    FLAG("host-time", host_time),
    /* Boards */
    SET("board", options_named, board),
    WHAT("cut", options_fault, FAULT_CUT),
    WHAT("kill", options_fault, FAULT_KILL),
    WHAT("babble", options_fault, FAULT_BABBLE),
    TAKE("noise", options_noise),
    /* Where: there is one host */
    TAKE("host", options_hosts),
    TAKE("hosts", options_hosts),
    TAKE("H", options_hosts),
    TAKE("hostfile", options_hostfile),
    TAKE("machinefile", options_hostfile),
    TAKE("default-hostfile", options_hostfile),
    TAKE("f", options_hostfile),
    WHAT("N", options_per_host, 1),
    WHAT("npernode", options_per_host, 1),
    {"pernode", 0, options_per_host, 0, 1, NULL},
    WHAT("ppn", options_per_host, 0),
    WHAT("perhost", options_per_host, 0),
    TAKE("arch", options_arch),
    TAKE("soft", options_soft),
    /* It is so anyway */
    SAME("oversubscribe"),
    SAME("allow-run-as-root"),
    SAME("localonly"),
    /* What means nothing here */
    TAKE("bind-to", options_bind),
    IGNORED("map-by", 1),
    IGNORED("rank-by", 1),
    IGNORED("membind", 1),
    IGNORED("cpu-set", 1),
    IGNORED("cpu-list", 1),
    IGNORED("cpus-per-proc", 1),
    IGNORED("cpus-per-rank", 1),
    IGNORED("bind-to-core", 0),
    IGNORED("bycore", 0),
    IGNORED("bynode", 0),
    IGNORED("byslot", 0),
    IGNORED("nooversubscribe", 0),
    IGNORED("use-hwthread-cpus", 0),
    IGNORED("report-bindings", 0),
    IGNORED("display-map", 0),
    IGNORED("display-allocation", 0),
    IGNORED("print-rank-map", 0),
    IGNORED("timestamp-output", 0),
    IGNORED("v", 0),
    IGNORED("verbose", 0),
    IGNORED("launcher", 1),
    IGNORED("bootstrap", 1),
    IGNORED("rmk", 1),
    IGNORED("iface", 1),
    IGNORED("tune", 1),
    IGNORED("mca", 2),
    IGNORED("gmca", 2),
    IGNORED("omca", 2),
    IGNORED("pmixmca", 2),
    IGNORED("prtemca", 2),
    /* What is not there */
    REFUSED("genvnone", environment),
    REFUSED("genvlist", environment),
    REFUSED("envnone", environment),
    REFUSED("envlist", environment),
    REFUSED("output-filename", redirect),
    REFUSED("outfile-pattern", redirect),
    REFUSED("errfile-pattern", redirect),
    REFUSED("nolocal", "there is no host but this one"),
    REFUSED("file", "there is no format of such files; -configfile and -hostfile read files"),
};

const int options_in_table = sizeof options_table / sizeof *options_table;
