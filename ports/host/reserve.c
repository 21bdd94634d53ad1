/* reserve.c: see reserve.h. */
#include "reserve.h"

#include <sys/mman.h>

void *mpico_reserve(size_t bytes, size_t spare)
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    char *all = mmap(NULL, bytes + spare, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (all == MAP_FAILED)
        return NULL;
    if (spare)
        munmap(all + bytes, spare);
    return all;
}
