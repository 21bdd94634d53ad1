/* options.h: the command line of mpiexec: its own options, the standard's (MPI 5.0, section 11.5), and what scripts pass to other launchers. It
 * reads words, the environment, and the files that the words name; it changes nothing. */
#ifndef MPIEXEC_OPTIONS_H
#define MPIEXEC_OPTIONS_H

enum {
    OPTIONS_PARTS = 64,
    OPTIONS_ENV = 128,
    OPTIONS_FAULTS = 16,
    OPTIONS_POOL = 16384,   /* bytes of texts that are not in argv as they are needed */
    OPTIONS_NOTICES = 1024, /* bytes */
    OPTIONS_RANKS = 1024,   /* processes */
    OPTIONS_FIBERS = 100000 /* ranks within one process */
};

/* One program of the command line, between two ':'. */
struct part {
    char **argv; /* program and arguments, ends with NULL */
    const char *wdir;
    const char *path;  /* folders to look for the program in before PATH; NULL: none */
    const char *title; /* with --board: its program; NULL: argv[0], */
    int board_rank;    /* which node this is, */
    int in;            /* and what it reads; 0: as usual */
    int ranks;
};

/* A variable of the environment of one part alone. */
struct own_variable {
    int part;
    const char *text; /* "NAME=VALUE" */
};

/* What is to happen to a ring of boards, and when. */
enum fault_kind { FAULT_CUT, FAULT_KILL, FAULT_BABBLE };
struct fault {
    enum fault_kind kind;
    int rank, other; /* other: of FAULT_CUT, the neighbour; else the same */
    double after_s;
    int of_output;    /* counted from the first output of a node, not from the start */
    const char *text; /* as on the command line */
};

struct options {
    struct part part[OPTIONS_PARTS];
    int parts, ranks;                 /* ranks of all parts */
    int world;                        /* ranks of the job, also where one process has them all */
    const char *env[OPTIONS_ENV + 3]; /* "NAME=VALUE"; those of --trace, of --board and of the model come on top */
    int envs;
    struct own_variable own[OPTIONS_ENV];
    int owns;
    int prefix, quiet, no_stdin;
    double hang_timeout_s, timeout_s; /* 0: never */
    const char *model;                /* file of parameters; NULL: none was named */
    const char *trace;                /* the file; NULL: no trace */
    long trace_limit_mb;              /* 0: the default */
    /* Ranks within one process (runner.c). */
    int fibers;             /* asked for, or implied by a machine */
    const char *machine;    /* a name or a file; NULL: this one */
    const char *discipline; /* NULL: as the machine's file says */
    int host_time, threads; /* threads 0: the runner's choice */
    double spin_timeout_s;  /* negative: the runner's choice; 0: never */
    long stack_bytes;       /* 0: the runner's choice */
    const char *board;      /* a name or a folder; NULL: none (board.c) */
    struct fault fault[OPTIONS_FAULTS];
    int faults;
    double noise;  /* probability that a byte of a board's wire is damaged */
    int one_child; /* part[0] is the runner, which judges and reports for its ranks */

    char notices
        [OPTIONS_NOTICES]; /* what the user should hear of options without effect: lines, each with its newline */
    char pool[OPTIONS_POOL];
    unsigned pooled;
    char **config; /* the words of -configfile; NULL: none */
};

enum options_result { OPTIONS_RUN, OPTIONS_HELP, OPTIONS_HELP_ENV, OPTIONS_VERSION, OPTIONS_WRONG };

/* Parse argv[1..argc-1]. The result points into argv, in which each ':' becomes NULL; argv[argc] must be NULL.
 * With OPTIONS_WRONG, `why` (of `room` bytes) holds the sentence. options_release() gives back what it has allocated. */
enum options_result options_parse(struct options *, int argc, char **argv, char *why, unsigned room);
void options_release(struct options *);
extern const char options_help[];

#endif
