/* board_links.h: the wires of a ring of nodes. */
#ifndef MPIEXEC_BOARD_LINKS_H
#define MPIEXEC_BOARD_LINKS_H

#include "options.h"

/* A link between a node's right side and its right neighbour's left. `between` are mpiexec's own ends where it passes the bytes on by
 * itself; -1 where the nodes are wired directly. */
struct board_link {
    int left_end, right_end; /* of the node to the left of this link, and of the one to the right */
    int between[2];          /* towards the left one, towards the right one */
};

/* Link i is to the right of rank i. NULL with errno. */
struct board_link *board_links_open(const struct options *);

/* Does a fault of the command line concern the link to the right of `rank`? */
int board_link_disturbed(const struct options *, int rank);

#endif
