/* price.h: how long a collective takes on a machine, by its steps: the programs of all its ranks are carried out on paper, as
 * src/coll/schedule.c carries them out, with the times of a model.
 */
#ifndef MPICO_PRICE_H
#define MPICO_PRICE_H

#include "model.h"
#include "wires.h"

enum price_kind { PRICE_SEND, PRICE_RECV, PRICE_COPY, PRICE_COMBINE };

/* A step starts when all steps below `wait` are done and, unless it is negative, step `after` is. Sends start in the order of the program
 * among themselves, and so do receives; the i-th send from one rank to another meets the i-th receive of the other from it. */
struct price_step {
    uint8_t kind;
    int32_t peer; /* of a send: -1: all others */
    uint32_t wait;
    int32_t after;
    uint64_t bytes;
};

struct price_program {
    struct price_step *step;
    uint32_t count;
};

/* Bytes of working memory for programs of so many steps in all. */
size_t mpico_price_bytes(int ranks, size_t steps);

/* Femtoseconds of a call, of so many `calls` in a row: from a common start to the end of the last rank, over their number. UINT64_MAX when the
 * programs do not fit together (a receive that nobody sends to). `wires`: what lies between the ranks; NULL: nothing that they share.
 * `memory`: mpico_price_bytes() of all steps of all calls, aligned to 8. */
uint64_t mpico_price(const struct model *, const struct price_program *, int ranks, int calls, struct wires *wires,
                     void *memory);

/* Femtoseconds after the common start. A receive begins when it is posted. */
struct price_times {
    uint64_t begin, end;
};

/* Of the step of that number, counted through the programs of all ranks, after mpico_price() of one call with this memory. */
struct price_times mpico_price_times(const void *memory, size_t step);

#endif
