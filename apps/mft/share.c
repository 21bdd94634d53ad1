/* The communication of the search. */
#include "share.h"

#include <mpi.h>
#include <stdlib.h>

#include "text.h"

int share_init(struct share *share)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &share->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &share->size);
    share->all = calloc((size_t)share->size, sizeof *share->all);
    share->communicating_s = 0;
    share->calls = 0;
    share->started_s = MPI_Wtime();
    return share->all ? 0 : complain("no memory for %d ranks; use fewer.", share->size);
}

void share_fini(struct share *share)
{
    free(share->all);
    share->all = NULL;
}

int best_before(const struct best *a, const struct best *b)
{
    return a->score > b->score || (a->score == b->score && a->index < b->index);
}

struct best share_best(struct share *share, const struct best *mine)
{
    double before = MPI_Wtime();
    int winner = 0;

    MPI_Allgather(mine, (int)sizeof *mine, MPI_BYTE, share->all, (int)sizeof *mine, MPI_BYTE, MPI_COMM_WORLD);
    share->communicating_s += MPI_Wtime() - before;
    share->calls++;
    for (int rank = 1; rank < share->size; rank++)
        if (best_before(&share->all[rank], &share->all[winner]))
            winner = rank;
    return share->all[winner];
}
