/* cache.h: sizes of caches in bytes, as Linux tells them, or a usual size where it does not. */
#ifndef REALTIME_CACHE_H
#define REALTIME_CACHE_H

#include <stddef.h>

size_t cache_second(void);
/* What is larger than the largest cache is written past it. */
size_t cache_largest(void);

#endif
