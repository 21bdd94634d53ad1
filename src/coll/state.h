/* state.h: what the collectives keep in a rank (rank.coll): spare memory, and the algorithms asked for. */
#ifndef MPICO_COLL_STATE_H
#define MPICO_COLL_STATE_H

#include "coll.h"

struct pricing;
struct rank;

enum {
    COLL_BLOCK = SIZE_COLL_BLOCK, /* a short collective's steps, requests and temporaries together */
    COLL_SPARES = 4               /* blocks kept for the next collectives */
};

struct coll_state {
    void *spare[COLL_SPARES];
    int spares;
    uint8_t parsed;          /* settings.coll and the machine's model were read */
    struct pricing *pricing; /* NULL: without a model the choice is the table's (select.c) */
    const struct algorithm *forced[COLLS];
    char *forced_text;              /* settings.coll, where a tool has said it */
    struct agreement *first_ids_in; /* the one that offers the first identifiers: see agree.h */
};

/* NULL when memory is exhausted. */
struct coll_state *mpico_coll_state(struct rank *);
/* The same, and the settings are read at the first call. 0, or an error class and the sentence in the rank. */
int mpico_coll_settings(struct rank *, struct coll_state **);
/* A block of COLL_BLOCK bytes, not cleared; NULL when memory is exhausted. */
void *mpico_coll_block_take(struct rank *);
void mpico_coll_block_give(struct rank *, void *);

#endif
