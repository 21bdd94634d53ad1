/* pairs.h: what the patterns of pairs share. */
#ifndef MEASURE_PAIRS_H
#define MEASURE_PAIRS_H

#include "measure.h"

/* All ranks call it. Source and destination return true when the agreed moment, *start_s, has come; the others wait until the source calls
 * pair_end(), and return false. */
bool pair_begin(const struct place *, const struct job *, double *start_s);
/* Source and destination call it; blocks until the message is over at both ends. On a virtual clock by waiting until that moment: there
 * nothing must be on its way that the measurement does not want. */
void pair_settle(const struct place *, const struct job *, double until_s);
/* Blocks not: releases the others. Source and destination call it when nothing is on its way any more. */
void pair_end(const struct place *, const struct job *);

#endif
