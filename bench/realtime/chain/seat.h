/* seat.h: one rank's place in the chain: its memory, its functions and its neighbours; and one run through all blocks.
 *
 * Rank 0 is the source, rank n + 1 the sink. The protocol between neighbours is section 5.2's: the receives of the next block are posted, a message of
 * no bytes asks for it, and only then may it be sent; so no block is ever kept by the library.
 */
#pragma once

#include <mpi.h>

#include "chain/signal.h"
#include "common/clock.h"

enum { BUFFERS_MOST = 3, RUN_IN_WATCHED = 4 };

struct mode {
    bool flow;          /* blocks travel; else the nodes compute, each for itself */
    bool function;      /* nodes compute; else they pass on what came */
    bool synchronised;  /* every stage has its moment, not only the source */
    bool overlap_sends; /* a block is on its way while the next is computed */
    int buffers;        /* input buffers: 2, or 1: nothing is received during a computation */
    int rows;           /* of a message; 0: a message is a block */
    int check;          /* the sink looks at every so manyth row of each block, at others each time */
};

/* What one stage did with one block; moments of rank 0's clock. */
struct step {
    double ready_s;   /* able to begin: the block, or of the source the request, is there, and the stage is free */
    double started_s; /* begins: later than ready where it waited for its moment */
    double arrived_s; /* at the sink: all of the block is there */
    double computed_s;
    double asked_s; /* the request from downstream is there */
    double sent_s;  /* free again */
    double busy_s;  /* computing */
    double late_s;  /* how far ready lies after the stage's moment; -HUGE_VAL: it has none */
};

/* One side of a rank: a neighbour and the messages of a block. */
struct edge {
    int peer;
    struct shape shape;
    int messages, floats; /* of a block; of a message */
};

struct seat {
    const struct chain *chain;
    struct mode mode;
    struct clock *clock;
    MPI_Comm comm;
    int index, ranks;
    struct edge up, down;
    struct job jobs[FUNCTIONS_MOST];
    int n_jobs;
    bool by_rows;   /* messages can be worked on one by one */
    bool in_output; /* the result lies in an output buffer */
    float *in[BUFFERS_MOST], *out[2], *blocks[VARIANTS];
    int n_in, n_out;
    MPI_Request *receives[2], *sends; /* of the current and of the next block; of the block before */
    bool sending;
    struct reference *reference;
    long checked, wrong; /* blocks so far, in all runs */
    double worst_error;
    double begin_s; /* of period 0, known to all after a run */
};

struct run {
    double period_s;
    int run_in, blocks; /* the first of the blocks, and all */
    bool from_empty;    /* the run-in keeps the period too; else it goes as fast as it can and fills all buffers */
    struct step *steps; /* of every block */
};

/* NULL, or a sentence on what does not fit, without a place or with the node's; nothing is allocated. */
bool seat_fits(const struct chain *, struct mode, int ranks, double memory_bytes, struct complaint *);
/* Not collective. False: no memory. */
bool seat_alloc(struct seat *, const struct chain *, struct mode, struct clock *, MPI_Comm);
void seat_free(struct seat *);
