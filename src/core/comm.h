/* comm.h: a communicator: a group and two private contexts, one for the program's messages
 * (2 * id) and one for collectives (2 * id + 1).
 */
#ifndef MPICO_COMM_H
#define MPICO_COMM_H

#include <assert.h>
#include <stdint.h>

#include "../base/list.h"
#include "../base/optional.h"
#include "../sizes.h"
#include "group.h"

struct rank;

enum { COMM_MAGIC = 0x636f6d31, COMM_IDS = SIZE_COMMS };

struct comm {
    uint32_t magic;
    uint32_t id;
    uint32_t refs; /* the handle and every operation under way */
    int rank, size;
    int first;            /* world rank of member 0, and so on, */
    const int *list;      /* unless there is a list: the group's, near at hand */
    struct group *group;  /* mpico_comm_group() */
    uint8_t whole;        /* every rank of the job is a member, */
    uint8_t in_order;     /* each under its number in the job */
    uint32_t coll_seq;    /* of collectives so far */
    uintptr_t errhandler; /* ABI handle value or pointer to struct errhandler */
    uintptr_t handle;     /* the ABI's constant for a predefined one, else the address */
    struct list all;
};

static_assert(2 * (uint64_t)COMM_IDS + 1 <= UINT32_MAX, "every context fits a packet");

static inline uint32_t comm_context(const struct comm *c) { return 2 * c->id; }
static inline uint32_t comm_coll_context(const struct comm *c) { return 2 * c->id + 1; }
/* The tag of its next collective: members call them in the same order. */
static inline int comm_coll_tag(struct comm *c) { return (int)(c->coll_seq++ & 0x3fffffff); }
static inline int comm_world(const struct comm *c, int peer) { return c->list ? c->list[peer] : c->first + peer; }

/* A communicator over `group` (a reference is taken) with context `id`. NULL: out of memory. */
struct comm *mpico_comm_alloc(struct rank *, struct group *, uint32_t id);
/* Its group, which the first two communicators have only when it is asked for. NULL: out of memory. */
struct group *mpico_comm_group(struct rank *, struct comm *);
/* The last reference is gone. Never of the first two communicators. */
OPTIONAL void mpico_comm_end(struct rank *, struct comm *);

static inline void mpico_comm_keep(struct comm *c) { c->refs++; }
static inline void mpico_comm_release(struct rank *r, struct comm *c)
{
    if (--c->refs == 0)
        mpico_comm_end(r, c);
}

/* Identifiers are agreed by a bitwise AND over the members' free sets; these are the local ends.
 * `words` has COMM_IDS / 64 entries, a set bit is a free identifier. */
void mpico_comm_ids_free(const struct rank *, uint64_t words[COMM_IDS / 64]);
void mpico_comm_id_take(struct rank *, uint32_t id);

#endif
