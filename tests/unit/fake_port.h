/* fake_port.h: a few ranks in one process, joined by queues whose room the test controls. The port of the
 * unit tests of src/core: what a real wire does rarely (no room, a refused get) it does on demand.
 */
#ifndef MPICO_FAKE_PORT_H
#define MPICO_FAKE_PORT_H

#include "core/rank.h"
#include "type/type.h"

enum { FAKE_RANKS = 3, FAKE_MTU = 64, FAKE_QUEUE = 64 };
enum fake_get { FAKE_GET_ABSENT, FAKE_GET_FAILS, FAKE_GET_WORKS, FAKE_GET_INVENTS /* bytes, wherever asked */ };

struct fake_wire {
    int lends; /* 1: reserve and commit are offered */
    enum fake_get get;
    size_t eager_bytes;                               /* 0: FAKE_MTU; above it longer messages are streams, */
    size_t first_bytes;                               /* with so many in the first packet; 0: FAKE_MTU */
    int borrows;                                      /* 1: payloads are lent until they have been delivered */
    int places;                                       /* 1: pieces of streams are written to where the core says */
    int broadcast;                                    /* 1: a packet may go to all others */
    void (*change)(struct link_ops *, struct link *); /* the test's own additions, before the link is attached */
    size_t arena_bytes;                               /* of each rank; 0: 1 MiB */
};

struct fake_counts {
    int sent, refused, lent, pulled, borrowed, placed, spread;
};
extern struct fake_counts fake_counts;

/* A fresh job of FAKE_RANKS ranks. The ranks of an earlier job are gone. */
void fake_start(struct fake_wire);
struct rank *fake_rank(int rank);
/* Packets that the queue takes before it says MPICO_AGAIN; at most and at first FAKE_QUEUE. */
void fake_room(int from, int to, int packets);
/* Packets now under way. */
int fake_waiting(int from, int to);
/* Lose all of them: for hostile peers. */
void fake_lose(int from, int to);
/* Progress on every rank until nothing moves. */
void fake_run(void);

/* Types of the tests: bytes, and every second int of a row. */
extern const struct type *(*const fake_type_of)(uintptr_t);
extern const struct type fake_bytes;
extern const struct type fake_comb; /* two ints of data in an extent of four */

/* Requests on the caller's stack in MPI_COMM_WORLD, started. */
void fake_send(struct request *, int from, int to, int tag, const void *buf, size_t count, const struct type *,
               int mode);
void fake_recv(struct request *, int at, int source, int tag, void *buf, size_t count, const struct type *);
int fake_done(const struct request *);

#endif
