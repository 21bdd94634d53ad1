/* The first program on a new machine: each node says who it is and who its neighbours are, then a token goes once round.
 *
 * Rank 0 alone prints, so that the output is the same wherever the program runs.
 */
#include <mpi.h>
#include <stdio.h>

enum { ROOT = 0, TAG = 7, MAX_RANKS = 64 };

struct who {
    int rank, left, right;
};

static void print_nodes(const struct who *nodes, int size)
{
    printf("Hello from %d %s.\n", size, size == 1 ? "node" : "nodes");
    for (int i = 0; i < size; i++)
        printf("  node %d: %d on its left, %d on its right\n", nodes[i].rank, nodes[i].left, nodes[i].right);
}

/* Each node adds its rank to the token. Returns, on the root, what came back. */
static int pass_token(struct who me)
{
    int token = 0;
    if (me.right == me.rank)
        return token; /* alone: nobody to pass it to */
    if (me.rank == ROOT) {
        MPI_Send(&token, 1, MPI_INT, me.right, TAG, MPI_COMM_WORLD);
        MPI_Recv(&token, 1, MPI_INT, me.left, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&token, 1, MPI_INT, me.left, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        token += me.rank;
        MPI_Send(&token, 1, MPI_INT, me.right, TAG, MPI_COMM_WORLD);
    }
    return token;
}

int main(int argc, char **argv)
{
    static struct who nodes[MAX_RANKS];
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > MAX_RANKS)
        MPI_Abort(MPI_COMM_WORLD, 2);
    struct who me = {rank, (rank + size - 1) % size, (rank + 1) % size};

    MPI_Gather(&me, 3, MPI_INT, nodes, 3, MPI_INT, ROOT, MPI_COMM_WORLD);
    if (rank == ROOT)
        print_nodes(nodes, size);

    int token = pass_token(me), wanted = size * (size - 1) / 2;
    if (rank == ROOT)
        printf("The token came back with %d; it should be %d.\n", token, wanted);
    MPI_Finalize();
    return rank == ROOT && token != wanted;
}
