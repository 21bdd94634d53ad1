/* overlap.h: what checking mode says of buffers that share memory (MPI 5.0, sections 3.7.2 and 5.1.11). Each function returns 0, or an
 * error class with the sentence in the rank; in other modes nothing is looked at. They are linked with the whole library only.
 */
#ifndef MPICO_API_OVERLAP_H
#define MPICO_API_OVERLAP_H

#include "api.h"

/* A receive must not write a byte twice. */
OPTIONAL int api_check_entries(struct rank *, const struct data *);
/* A new operation must not write what another one under way reads or writes, nor read what one writes. */
OPTIONAL int api_check_busy(struct rank *, const void *buf, const struct data *, int writes);
/* Both sides of one call. */
OPTIONAL int api_check_apart(struct rank *, const void *out, const struct data *sent, const void *in,
                             const struct data *received);

static inline int check_entries(struct rank *r, const struct data *d)
{
    return !SMALL && __builtin_expect(r->settings.checking, 0) && api_check_entries ? api_check_entries(r, d) : 0;
}
static inline int check_busy(struct rank *r, int peer, const void *buf, const struct data *d, int writes)
{
    int looks = !SMALL && __builtin_expect(r->settings.checking, 0) && api_check_busy && peer != MPI_PROC_NULL;
    return looks ? api_check_busy(r, buf, d, writes) : 0;
}
static inline int check_apart(struct rank *r, const void *out, const struct data *sent, const void *in,
                              const struct data *received)
{
    return !SMALL && __builtin_expect(r->settings.checking, 0) && api_check_apart
               ? api_check_apart(r, out, sent, in, received)
               : 0;
}

#endif
