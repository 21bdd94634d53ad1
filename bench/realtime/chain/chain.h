/* chain.h: what a description file says: a source of blocks, processing nodes in a row, a sink.
 *
 *     source 512 x 512 complex      # rows x columns, single precision
 *     node   fft + turn             # one rank; its functions from left to right
 *     node   fft
 *     sink                          # `sink fft + turn`: what it shall expect instead of what the nodes do
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/complaint.h"

enum { NODES_MOST = 62, FUNCTIONS_MOST = 8, EXPECTED_MOST = 64, SIDE_MOST = 1 << 20 };

struct shape {
    int rows, columns; /* complex numbers of two floats */
};

struct kind;

struct function {
    const struct kind *kind;
    bool given; /* a parameter stands in the file */
    double parameter;
    struct place place;
};

struct node {
    struct function functions[FUNCTIONS_MOST];
    int n;
    struct shape in, out;
    struct place place;
};

struct chain {
    struct shape block;
    struct node nodes[NODES_MOST];
    int n;
    struct function expected[EXPECTED_MOST]; /* what the sink takes for right */
    int n_expected;
    struct place source, sink;
};

/* False: the complaint says what is wrong and where. Shapes are followed through the chain. */
bool chain_read(const char *text, struct chain *, struct complaint *);

/* The part of it that comes after the lines have been read; `end` is the place after the last. */
bool chain_follow(struct chain *, struct place end, struct complaint *);

/* The functions of a node as the file has them: "fft + turn". */
void node_text(const struct node *, char *out, size_t room);

static inline size_t shape_elements(struct shape s) { return (size_t)s.rows * (size_t)s.columns; }
static inline size_t shape_bytes(struct shape s) { return shape_elements(s) * 2 * sizeof(float); }
