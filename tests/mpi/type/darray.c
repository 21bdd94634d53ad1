/* Distributed arrays: the pieces of all ranks of a grid are the whole array, each element once, where the standard's formula
 * puts it; and subarrays against plain loops. */
#include "../check.h"

enum { DIMS = 3, MOST = 2048 };

/* Which coordinate owns index i: the formula of block and cyclic distributions. */
static int owner(int how, int arg, int size, int ranks, int i)
{
    if (how == MPI_DISTRIBUTE_NONE)
        return 0;
    if (arg == MPI_DISTRIBUTE_DFLT_DARG)
        arg = how == MPI_DISTRIBUTE_BLOCK ? (size + ranks - 1) / ranks : 1;
    return i / arg % ranks;
}

struct grid {
    int sizes[DIMS], hows[DIMS], args[DIMS], ranks[DIMS];
};

static int rank_of(const struct grid *g, const int *index)
{
    int rank = 0;
    for (int d = 0; d < DIMS; d++)
        rank = rank * g->ranks[d] + owner(g->hows[d], g->args[d], g->sizes[d], g->ranks[d], index[d]);
    return rank;
}

static void check_grid(const struct grid *g, int order)
{
    static int array[MOST], mine[MOST], wanted[MOST];
    int all = 1, ranks = 1, found = 0;
    for (int d = 0; d < DIMS; d++) {
        all *= g->sizes[d];
        ranks *= g->ranks[d];
    }
    for (int i = 0; i < all; i++)
        array[i] = i + 1;
    for (int rank = 0; rank < ranks; rank++) {
        MPI_Datatype t;
        int size = 0, at = 0, n = 0;
        MPI_Aint lb, extent;
        MPI_Type_create_darray(ranks, rank, DIMS, g->sizes, g->hows, g->args, g->ranks, order, MPI_INT, &t);
        MPI_Type_commit(&t);
        MPI_Type_size(t, &size);
        MPI_Type_get_extent(t, &lb, &extent);
        CHECK(lb == 0 && extent == 4 * (MPI_Aint)all, "lb %ld, extent %ld of %d elements", (long)lb, (long)extent, all);
        for (int i = 0; i < all; i++) { /* in the order of memory */
            int index[DIMS], rest = i;
            for (int k = 0; k < DIMS; k++) {
                int d = order == MPI_ORDER_C ? DIMS - 1 - k : k;
                index[d] = rest % g->sizes[d];
                rest /= g->sizes[d];
            }
            if (rank_of(g, index) == rank)
                wanted[n++] = i + 1;
        }
        CHECK(size == 4 * n, "rank %d of %d has %d bytes, wanted %d", rank, ranks, size, 4 * n);
        MPI_Pack(array, 1, t, mine, sizeof mine, &at, MPI_COMM_SELF);
        CHECK(memcmp(mine, wanted, sizeof(int) * (size_t)n) == 0, "rank %d of %d has other elements", rank, ranks);
        found += n;
        MPI_Type_free(&t);
    }
    CHECK(found == all, "%d of %d elements", found, all);
}

static void grids(void)
{
    static const int how[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE};
    for (int i = 0; i < 300; i++) {
        struct grid g;
        uint64_t seed = check_random(7, (uint64_t)i);
        for (int d = 0; d < DIMS; d++) {
            g.sizes[d] = 1 + (int)(seed % 11);
            g.hows[d] = how[seed / 16 % 3];
            g.ranks[d] = g.hows[d] == MPI_DISTRIBUTE_NONE ? 1 : 1 + (int)(seed / 64 % 4);
            int least = g.hows[d] == MPI_DISTRIBUTE_BLOCK ? (g.sizes[d] + g.ranks[d] - 1) / g.ranks[d] : 1;
            g.args[d] = seed / 512 % 2 ? MPI_DISTRIBUTE_DFLT_DARG : least + (int)(seed / 1024 % 3);
            seed = check_random(seed, (uint64_t)d);
        }
        check_grid(&g, i % 2 ? MPI_ORDER_C : MPI_ORDER_FORTRAN);
    }
}

static void subarrays(void)
{
    static int array[MOST], mine[MOST];
    for (int i = 0; i < MOST; i++)
        array[i] = i;
    for (int i = 0; i < 200; i++) {
        int sizes[DIMS], subsizes[DIMS], starts[DIMS], at = 0, n = 0, order = i % 2 ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
        uint64_t seed = check_random(3, (uint64_t)i);
        for (int d = 0; d < DIMS; d++) {
            sizes[d] = 1 + (int)(seed % 9);
            subsizes[d] = 1 + (int)(seed / 16 % (uint64_t)sizes[d]);
            starts[d] = (int)(seed / 256 % (uint64_t)(sizes[d] - subsizes[d] + 1));
            seed = check_random(seed, (uint64_t)d);
        }
        MPI_Datatype t;
        MPI_Type_create_subarray(DIMS, sizes, subsizes, starts, order, MPI_INT, &t);
        MPI_Type_commit(&t);
        MPI_Pack(array, 1, t, mine, sizeof mine, &at, MPI_COMM_SELF);
        int slow = order == MPI_ORDER_C ? 0 : 2, fast = 2 - slow;
        for (int a = 0; a < subsizes[slow]; a++)
            for (int b = 0; b < subsizes[1]; b++)
                for (int c = 0; c < subsizes[fast]; c++, n++) {
                    int place = ((starts[slow] + a) * sizes[1] + starts[1] + b) * sizes[fast] + starts[fast] + c;
                    CHECK(mine[n] == place, "array %d: element %d is %d, wanted %d", i, n, mine[n], place);
                }
        CHECK(at == 4 * n, "%d bytes of %d elements", at, n);
        MPI_Type_free(&t);
    }
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    grids();
    subarrays();
    return check_finish();
}
