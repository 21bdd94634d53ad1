/* agree.h: choosing a communicator's identifier: one that is free at every process of a set, none of which is the one that
 * decides. Several agreements may be under way at a process, in whatever order the others take part in them.
 *
 * At first each offers the identifiers of its first word, and the lowest in common is taken. That needs no second look, because
 * a process offers this word in one agreement at a time. Where that finds nothing, all other words are compared, without
 * holding anything back, and what all find there is taken only if all could take it when they came to do so; else they try
 * another. So no agreement ever waits for another one to end.
 */
#ifndef MPICO_AGREE_H
#define MPICO_AGREE_H

#include "../core/rank.h"
#include "op.h"

struct agreement {
    struct rank *rank;
    struct comm *comm; /* that carries its messages */
    int *peer;         /* as schedule.peer; given back to the heap at the end */
    int self, size;    /* this process's number among those who agree, and theirs */
    int tag;
    void (*done)(struct agreement *); /* at the end, perhaps of its start; or NULL */
    struct request *shown_by;         /* a REQUEST_COLL that stands for it, or NULL */

    uint32_t id; /* the result: taken, which mpico_comm_id_give() undoes */
    uint8_t stage, withheld, taken;
    uint32_t turn;
    uint64_t *word; /* of all processes together */
    struct op op;
    struct request message; /* done, with an error class or 0 */
};

/* Those who agree: the members of a communicator, of both groups of an intercommunicator. 0, or an error class and the sentence
 * in the rank. */
int mpico_agree_members(struct agreement *, struct rank *, struct comm *);
/* Begin. Its memory must stay until it is done. */
void mpico_agree_start(struct agreement *);
/* The same, and wait: 0, or an error class and the sentence in the rank. */
int mpico_agree(struct agreement *);

#endif
