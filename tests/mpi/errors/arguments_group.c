/* Each bad argument of a call on groups gives the class the standard names, and the groups stay as they were. */
#include "check.h"

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    check_return_errors();
    MPI_Group world, made = MPI_GROUP_NULL, none = MPI_GROUP_NULL;
    MPI_Comm comm = MPI_COMM_NULL;
    int size = -1, result = -1, ranks[2] = {0, 0}, beyond[1] = {np}, below[1] = {-1}, out[2];
    int ranges[1][3] = {{0, 0, 0}}, past[1][3] = {{0, np, 1}}, twice[2][3] = {{0, 0, 1}, {0, 0, 1}};
    CHECK_OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    CHECK_CLASS(MPI_Comm_group(MPI_COMM_NULL, &made), MPI_ERR_COMM);
    CHECK_CLASS(MPI_Group_size(none, &size), MPI_ERR_GROUP);
    CHECK_CLASS(MPI_Group_rank(none, &size), MPI_ERR_GROUP);
    CHECK_CLASS(MPI_Group_compare(world, none, &result), MPI_ERR_GROUP);
    CHECK_CLASS(MPI_Group_union(none, world, &made), MPI_ERR_GROUP);
    CHECK_CLASS(MPI_Group_intersection(world, none, &made), MPI_ERR_GROUP);
    CHECK_CLASS(MPI_Group_difference(world, none, &made), MPI_ERR_GROUP);
    CHECK_CLASS(MPI_Group_incl(none, 1, ranks, &made), MPI_ERR_GROUP);
    CHECK_CLASS(MPI_Group_incl(world, -1, ranks, &made), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Group_incl(world, 1, beyond, &made), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Group_incl(world, 1, below, &made), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Group_incl(world, 2, ranks, &made), MPI_ERR_RANK); /* a rank twice */
    CHECK_CLASS(MPI_Group_excl(world, 1, beyond, &made), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Group_excl(world, 2, ranks, &made), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Group_range_incl(world, 1, ranges, &made), MPI_ERR_ARG); /* a stride of zero */
    CHECK_CLASS(MPI_Group_range_incl(world, 1, past, &made), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Group_range_excl(world, 2, twice, &made), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Group_translate_ranks(world, 1, beyond, world, out), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Group_translate_ranks(world, 1, ranks, none, out), MPI_ERR_GROUP);
    CHECK_CLASS(MPI_Group_free(&none), MPI_ERR_GROUP);
    CHECK_CLASS(MPI_Comm_create(MPI_COMM_WORLD, none, &comm), MPI_ERR_GROUP);
    CHECK(made == MPI_GROUP_NULL && comm == MPI_COMM_NULL, "something was made by a failed call, np %d", np);
    CHECK_OK(MPI_Group_size(world, &size));
    CHECK(size == np, "%d", size);
    CHECK_OK(MPI_Group_free(&world));
    return check_finish();
}
