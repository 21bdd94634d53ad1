/* reserve.h: addresses for the ranks' memory, taken long before it is used. */
#ifndef MPICO_HOST_RESERVE_H
#define MPICO_HOST_RESERVE_H

#include <stddef.h>

/* Addresses of `bytes`; a page of them costs memory when it is first touched. NULL, unless `spare` bytes more are to be had just then: who
 * settles for less than he wanted leaves others something. */
void *mpico_reserve(size_t bytes, size_t spare);

#endif
