/* group.h: an ordered set of world ranks. Immutable once made, counted references. */
#ifndef MPICO_GROUP_H
#define MPICO_GROUP_H

#include <stdint.h>

struct rank;

enum { GROUP_MAGIC = 0x67727031 };

struct group {
    uint32_t magic;
    uint32_t refs;
    int size;
    int self;    /* this process's rank in the group, or -1 */
    int world[]; /* size entries: world ranks */
};

/* A group of `size` members with unset world[] and one reference; NULL when memory is exhausted. */
struct group *mpico_group_alloc(struct rank *, int size);
/* Sets self from world[]; call once world[] is filled. */
void mpico_group_seal(struct rank *, struct group *);
void mpico_group_keep(struct group *);
void mpico_group_release(struct rank *, struct group *);
/* Rank of a world rank in the group, or -1. Linear. */
int mpico_group_find(const struct group *, int world);

#endif
