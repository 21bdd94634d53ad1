/* wires.h: what lies between the ranks, where messages share it: a ring of one way; a grid of any extents, closed or open, that is
 * passed dimension after dimension; or a crossbar, on which messages only share the port that a node sends by and the one it receives
 * by. Rank i is node i, the last dimension the fastest.
 *
 * The head of a message enters one link after the other, each when the message before has left it, and the message
 * occupies it from then on for the time of its bytes: virtual cut-through (P. Kermani, L. Kleinrock, "Virtual cut-through", Computer
 * Networks 3, 1979), with room for a message at every node. Of two messages that meet at a link the one that left first goes first.
 */
#ifndef MPICO_WIRES_H
#define MPICO_WIRES_H

#include <stddef.h>
#include <stdint.h>

enum { WIRES_DIMENSIONS = 4 };

struct wires {
    int dimensions, extent[WIRES_DIMENSIONS];
    uint8_t closed;  /* the last node of a line is linked to its first */
    uint8_t one_way; /* towards higher numbers alone */
    uint8_t ports;   /* a crossbar */
    uint64_t *free;  /* of each link: when; of mpico_wires_links() links, first all 0 */
};

/* "ring:8", "mesh:4x4", "torus:2x2x2", "crossbar:16". 0; -1: it is none of these. `free` is not touched. */
int mpico_wires_read(struct wires *, const char *text);
int mpico_wires_nodes(const struct wires *);
size_t mpico_wires_links(const struct wires *);

/* When a message whose head leaves at `start` is wholly at its destination: `hop` for each link beyond the first, `bytes_time` for its bytes. */
uint64_t mpico_wires_carry(struct wires *, int from, int to, uint64_t start, uint64_t hop, uint64_t bytes_time);

#endif
