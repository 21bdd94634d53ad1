/* external.h: data in the format "external32" (MPI 5.0, section 14.5.2): big-endian, with sizes of the standard's choice, the
 * basic elements one behind the other.
 */
#ifndef MPICO_EXTERNAL_H
#define MPICO_EXTERNAL_H

#include "make.h"

/* The bytes of one element in that format. */
size_t mpico_external_size(const struct type *);
/* `count` elements at `buf` to `out`, or from `in` to `buf`. The caller has checked that there is room. */
void mpico_external_pack(const struct type *, const void *buf, size_t count, void *out);
void mpico_external_unpack(const struct type *, void *buf, size_t count, const void *in);

#endif
