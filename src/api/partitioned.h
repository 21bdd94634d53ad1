/* partitioned.h: messages whose parts are given and taken one by one (MPI 5.0, chapter 4).
 *
 * The two ends meet once, when both have been made: the sender's first message says how many partitions it has, how long they are,
 * and under which tags they will come. From then on each partition of the sender is a message of its own, whatever the
 * receiver's partitions are. Both kinds have contexts that no other message has. A receive that is started before the
 * first message has come posts its parts when it does.
 */
#ifndef MPICO_API_PARTITIONED_H
#define MPICO_API_PARTITIONED_H

#include "finish.h"

enum { PARTS_CONTEXT = (int)0x80000000, PARTS_TAG_MASK = 0x3fffffff };

/* The first message. Fixed width, the same on every machine of one job. */
struct plan {
    int64_t parts;
    uint64_t bytes; /* of each, packed */
    uint32_t tag;   /* of the first part */
    uint32_t unused;
};

struct channel {
    struct request *shell; /* the program's request */
    struct request first;  /* sends or receives the plan */
    struct plan plan;
    size_t partitions, bytes; /* our own, and of each */
    size_t left;              /* parts that are not done, of this start */
    struct request *part;     /* plan.parts; of a receiver: once the plan has come */
    char *staging;            /* of a receiver: the packed message, where parts end inside an element; else NULL */
    uint8_t sends, freed, bad;
};

static inline struct channel *channel_of(const struct request *shell) { return shell->extra; }

static inline int part_tag(const struct channel *ch, size_t i) { return (int)((ch->plan.tag + i) & PARTS_TAG_MASK); }
static inline uint32_t parts_context(const struct comm *c) { return (uint32_t)PARTS_CONTEXT | comm_coll_context(c); }
static inline uint32_t plan_context(const struct comm *c) { return (uint32_t)PARTS_CONTEXT | comm_context(c); }

/* One part fewer: the last one ends the program's request, and with it perhaps the channel. */
void api_part_over(struct rank *, struct channel *);
/* For the parts' requests (their owner is the channel), the first message's, and the program's. */
void api_part_done(struct request *);
void api_plan_done(struct request *);
void api_parts_done(struct request *);

#endif
