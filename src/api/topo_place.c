/* topo_place.c: which process takes which place of a Cartesian grid, when MPI_Cart_create may choose.
 *
 * Where the machine says how many wires lie between two processes, four orders are compared by the sum of the wires between
 * neighbours of the grid: the last dimension first or the first dimension first, and either to and fro like a snake, so that the
 * next in the order is always a neighbour. The processes keep their order along the line; the first order that is best wins,
 * so that nothing changes without a gain. All processes compute the same.
 */
#include "topo.h"

enum { FIRST_FIRST = 1, SNAKE = 2, ORDERS = 4 };

/* Where in the line the process stands that has this rank in the grid. */
static int place_of(const struct topology *t, int order, int rank)
{
    int at = 0, back = 0;
    for (int i = 0; i < t->n; i++) {
        int d = order & FIRST_FIRST ? t->n - 1 - i : i, size = t->list[d], behind = 1;
        for (int j = d + 1; j < t->n; j++)
            behind *= t->list[j];
        int k = rank / behind % size;
        at = at * size + (order & SNAKE && back ? size - 1 - k : k);
        back ^= k & 1; /* the next dimension runs back in every second row of those before it */
    }
    return at;
}

/* All wires between neighbours, both ways. */
static uint64_t wires(struct rank *r, const struct comm *old, const struct topology *t, int nodes, int order)
{
    uint64_t sum = 0;
    for (int rank = 0; rank < nodes; rank++) {
        int a = comm_world(old, place_of(t, order, rank));
        for (int d = 0; d < t->n; d++) {
            int next = api_cart_step(t, rank, d, 1);
            if (next < 0 || next == rank)
                continue;
            int b = comm_world(old, place_of(t, order, next));
            sum += (uint64_t)r->machine->hops(r, a, b) + (uint64_t)r->machine->hops(r, b, a);
        }
    }
    return sum;
}

int api_cart_place(struct rank *r, const struct comm *old, const struct topology *t, int nodes, int mine)
{
    uint64_t least = UINT64_MAX;
    int best = 0, rank = 0;
    if (!r->machine->hops || t->n < 2)
        return mine;
    for (int order = 0; order < ORDERS; order++) {
        uint64_t sum = wires(r, old, t, nodes, order);
        if (sum < least) {
            least = sum;
            best = order;
        }
    }
    while (place_of(t, best, rank) != mine)
        rank++;
    return rank;
}
