/* accumulate.h: what the calls that accumulate ask before they begin. */
#ifndef MPICO_RMA_ACCUMULATE_H
#define MPICO_RMA_ACCUMULATE_H

#include "../type/type.h"

/* Bytes that stay together: of one element, with its gap if it has one. Then its data is a block of such elements. */
size_t mpico_rma_unit(const struct type *basic);

#endif
