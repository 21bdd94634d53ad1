/* check.h: what can be known of a pattern before it runs. */
#pragma once

#include "pmp/pattern.h"

/* As many nodes as ranks (0: any number), destinations among them and other than the sender, and as many receives of each node as messages sent to
 * it. False: the complaint says which node and where. */
bool pattern_check(const struct pattern *, int ranks, struct complaint *);

/* The pattern as if it ran in stages, in each of which a node does one action at most. One receive of each node is posted before
 * the first; a send completes when the receiver's is free and fills it, a receive takes the message and posts the next. */
struct stages {
    int n;      /* how many it took */
    int **of;   /* by node: the stage of each of its sends and receives, as executed; NULL if not asked for */
    int **from; /* likewise: the sender of each receive, -1 for sends */
    const struct action *back; /* a wait that lies before one that was executed earlier, or NULL: it never waits */
    int back_node;
};

/* How nodes that could go on at once are served: the same pattern may hang in one order and not in another. */
enum order { LOWEST_FIRST, HIGHEST_FIRST, SHUFFLED }; /* SHUFFLED + k: other disorders */

/* False: nodes wait for each other, and the complaint names them; or no memory. `of` and `from` are filled when keep is set. */
bool stages_find(const struct pattern *, enum order, bool keep, struct stages *, struct complaint *);
void stages_free(struct stages *, int nodes);
