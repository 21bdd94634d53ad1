/* signal.h: the blocks that the source sends, and what the sink takes for right.
 *
 * A block is a sum of TERMS products column[r] * row[c] of numbers of magnitude one and pseudo-random phase; it depends on its number
 * modulo VARIANTS, so that one that is late, lost or of another buffer is noticed. Every function maps a product to a product
 * (kind.h): the reference costs vectors, not matrices.
 */
#pragma once

#include "chain/kind.h"

enum { VARIANTS = 4, TERMS = 2 };

/* A block as float pairs. False: no memory. */
bool signal_fill(struct shape, int variant, float *block);

struct reference;

/* NULL: no memory. */
struct reference *reference_alloc(const struct chain *);
void reference_free(struct reference *);

/* Largest error among rows `first`, first + step, ...: of a row the root of its mean square, relative to that of the whole
 * block. Not a number where the block holds none. */
double reference_error(const struct reference *, int variant, const float *block, int first, int step);
