/* copy.h: bytes that the library moves itself, so that a simulated machine can charge for them: to a DMA channel, which
 * works beside the processor until mpico_cost_settle(), or to the processor.
 */
#ifndef MPICO_COPY_H
#define MPICO_COPY_H

#include <string.h>

#include "../cost.h"

static inline void mpico_copy(void *to, const void *from, size_t n)
{
    memcpy(to, from, n);
    if (!mpico_cost_dma_copy(n))
        cost(COST_COPY, n);
}

/* The same by the processor alone. */
static inline void mpico_copy_plain(void *to, const void *from, size_t n)
{
    memcpy(to, from, n);
    cost(COST_COPY, n);
}

#endif
