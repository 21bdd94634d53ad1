/* options.h: the command line of mpiexec. Pure: reads words, touches nothing else. */
#ifndef MPIEXEC_OPTIONS_H
#define MPIEXEC_OPTIONS_H

enum { OPTIONS_PARTS = 64, OPTIONS_ENV = 128, OPTIONS_RANKS = 1024 };

/* One program of the command line, between two ':'. */
struct part {
    int ranks;
    char **argv; /* program and arguments, ends with NULL */
    const char *wdir;
};

struct options {
    struct part part[OPTIONS_PARTS];
    int parts, ranks;             /* ranks of all parts */
    const char *env[OPTIONS_ENV]; /* "NAME=VALUE" */
    int envs;
    int prefix, quiet, no_stdin;
    double hang_timeout_s, timeout_s; /* 0: never */
};

enum options_result { OPTIONS_RUN, OPTIONS_HELP, OPTIONS_VERSION, OPTIONS_WRONG };

/* Parse argv[1..argc-1]. The result points into argv, in which each ':' becomes NULL; argv[argc] must be NULL.
 * With OPTIONS_WRONG, `why` (of `room` bytes) holds the sentence. */
enum options_result options_parse(struct options *, int argc, char **argv, char *why, unsigned room);
extern const char options_help[];

#endif
