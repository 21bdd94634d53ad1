/* Absolute addresses: MPI_BOTTOM in every kind of call that takes a buffer. */
#include "../check.h"

static int scattered[4];
static double other[3];

/* All of both variables, wherever they are. */
static MPI_Datatype everything(void)
{
    MPI_Aint at[2];
    MPI_Datatype t;
    MPI_Get_address(scattered, &at[0]);
    MPI_Get_address(other, &at[1]);
    CHECK(MPI_Aint_add(at[0], 4) == at[0] + 4 && MPI_Aint_diff(at[1], at[0]) == at[1] - at[0], "addresses");
    MPI_Type_create_struct(2, (const int[]){4, 3}, at, (const MPI_Datatype[]){MPI_INT, MPI_DOUBLE}, &t);
    MPI_Type_commit(&t);
    return t;
}

static void set(int seed)
{
    for (int i = 0; i < 4; i++)
        scattered[i] = seed * 10 + i;
    for (int i = 0; i < 3; i++)
        other[i] = seed + i / 4.0;
}

static void expect(int seed, int line)
{
    for (int i = 0; i < 4; i++)
        CHECK(scattered[i] == seed * 10 + i, "line %d: scattered[%d] is %d", line, i, scattered[i]);
    for (int i = 0; i < 3; i++)
        CHECK(other[i] == seed + i / 4.0, "line %d: other[%d] is %g", line, i, other[i]);
}

static void messages(MPI_Datatype t)
{
    char packed[40];
    int at = 0;
    set(me);
    MPI_Pack(MPI_BOTTOM, 1, t, packed, sizeof packed, &at, MPI_COMM_WORLD);
    CHECK(at == 40, "position %d", at);
    set(99);
    MPI_Sendrecv(packed, at, MPI_PACKED, right_of(me), 0, MPI_BOTTOM, 1, t, left_of(me), 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    expect(left_of(me), __LINE__);
    set(me);
    MPI_Sendrecv(MPI_BOTTOM, 1, t, right_of(me), 0, packed, at, MPI_PACKED, left_of(me), 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    at = 0;
    MPI_Unpack(packed, sizeof packed, &at, MPI_BOTTOM, 1, t, MPI_COMM_WORLD);
    expect(left_of(me), __LINE__);
    set(me);
    MPI_Sendrecv_replace(MPI_BOTTOM, 1, t, right_of(me), 0, left_of(me), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect(left_of(me), __LINE__);
}

static void collectives(MPI_Datatype t)
{
    char *all = check_alloc(40 * (size_t)np);
    int *counts = check_alloc(sizeof(int) * (size_t)np), *displs = check_alloc(sizeof(int) * (size_t)np);
    for (int i = 0; i < np; i++) {
        counts[i] = 40;
        displs[i] = 40 * i;
    }
    set(me ? 77 : 5);
    MPI_Bcast(MPI_BOTTOM, 1, t, 0, MPI_COMM_WORLD);
    expect(5, __LINE__);
    set(me + 1);
    MPI_Allgather(MPI_BOTTOM, 1, t, all, 40, MPI_BYTE, MPI_COMM_WORLD);
    for (int i = 0; i < np; i++) {
        int at = 0;
        MPI_Unpack(all + 40 * i, 40, &at, MPI_BOTTOM, 1, t, MPI_COMM_WORLD);
        expect(i + 1, __LINE__);
    }
    set(0);
    MPI_Scatter(all, 40, MPI_BYTE, MPI_BOTTOM, 1, t, np - 1, MPI_COMM_WORLD);
    expect(me + 1, __LINE__);
    memset(all, 0, 40 * (size_t)np);
    MPI_Gatherv(MPI_BOTTOM, 1, t, all, counts, displs, MPI_BYTE, 0, MPI_COMM_WORLD);
    set(0);
    MPI_Scatterv(all, counts, displs, MPI_BYTE, MPI_BOTTOM, 1, t, 0, MPI_COMM_WORLD);
    expect(me + 1, __LINE__);
    free(all);
    free(counts);
    free(displs);
}

/* In an all-to-all each part has an absolute type of its own. */
static void each_its_own(void)
{
    int *out = check_alloc(sizeof(int) * (size_t)np), *in = check_alloc(sizeof(int) * (size_t)np);
    int *ones = check_alloc(sizeof(int) * (size_t)np), *zeros = check_alloc(sizeof(int) * (size_t)np);
    MPI_Datatype *from = check_alloc(sizeof(MPI_Datatype) * (size_t)np);
    MPI_Datatype *to = check_alloc(sizeof(MPI_Datatype) * (size_t)np);
    for (int i = 0; i < np; i++) {
        MPI_Aint at;
        out[i] = me * 100 + i;
        in[i] = -1;
        ones[i] = 1;
        zeros[i] = 0;
        MPI_Get_address(&out[i], &at);
        MPI_Type_create_hindexed_block(1, 1, &at, MPI_INT, &from[i]);
        MPI_Get_address(&in[i], &at);
        MPI_Type_create_hindexed_block(1, 1, &at, MPI_INT, &to[i]);
        MPI_Type_commit(&from[i]);
        MPI_Type_commit(&to[i]);
    }
    MPI_Request q;
    MPI_Ialltoallw(MPI_BOTTOM, ones, zeros, from, MPI_BOTTOM, ones, zeros, to, MPI_COMM_WORLD, &q);
    for (int i = 0; i < np; i++) {
        MPI_Type_free(&from[i]);
        MPI_Type_free(&to[i]);
    }
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    for (int i = 0; i < np; i++)
        CHECK(in[i] == i * 100 + me, "from %d: %d", i, in[i]);
    free(out);
    free(in);
    free(ones);
    free(zeros);
    free(from);
    free(to);
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    MPI_Datatype t = everything();
    messages(t);
    collectives(t);
    MPI_Type_free(&t);
    each_its_own();
    MPI_Aint zero = 1;
    MPI_Get_address(MPI_BOTTOM, &zero);
    CHECK(zero == 0, "MPI_BOTTOM is at %ld", (long)zero);
    return check_finish();
}
