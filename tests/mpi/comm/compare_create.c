/* MPI_Comm_compare in its four answers, MPI_Comm_group and MPI_Comm_create, disjoint groups at once. */
#include "check.h"

static int compare(MPI_Comm a, MPI_Comm b)
{
    int result = -1;
    MPI_Comm_compare(a, b, &result);
    return result;
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    MPI_Comm copy, reversed, low;
    MPI_Group world, group;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &reversed);
    CHECK(compare(copy, copy) == MPI_IDENT, "%d", compare(copy, copy));
    CHECK(compare(MPI_COMM_WORLD, copy) == MPI_CONGRUENT, "%d", compare(MPI_COMM_WORLD, copy));
    CHECK(compare(copy, reversed) == (np > 1 ? MPI_SIMILAR : MPI_CONGRUENT), "%d", compare(copy, reversed));
    CHECK(compare(copy, MPI_COMM_SELF) == (np > 1 ? MPI_UNEQUAL : MPI_CONGRUENT), "%d", compare(copy, MPI_COMM_SELF));
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    int half = np / 2, range[1][3] = {{me < half ? 0 : half, me < half ? half - 1 : np - 1, 1}}, rank, size, sum;
    MPI_Group_range_incl(world, 1, range, &group);
    MPI_Comm_create(MPI_COMM_WORLD, group, &low);
    MPI_Comm_rank(low, &rank);
    MPI_Comm_size(low, &size);
    CHECK(rank == (me < half ? me : me - half) && size == (me < half ? half : np - half), "%d of %d", rank, size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, low);
    CHECK(sum == size * (size - 1) / 2, "%d", sum);
    MPI_Comm_free(&low);
    MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_EMPTY, &low);
    CHECK(low == MPI_COMM_NULL, "rank %d", me);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    CHECK(group == MPI_GROUP_NULL, "rank %d", me);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&reversed);
    return check_finish();
}
