/* node.h (pipe): who a process is, and its wires. Its neighbours are two inherited descriptors, the left one 3, the right one 4. */
#ifndef MPICO_PIPE_NODE_H
#define MPICO_PIPE_NODE_H

#include "lane.h"

enum { PIPE_NODES = 120 }; /* in one ring, at most */

/* Rank and size, from the environment; without it a program is a job of one rank. 0; negative, with the reason printed. */
int mpico_pipe_identity(int *rank, int *size);
/* Open both wires, of which a job of one has none. 0; negative, with the reason printed. */
int mpico_pipe_lanes(struct pipe_lane *left, struct pipe_lane *right, int rank, int size);
/* Formats as mpico_text_format(). */
void mpico_pipe_print(const char *format, ...);

#endif
