/* comm.h: what the calls that make communicators share. Each function returns 0, or an error class and the sentence in the rank.
 */
#ifndef MPICO_API_COMM_H
#define MPICO_API_COMM_H

#include "fast.h"

/* An identifier that is free at every member of `c`, in both groups if it has two. Collective. It is taken: put it to use
 * with comm_make(), or give it back. */
int comm_agree(struct rank *, struct comm *c, uint32_t *id);
/* The same over the members of a group, or of two that are disjoint (`other`; else NULL), by messages of `carrier`, which has all
 * of them; nobody else takes part. Calls under one tag are in the same order at all who take part. */
int comm_agree_groups(struct rank *, struct comm *carrier, const struct group *, const struct group *other, int tag,
                      uint32_t *id);

/* A communicator over `local`, or between it and `remote` (else NULL). Its error handler is the parent's. On an error the
 * identifier is given back. */
int comm_make(struct rank *, const struct comm *parent, struct group *local, struct group *remote, uint32_t id,
              struct comm **made);
/* Over the groups of `c`, and with all that a duplicate takes over. */
int comm_copy(struct rank *, struct comm *c, uint32_t id, struct comm **made);
int comm_duplicate(struct rank *, struct comm *c, struct comm **made); /* collective */

/* A communicator of one group: MPI_ERR_COMM else. */
int check_intra(struct rank *, MPI_Comm, struct comm **);
int check_inter(struct rank *, MPI_Comm, struct comm **);
/* Every member of the group is in c's own group. */
int check_subgroup(struct rank *, struct comm *c, const struct group *);

struct choice {
    int color, key;
};
/* Those of a group of `size` who chose `color`, by key, then by rank: `order` has room for all. World ranks follow `worlds`. */
struct group *comm_chosen(struct rank *, const struct comm *worlds, const struct choice *all, int color, int *order);
/* By color and key among all members. MPI_COMM_NULL: made is NULL. */
int comm_split(struct rank *, struct comm *c, struct choice mine, struct comm **made);
/* The same where `c` has two groups. */
int comm_split_inter(struct rank *, struct comm *c, struct choice mine, struct comm **made);
int comm_create_inter(struct rank *, struct comm *c, struct group *, struct comm **made);

/* From the objects to what the program gets. */
static inline MPI_Comm comm_handle_or_null(const struct comm *c) { return c ? api_comm_handle(c) : MPI_COMM_NULL; }

#endif
