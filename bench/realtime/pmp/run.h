/* run.h: one node's part of a pattern on MPI, period after period. */
#pragma once

#include "common/clock.h"
#include "common/search.h"
#include "pmp/pattern.h"

#include <mpi.h>
#include <stdint.h>

struct player {
    MPI_Comm comm;
    int rank, nodes;
    struct clock *clock;
    struct code code;
    struct totals totals;
    int largest_received;          /* bytes */
    bool synchronous_sends, whole; /* MPI_Ssend; a run goes on after a miss */
    int *sources;                  /* of a period's receives, in order; NULL: any */
    int subperiods, *stage_of;     /* 0 and NULL: asynchronous */
    int align;                     /* bytes: where the buffers begin; see memory_alloc() */
    char *in, *out;
    MPI_Request posted;
    int tags;                /* periods are told apart by their tag */
    unsigned char *late;     /* of a batch: a mark a period */
    uint32_t period;         /* since the program started */
    struct node_result {     /* of the last run, and of the last without a miss */
        double worst_s;      /* from a period's start to the end of the node's work */
        int periods, missed; /* missed: its own */
    } now, kept;
    long long wrong; /* messages with other data than was sent, in all runs */
};

/* Buffers, touched. False: no memory. */
bool player_init(struct player *);
void player_fini(struct player *);

/* Collective, in the form of search_period(): a run of so many periods. It ends early, at a moment on which all agree, after a miss,
 * unless `whole` is set. */
struct trial player_run(void *player, double period_s, int periods);
