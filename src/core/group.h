/* group.h: an ordered set of world ranks. Immutable once made, counted references. Consecutive ranks, as of
 * MPI_COMM_WORLD, take no memory each.
 */
#ifndef MPICO_GROUP_H
#define MPICO_GROUP_H

#include <stddef.h>
#include <stdint.h>

struct rank;
struct session;

enum { GROUP_MAGIC = 0x67727031 };

struct group {
    uint32_t magic;
    uint32_t refs;
    uint32_t handles; /* of the references, those that the program has; not counted in small builds */
    int size;
    int self;                /* this process's rank in the group, or -1 */
    int first;               /* member i is first + i, */
    int *list;               /* unless there is a list of them */
    struct session *session; /* that it comes from, or NULL */
    int world[];
};

/* World rank of member `i`. */
static inline int group_world(const struct group *g, int i) { return g->list ? g->list[i] : g->first + i; }

/* The members first .. first + size - 1, sealed; NULL when memory is exhausted. */
struct group *mpico_group_range(struct rank *, int first, int size);
/* A group of `size` members with unset list[] and one reference; NULL when memory is exhausted. */
struct group *mpico_group_alloc(struct rank *, int size);
/* Call once list[] is filled: the group to be used from now on, in place of the argument. */
struct group *mpico_group_seal(struct rank *, struct group *);
void mpico_group_keep(struct group *);
void mpico_group_release(struct rank *, struct group *);
/* Rank of a world rank in the group, or -1. Linear where there is a list. */
int mpico_group_find(const struct group *, int world);
/* 1 if both have the same members in the same order. */
int mpico_group_same(const struct group *, const struct group *);

#endif
