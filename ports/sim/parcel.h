/* parcel.h: packets of the library under way over a network that delivers by itself, as link.c (through buffers) and
 * system.c (straight to their place) carry them.
 */
#ifndef MPICO_SIM_PARCEL_H
#define MPICO_SIM_PARCEL_H

#include "sim.h"

enum { PARCEL_QUEUE = 64, PARCEL_HEAD_BYTES = sizeof(struct packet), PARCEL_PAGE_BYTES = 4096 };

struct parcel {
    struct transfer transfer;
    struct parcel *next;
    struct loan *loan; /* system.c: whose end its sender waits for */
    int unaligned;     /* of a message whose memory does not begin at a page */
    struct packet packet;
    size_t len;
    char payload[];
};

static inline struct node *parcel_node(const struct link *l)
{
    return (struct node *)(void *)((char *)(uintptr_t)l - offsetof(struct node, parcels.link));
}

/* ---- link.c ---- */
/* A copy of both, for `dest`; payload NULL: the caller fills it in. Ends the job when the host has no memory. */
struct parcel *sim_parcel_make(struct node *, int dest, const struct packet *, const void *payload, size_t len);
void sim_parcel_launch(struct node *, struct parcel *);
/* It has come: the node's rank will find it when it polls. */
void sim_parcel_append(struct node *, struct parcel *);
/* Those that have come, in order, to `deliver` while it takes them; how many, up to the budget. Each costs its receipt, and again when
 * it was put off (MPICO_AGAIN). */
int sim_parcels_deliver(struct node *, int budget, int (*deliver)(struct node *, int from, const struct parcel *));

/* ---- system.c ---- */
/* Sends leave the calling rank's memory to the node's software; see there. */
extern const struct link_ops sim_system_ops;
/* What a link of those operations can do. */
void sim_system_link(struct link *);
/* The node's interface has taken all of it; it is at its destination. Engine context. */
void sim_system_left(struct node *, struct parcel *);
void sim_system_arrived(struct node *, const struct parcel *);

#endif
