/* options_parser.h: what the files of the parser share. Each option is a row of the table (options_table.c): its name without dashes, how many
 * words follow it, and the function that takes the first of them; the row's other fields are for that function.
 */
#ifndef MPIEXEC_OPTIONS_PARSER_H
#define MPIEXEC_OPTIONS_PARSER_H

#include <stddef.h>

#include "options.h"

enum { NAME_ROOM = 40, IGNORED_ROOM = 400 };

struct parser {
    struct options *o;
    struct part now;      /* the part that is being read: */
    int count;            /* its -n; 0: not said */
    int a_host;           /* ranks a host; 0: not said */
    int a_host_at_most;   /* 1: more would need other hosts, 0: they all run here */
    const char *soft;     /* numbers that would do; NULL: -n alone */
    int slots;            /* of all hosts that were named */
    char **word;          /* the next one */
    char name[NAME_ROOM]; /* of the option that is being read, as it was written */
    char ignored[IGNORED_ROOM];
    char *why;
    unsigned room;
};

struct option {
    const char *name;
    int values; /* 0 or 1; further ones are taken by next_value() */
    int (*take)(struct parser *, const struct option *, char *value);
    size_t at;        /* of a field in struct options */
    int what;         /* a number for the function */
    const char *text; /* a sentence for it */
};

extern const struct option options_table[];
extern const int options_in_table;

/* Write the sentence; -1, which is what a function that takes returns. */
__attribute__((format(printf, 2, 3))) int options_wrong(struct parser *, const char *format, ...);
/* A line for the user, who gets what he asked for, or nearly. */
__attribute__((format(printf, 2, 3))) void options_notice(struct parser *, const char *format, ...);
/* The next word, as a value; NULL: there is none, said so. */
char *options_next(struct parser *);
/* "one", `between`, "other" as one text that lives as long as the options. NULL: no room, said so. */
const char *options_join(struct parser *, const char *one, const char *between, const char *other);
/* A whole number from `least` to `most`, to the end of the text. 0 or negative: nothing is said. */
int options_whole(const char *text, long least, long most, long *out);

typedef int options_take(struct parser *, const struct option *, char *value);
/* options_values.c */
options_take options_flag, options_count, options_text, options_seconds, options_stdin, options_megabytes,
    options_threads, options_stack, options_spin_timeout, options_named, options_wdir, options_path, options_machine;
/* options_faults.c */
options_take options_fault, options_noise;
/* options_env.c */
options_take options_env_all, options_env_own, options_env_pass, options_errhandler;
/* options_place.c */
options_take options_hosts, options_hostfile, options_per_host, options_arch, options_soft;
/* options_foreign.c */
options_take options_same, options_ignored, options_bind, options_refused;
/* options_config.c */
options_take options_config;

/* How many ranks the part gets, when all its options are read. 0 or negative. */
int options_ranks(struct parser *);

#endif
