/* comm.h: a communicator: a group and two private contexts, one for the program's messages
 * (2 * id) and one for collectives (2 * id + 1).
 *
 * What messages look at (first, list, size) are the peers, which of an intercommunicator are the remote group; it has a
 * second communicator in it, over the own group, whose identifier follows from its own and which is never handed out.
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
struct attr;
struct info;
struct topology;
struct bsends;
struct session;

enum { COMM_MAGIC = 0x636f6d31, COMM_IDS = SIZE_COMMS };

struct comm {
    uint32_t magic;
    uint32_t id;
    uint32_t refs;        /* the handle and every operation under way */
    int rank;             /* this process's, in its own group */
    int size;             /* peers */
    int first;            /* world rank of peer 0, and so on, */
    const int *list;      /* unless there is a list: the group's, near at hand */
    struct group *group;  /* of the peers: mpico_comm_group() */
    struct comm *local;   /* of an intercommunicator: its own group; else NULL */
    uint8_t whole;        /* every rank of the job is a member, */
    uint8_t in_order;     /* each under its number in the job */
    uint32_t coll_seq;    /* of blocking collectives so far, */
    uint32_t request_seq; /* and of those that a request stands for */
    uintptr_t errhandler; /* ABI handle value or pointer to struct errhandler */
    uintptr_t handle;     /* the ABI's constant for a predefined one, else the address */
    /* What src/api hangs on it, NULL where there is nothing: attributes, topology, name, hints. */
    struct attr *attributes;
    struct topology *topology;
    char *name;
    struct info *info;
    struct bsends *bsends;   /* its buffer for buffered sends */
    struct session *session; /* that it comes from */
    struct list all;
};

static_assert(2 * (2 * (uint64_t)COMM_IDS) + 1 <= UINT32_MAX, "every context fits a packet");

static inline uint32_t comm_context(const struct comm *c) { return 2 * c->id; }
static inline uint32_t comm_coll_context(const struct comm *c) { return 2 * c->id + 1; }
/* The communicator over this process's own group. */
static inline struct comm *comm_own(struct comm *c) { return c->local ? c->local : c; }

/* Tags of collectives: in the order in which members call them; those of persistent ones and of the making of communicators,
 * which are not in that order, begin with their kind. So do those of nonblocking ones: programs may count on it that what
 * blocks and what does not never match, although the standard wants one order of them all. */
enum comm_tag {
    COMM_TAG_NONBLOCKING = 0x20000000,
    COMM_TAG_PERSISTENT = 0x40000000,
    COMM_TAG_GROUP = 0x50000000, /* MPI_Comm_create_group, by its tag */
    COMM_TAG_NAMED = 0x60000000, /* MPI_Comm_create_from_group, by its string */
    COMM_TAG_INTER = 0x70000000, /* MPI_Intercomm_create, by its tag */
    COMM_TAG_BITS = 0x0fffffff
};
static inline int comm_coll_tag(struct comm *c) { return (int)(c->coll_seq++ & 0x1fffffff); }
static inline int comm_nonblocking_tag(struct comm *c)
{
    return COMM_TAG_NONBLOCKING | (int)(c->request_seq++ & 0x1fffffff);
}
static inline int comm_persistent_tag(struct comm *c)
{
    return COMM_TAG_PERSISTENT | (int)(c->request_seq++ & COMM_TAG_BITS);
}

static inline int comm_world(const struct comm *c, int peer) { return c->list ? c->list[peer] : c->first + peer; }

/* A communicator over `group` (a reference is taken) with context `id`. NULL: out of memory. */
struct comm *mpico_comm_alloc(struct rank *, struct group *, uint32_t id);
/* An intercommunicator between two disjoint groups, of which this process is in `local`. */
struct comm *mpico_comm_alloc_inter(struct rank *, struct group *local, struct group *remote, uint32_t id);
/* Its peers' group, which the first two communicators have only when it is asked for. NULL: out of memory. */
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
 * `words` has COMM_IDS / 64 entries, a set bit is a free identifier. Only what is free can be taken. */
void mpico_comm_ids_free(const struct rank *, uint64_t words[COMM_IDS / 64]);
void mpico_comm_id_take(struct rank *, uint32_t id);
void mpico_comm_id_give(struct rank *, uint32_t id);

#endif
