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
    size_t eager_bytes; /* 0: FAKE_MTU */
    size_t arena_bytes; /* of each rank; 0: 1 MiB */
};

struct fake_counts {
    int sent, refused, lent, pulled;
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
extern const struct type fake_bytes;
extern const struct type fake_comb; /* two ints of data in an extent of four */

/* Requests on the caller's stack in MPI_COMM_WORLD, started. */
void fake_send(struct request *, int from, int to, int tag, const void *buf, size_t count, const struct type *,
               int mode);
void fake_recv(struct request *, int at, int source, int tag, void *buf, size_t count, const struct type *);
int fake_done(const struct request *);

#endif
