/* redistribute.c: the exchange between the places of a line. */
#include "grid.h"

#include <string.h>

enum { TAG = 2 };

/* All receives are posted first, so that no message waits for memory; the sends keep the order of the pattern. */
static void exchange_paired(const struct worker *w, const float *pack, float *unpack, size_t piece)
{
    struct exchange list[2 * LINES_MOST];
    MPI_Request requests[LINES_MOST];
    int lines = w->shape.lines, count = paired_exchanges(lines, w->place, list), numbers = (int)(2 * piece);
    for (int i = 0; i < lines; i++)
        if (i != w->place)
            MPI_Irecv(unpack + (size_t)i * 2 * piece, numbers, MPI_FLOAT, i, TAG, w->line, &requests[i]);
    size_t own = (size_t)w->place * 2 * piece;
    memcpy(unpack + own, pack + own, 2 * piece * sizeof *pack);
    declare_bytes(8 * (double)piece);
    for (int i = 0; i < count; i++) {
        int peer = list[i].peer;
        if (list[i].sends)
            MPI_Send(pack + (size_t)peer * 2 * piece, numbers, MPI_FLOAT, peer, TAG, w->line);
        else
            MPI_Wait(&requests[peer], MPI_STATUS_IGNORE);
    }
}

void redistribute(const struct worker *w, const float *pack, float *unpack, size_t piece)
{
    if (w->shape.turn == TURN_PAIRED)
        exchange_paired(w, pack, unpack, piece);
    else
        MPI_Alltoall(pack, (int)(2 * piece), MPI_FLOAT, unpack, (int)(2 * piece), MPI_FLOAT, w->line);
}
