/* priced.h: the choice among a collective's algorithms by the price of their steps (src/model/price.h), where the place has a model.
 */
#ifndef MPICO_PRICED_H
#define MPICO_PRICED_H

#include "../model/price.h"
#include "coll.h"

enum { CHOICES = 64, PRICED_RANKS = 128, PRICED_STEPS = 1 << 14, PRICED_CALLS = 4 };
static const uint64_t PRICE_TOO_LARGE = UINT64_MAX, PRICE_NO_MEMORY = UINT64_MAX - 1;

/* What has been chosen before, at the place that its key leads to. */
struct choice {
    uint64_t key;
    const struct algorithm *algorithm;
};

struct pricing {
    struct model model;
    struct choice choice[CHOICES];
};

/* A call of that many bytes (mpico_coll_bytes) as it is priced: bytes in one block, root 0. Negative: a call whose ranks know only their
 * own parts, which has no price. */
int mpico_coll_typical(struct coll_call *, enum coll, size_t bytes, int size, const struct op *);

/* What one rank does, in the heap, for price_program.step to be freed. 0; -1: no memory. */
int mpico_coll_program(struct rank *, struct price_program *, const struct algorithm *, const struct coll_call *,
                       int rank, int size);

/* Femtoseconds of the algorithm, of so many calls in a row each (price.h), or one of the two above. `wires` may be NULL. *steps: the number of all
 * ranks' steps. */
uint64_t mpico_coll_price(struct rank *, const struct model *, struct wires *, const struct algorithm *,
                          const struct coll_call *, int size, int calls, size_t *steps);

/* The cheapest that fits; NULL: one is too large to be priced. All ranks come to the same one: lengths are rounded, nothing else is looked at; without
 * memory it is one whose building fails. */
const struct algorithm *mpico_coll_priced(struct rank *, struct pricing *, const struct coll_call *, size_t bytes,
                                          int size);

/* Read the model of the machine; where it has none, nothing changes. 0, or an error class and the sentence in the rank. */
int mpico_coll_read_model(struct rank *, struct pricing **);

#endif
