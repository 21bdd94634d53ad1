/* accumulate.h: what the calls that accumulate ask before they begin. */
#ifndef MPICO_RMA_ACCUMULATE_H
#define MPICO_RMA_ACCUMULATE_H

#include "../type/type.h"

/* Bytes that stay together, and move: of one element, with the gaps inside it. */
size_t mpico_rma_unit(const struct type *basic);
size_t mpico_rma_pairs_unit(const struct type *basic); /* the same */

#endif
