/* bare.h: the ring paper's service in the memory and the code of a small node: eleven functions and a few more, over two reliable
 * hops (src/net/hop.h). It stands in place of src/core, src/coll and src/api in programs that call nothing else
 * (mpicc --board NAME --bare).
 *
 * Messages are asked for, as in the paper (sections 3 and 4): a sender announces its message, the receiver asks for it once a receive
 * has met it, and the data go straight to their place. Sends and receives block, so a rank has one of each under
 * way at most, and of each other rank at most one announcement is open: a table of one line a rank is all the memory
 * that matching needs, and no frame for this node ever has to wait. docs/wire-format.md has the frames.
 *
 * Contexts: mpico_bare_turn() may come from an interrupt or another thread at any time, so that a node that computes still
 * forwards; all else comes from the program. A call that sends or receives keeps the interrupt out until it returns, and turns the
 * hops itself while it waits: what belongs to the ring has one owner at a time, who holds `busy`.
 */
#ifndef MPICO_BARE_H
#define MPICO_BARE_H

#include <stddef.h>
#include <stdint.h>

#include "../net/hop.h"
#include "mpi.h"

enum { BARE_NODES = 120, BARE_HEAD = 12 }; /* in one ring, at most; bytes before the payload of a frame */

enum bare_kind { BARE_ANNOUNCE = 1, BARE_ASK, BARE_DATA };
enum bare_context { BARE_MESSAGES, BARE_COLLECTIVES };
enum bare_state { BARE_BEFORE, BARE_RUNNING, BARE_LEAVING, BARE_FINALIZED };

struct bare_head {
    uint8_t dest, source; /* ranks */
    uint8_t kind, context;
    int32_t tag;
    uint32_t length; /* of the message; in BARE_ASK: how much of it is wanted */
};
static_assert(sizeof(struct bare_head) == BARE_HEAD, "the head has no holes");
/* The message that a rank would like to send to this one. */
struct bare_announced {
    int32_t tag;
    uint32_t length;
    uint8_t context;
    uint8_t here;
};

/* MPI_COMM_WORLD or MPI_COMM_SELF. */
struct bare_comm {
    int rank, size;
};

struct bare {
    uint8_t state; /* enum bare_state */
    int busy;      /* atomic: the program, or the interrupt, is among the hops */
    struct bare_comm world, self;
    const char *call;  /* the MPI function under way */
    size_t part_bytes; /* of a message, in one frame */
    int next;          /* source to look at first: wildcards are served in turn */

    int to;                          /* the rank that a send waits for; -1: none, or it has asked */
    uint32_t wanted;                 /* so much of it */
    int from;                        /* the rank whose data come */
    uint8_t *at;                     /* to here */
    uint32_t missing;                /* so much is still to come */
    struct bare_announced *messages; /* one a rank */

    uint32_t open_until; /* ticks: links have so long to open */
    struct hop left, right;
};
extern struct bare mpico_bare; /* of this node: a bare program is one rank */

/* ---- What the port gives ---- */

struct bare_node {
    struct lane *left, *right; /* not looked at in a ring of one */
    int rank, size;
    uint32_t nonce;      /* another in each node and at each start; not 0 */
    uint8_t slots;       /* frames under way in a direction: 1, 2, 4, 8 */
    uint16_t slot_bytes; /* longest frame, the same in all nodes */
    uint32_t open_ticks; /* how long to wait for the neighbours at start-up */
    const struct hop_times *times;
    void *arena; /* aligned to 8 */
    size_t arena_bytes;
};
/* Who this node is and what it has. 0; negative, with the reason said. */
int mpico_bare_identify(struct bare_node *);
uint32_t mpico_bare_ticks(void);  /* of 2^20 ns */
uint64_t mpico_bare_now_ns(void); /* for MPI_Wtime; since the start, say */
/* Nothing to do: return after the next interrupt at the latest; at once when one has come since the last call. */
void mpico_bare_idle(void);
/* The line on the console (NULL: none), and the end. */
_Noreturn void mpico_bare_halt(int code, const char *line);

/* ---- What the port calls ---- */

/* Move frames. Nothing before MPI_Init and after MPI_Finalize, and while the program is among the hops. */
void mpico_bare_turn(void);

/* ---- Between the files ---- */

/* "MPI_Recv: " and the sentence, and the end. Formats %d %u %s %z. */
_Noreturn void mpico_bare_die(int error_class, const char *format, ...);

/* Note the call; ends the program when MPI is not running. */
struct bare *mpico_bare_enter(const char *call);
const struct bare_comm *mpico_bare_comm(MPI_Comm);
void mpico_bare_check_rank(const char *name, int rank, const struct bare_comm *);
/* The bytes of `count` elements at `buf`. */
size_t mpico_bare_bytes(const void *buf, int count, MPI_Datatype);

/* Keep the interrupt out, and let it in again. */
void mpico_bare_hold(struct bare *);
void mpico_bare_release(struct bare *);
/* Turn, or wait for something to turn over; ends the program when a link is cut. The caller holds the ring. */
void mpico_bare_wait(void);
/* A message to another rank; returns when its receiver has asked for it and all of it is on its way. */
void mpico_bare_send(const void *buf, size_t bytes, int dest, int tag, enum bare_context);
/* A message of rank `source` (MPI_ANY_SOURCE: any) with `tag` (MPI_ANY_TAG: any). Ends the program when it is longer than `room`. Returns
 * what was announced; source: whose it was. */
struct bare_announced mpico_bare_recv(void *buf, size_t room, int *source, int tag, enum bare_context);

#endif
