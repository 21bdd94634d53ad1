/* options.h: --name VALUE, --name=VALUE, --flag and --no-flag, with a help text. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct option_spec {
    const char *name; /* without dashes */
    enum { OPT_FLAG, OPT_WHOLE, OPT_REAL, OPT_TEXT } kind;
    void *to;           /* bool, int, double, const char *: keeps its value where the option is not given */
    double least, most; /* of OPT_WHOLE (also as 256K, 1M, 1G of 1024) and OPT_REAL, both included */
    const char *help;
};

/* Reads the options among argv[1..] and leaves the other arguments, in order, in argv[1..*argc-1]; texts point into argv.
 * False: `wrong` holds a sentence, or is empty when --help was asked for and has been printed. Either goes to refuse(). */
bool options_read(const char *program, const struct option_spec *, int n, int *argc, char **argv, char *wrong,
                  size_t room);

/* Prints "realtime NAME: sentence" once, on rank 0. Returns the exit status: 2, or 0 for an empty sentence, which prints nothing.
 * Every rank must come here or know of it: it is not collective. */
int refuse(const char *subcommand, const char *sentence);

/* A size as 262144, 256K or 1M, 0 to most. False leaves *value. */
bool size_read(const char *text, double most, double *value);
