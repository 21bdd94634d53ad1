/* share.h: from a file on rank 0 to each node's own part. */
#pragma once

#include "pmp/run.h"

struct shared { /* the same on all ranks */
    int nodes;
    int stages;
    long long messages; /* in a period */
    double bytes_most;  /* sent by one node in a period, the most over nodes */
};

/* Collective over the player's communicator, all of whose other fields from `rank` on it fills. subperiods: -1 asynchronous, 0 as
 * many as there are stages. exact: each receive names its sender. False on all ranks, and on rank 0 the sentence: share_fini() and player_fini() are in order either way. */
bool share_pattern(const char *file, int default_bytes, int subperiods, bool exact, struct player *, struct shared *,
                   char *wrong, size_t room);
/* Only what the file holds, for any number of nodes. Collective over the communicator; the same result on all ranks, the sentence on
 * its rank 0. */
bool share_checked(const char *file, int default_bytes, bool exact, MPI_Comm, struct shared *, char *wrong,
                   size_t room);

void share_fini(struct player *);
