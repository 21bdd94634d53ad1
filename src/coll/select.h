/* select.h: which algorithm a collective takes. Every rank must choose the same, so the choice depends on
 * what all ranks know: the number of ranks, the bytes, whether the operation commutes, and the settings.
 */
#ifndef MPICO_SELECT_H
#define MPICO_SELECT_H

#include "coll.h"

/* The algorithms of a collective, in order of preference; the last one serves every case. */
const struct algorithm *mpico_coll_algorithms(enum coll, int *count);
/* "bcast" */
const char *mpico_coll_name(enum coll);
/* The bytes by which the choice is made, equal on all ranks; 0 where ranks know only their own parts. */
size_t mpico_coll_bytes(const struct coll_call *, int rank, int size);
/* 1 if the algorithm is right for the call, be it good or not. */
int mpico_coll_fits(const struct algorithm *, const struct coll_call *, int size);
/* `forced` may be NULL; it is ignored where it does not fit. */
const struct algorithm *mpico_coll_select(struct rank *, const struct coll_call *, int rank, int size,
                                          const struct algorithm *forced);
/* The same: how it builds its steps. */
coll_build *mpico_coll_builder(const struct schedule *, const struct coll_call *, const struct algorithm *forced);
/* Read "allreduce=ring,bcast=binomial" into forced[COLLS]. 0, or an error class and the sentence in the rank. */
int mpico_coll_parse(struct rank *, const char *, const struct algorithm *forced[COLLS]);

/* The same at any time, as a tool asks: the text is copied, and settings.coll names it from now on. All ranks must say the same, while no
 * collective is under way. */
int mpico_coll_force(struct rank *, const char *text);

#endif
