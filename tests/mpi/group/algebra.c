/* Groups against sets kept as arrays: incl, excl, ranges, union, intersection, difference, compare, translation. */
#include "check.h"

static MPI_Group world;

static void same(const char *what, MPI_Group group, const int *ranks, int count)
{
    int size = -1, rank = -2, mine = MPI_UNDEFINED, got[64], own[64];
    MPI_Group_size(group, &size);
    CHECK(size == count, "%s: size %d, wanted %d", what, size, count);
    for (int i = 0; i < count; i++) {
        own[i] = i;
        mine = ranks[i] == me ? i : mine;
    }
    MPI_Group_rank(group, &rank);
    CHECK(rank == mine, "%s: rank %d, wanted %d", what, rank, mine);
    MPI_Group_translate_ranks(group, count, own, world, got);
    for (int i = 0; i < count; i++)
        CHECK(got[i] == ranks[i], "%s: place %d is %d, wanted %d", what, i, got[i], ranks[i]);
}

static int compare(MPI_Group a, MPI_Group b)
{
    int result = -1;
    MPI_Group_compare(a, b, &result);
    return result;
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    int even[64], third[64], rest[64], reversed[64], both[64], meet[64], only[64], evens = 0, thirds = 0, rests = 0,
                                                                                   boths, meets = 0, onlys = 0;
    MPI_Group a, b, c, d;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    for (int r = 0; r < np; r++) {
        reversed[r] = np - 1 - r;
        if (r % 2 == 0)
            even[evens++] = r;
        if (r % 2 == 1)
            rest[rests++] = r;
        if (r % 3 == 0)
            third[thirds++] = r;
    }
    memcpy(both, even, sizeof both);
    boths = evens;
    for (int i = 0; i < thirds; i++) {
        if (third[i] % 2)
            both[boths++] = third[i];
    }
    for (int i = 0; i < evens; i++) {
        if (even[i] % 3 == 0)
            meet[meets++] = even[i];
        else
            only[onlys++] = even[i];
    }
    MPI_Group_incl(world, evens, even, &a);
    same("incl", a, even, evens);
    MPI_Group_incl(world, thirds, third, &b);
    MPI_Group_union(a, b, &c);
    same("union", c, both, boths);
    MPI_Group_free(&c);
    MPI_Group_intersection(a, b, &c);
    same("intersection", c, meet, meets);
    MPI_Group_free(&c);
    MPI_Group_difference(a, b, &c);
    same("difference", c, only, onlys);
    if (onlys == 0)
        CHECK(compare(c, MPI_GROUP_EMPTY) == MPI_IDENT, "%d", compare(c, MPI_GROUP_EMPTY));
    if (c != MPI_GROUP_EMPTY)
        MPI_Group_free(&c);
    MPI_Group_excl(world, evens, even, &c);
    same("excl", c, rest, rests);
    if (c != MPI_GROUP_EMPTY)
        MPI_Group_free(&c);
    int range[1][3] = {{0, np - 1, 2}}, back[1][3] = {{np - 1, 0, -1}};
    MPI_Group_range_incl(world, 1, range, &c);
    same("range_incl", c, even, evens);
    CHECK(compare(a, c) == MPI_IDENT, "%d", compare(a, c));
    MPI_Group_free(&c);
    MPI_Group_range_excl(world, 1, range, &c);
    same("range_excl", c, rest, rests);
    if (c != MPI_GROUP_EMPTY)
        MPI_Group_free(&c);
    MPI_Group_range_incl(world, 1, back, &d);
    same("reversed", d, reversed, np);
    CHECK(compare(world, d) == (np > 1 ? MPI_SIMILAR : MPI_IDENT), "%d", compare(world, d));
    CHECK(compare(world, MPI_GROUP_EMPTY) == MPI_UNEQUAL, "%d", compare(world, MPI_GROUP_EMPTY));
    int ask[2] = {np - 1, MPI_PROC_NULL}, got[2] = {-9, -9};
    MPI_Group_translate_ranks(world, 2, ask, a, got);
    CHECK(got[0] == ((np - 1) % 2 ? MPI_UNDEFINED : (np - 1) / 2) && got[1] == MPI_PROC_NULL, "%d %d", got[0], got[1]);
    MPI_Group_incl(world, 0, NULL, &c);
    same("empty", c, NULL, 0);
    MPI_Group_free(&a);
    MPI_Group_free(&b);
    MPI_Group_free(&d);
    MPI_Group_free(&world);
    return check_finish();
}
