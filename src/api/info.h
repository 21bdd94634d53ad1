/* info.h: an info object: keys with values, in the order in which they were first set. */
#ifndef MPICO_API_INFO_H
#define MPICO_API_INFO_H

#include "../core/held.h"
#include "slots.h"

enum { INFO_MAGIC = 0x696e6631 };

struct info_pair {
    struct info_pair *next;
    char *value;
    char key[];
};

struct info {
    uint32_t magic;
    uint8_t fixed; /* MPI_INFO_ENV: the program may only read it */
    struct info_pair *first;
};

/* The object is the program's from now on. */
static inline MPI_Info api_info_handle(const struct info *i)
{
    held_add(rank_self(), HELD_INFO, i);
    return (MPI_Info)(void *)(uintptr_t)i;
}

/* Each returns 0 or an error class, with the sentence in the rank. */
int check_info(struct rank *, MPI_Info, struct info **);
int api_info_make(struct rank *, struct info **);
int api_info_copy(struct rank *, const struct info *, struct info **);
int api_info_put(struct rank *, struct info *, const char *key, const char *value);
/* The value, or NULL. */
const char *api_info_value(const struct info *, const char *key);

/* What is known of how the program was started: a new object, or what MPI_INFO_ENV names. */
int api_info_describe(struct rank *, int argc, char **argv, struct info **);
int api_info_env(struct rank *, struct info **);

#endif
