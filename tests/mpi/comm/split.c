/* Split by colour, with keys reversed, with MPI_UNDEFINED, and again within the parts; collectives in each. */
#include "check.h"

static void use(MPI_Comm comm, int world_sum)
{
    int rank, size, sum = -1, last;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK(sum == world_sum, "rank %d of %d: %d, wanted %d", rank, size, sum, world_sum);
    last = rank == size - 1 ? me : -1;
    MPI_Bcast(&last, 1, MPI_INT, size - 1, comm);
    int in = -1;
    MPI_Sendrecv(&me, 1, MPI_INT, (rank + 1) % size, 0, &in, 1, MPI_INT, (rank + size - 1) % size, 0, comm,
                 MPI_STATUS_IGNORE);
    if (rank == 0)
        CHECK(in == last, "from the last: %d, wanted %d", in, last);
}

static int sum_of(int colours, int colour)
{
    int sum = 0;
    for (int r = 0; r < np; r++)
        sum += r % colours == colour ? r : 0;
    return sum;
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    MPI_Comm part, reversed, some, deep;
    int rank, size;
    MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &part);
    MPI_Comm_rank(part, &rank);
    MPI_Comm_size(part, &size);
    CHECK(rank == me / 2 && size == (np + 1 - me % 2) / 2, "%d of %d", rank, size);
    use(part, sum_of(2, me % 2));
    MPI_Comm_split(part, rank % 2, 0, &deep); /* equal keys keep the old order */
    use(deep, sum_of(4, me % 4));
    MPI_Comm_free(&part);
    use(deep, sum_of(4, me % 4)); /* outlives its parent */
    MPI_Comm_free(&deep);
    MPI_Comm_split(MPI_COMM_WORLD, 7, -me, &reversed);
    MPI_Comm_rank(reversed, &rank);
    CHECK(rank == np - 1 - me, "rank %d", rank);
    use(reversed, np * (np - 1) / 2);
    MPI_Comm_free(&reversed);
    MPI_Comm_split(MPI_COMM_WORLD, me % 3 ? MPI_UNDEFINED : 0, 0, &some);
    CHECK((some == MPI_COMM_NULL) == (me % 3 != 0), "remainder %d", me % 3);
    if (some != MPI_COMM_NULL) {
        use(some, sum_of(3, 0));
        MPI_Comm_free(&some);
    }
    MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, 0, &some);
    CHECK(some == MPI_COMM_NULL, "all undefined, rank %d", me);
    return check_finish();
}
