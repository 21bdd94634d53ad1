/* Dynamic windows: memory comes and goes, displacements are addresses, datatypes may hold them (MPI_BOTTOM's counterpart); what is not
 * attached is an error that the origin hears of. */
#include "check.h"

static MPI_Win win;

/* Two pieces of memory, one word each, reached in one operation by a datatype of addresses. */
static void scattered(void)
{
    int one = -1, two = -1, lens[2] = {1, 1}, out[2] = {10 * me, 10 * me + 1}, right = right_of(me);
    MPI_Aint here[2], *there = check_alloc((size_t)(2 * np) * sizeof *there);
    MPI_Datatype both;
    CHECK_OK(MPI_Win_attach(win, &one, sizeof one));
    CHECK_OK(MPI_Win_attach(win, &two, sizeof two));
    CHECK_OK(MPI_Get_address(&one, &here[0]));
    CHECK_OK(MPI_Get_address(&two, &here[1]));
    CHECK_OK(MPI_Allgather(here, 2, MPI_AINT, there, 2, MPI_AINT, MPI_COMM_WORLD));
    CHECK_OK(MPI_Type_create_hindexed(2, lens, &there[2 * right], MPI_INT, &both));
    CHECK_OK(MPI_Type_commit(&both));
    CHECK_OK(MPI_Win_fence(0, win));
    CHECK_OK(MPI_Put(out, 2, MPI_INT, right, (MPI_Aint)MPI_BOTTOM, 1, both, win));
    CHECK_OK(MPI_Type_free(&both));
    CHECK_OK(MPI_Win_fence(0, win));
    CHECK(one == 10 * left_of(me) && two == one + 1, "%d and %d", one, two);
    CHECK_OK(MPI_Win_detach(win, &one));
    CHECK_OK(MPI_Win_detach(win, &two));
    free(there);
}

static void out_of_reach(void)
{
    int words[4] = {0}, mine = 5, right = right_of(me), got = 7;
    char *long_one = check_alloc(100000);
    MPI_Aint here, *there = check_alloc((size_t)np * sizeof *there);
    memset(long_one, 3, 100000);
    CHECK_OK(MPI_Win_attach(win, &words[1], 2 * sizeof words[0]));
    CHECK_OK(MPI_Get_address(words, &here));
    CHECK_OK(MPI_Allgather(&here, 1, MPI_AINT, there, 1, MPI_AINT, MPI_COMM_WORLD));
    CHECK_OK(MPI_Win_lock_all(0, win));
    CHECK_OK(MPI_Put(&mine, 1, MPI_INT, right, there[right] + 4, 1, MPI_INT, win));
    CHECK_OK(MPI_Win_flush(right, win));
    if (right != me) { /* else it is found at once */
        CHECK_OK(MPI_Put(&mine, 1, MPI_INT, right, there[right] + 12, 1, MPI_INT, win));
        CHECK_CLASS(MPI_Win_flush(right, win), MPI_ERR_RMA_RANGE);
        CHECK_OK(MPI_Win_flush(right, win));
        CHECK_OK(MPI_Get(&got, 1, MPI_INT, right, there[right], 1, MPI_INT, win));
        CHECK_CLASS(MPI_Win_flush(right, win), MPI_ERR_RMA_RANGE);
        CHECK_OK(MPI_Put(long_one, 100000, MPI_BYTE, right, there[right] + 4, 100000, MPI_BYTE, win));
        CHECK_CLASS(MPI_Win_flush_all(win), MPI_ERR_RMA_RANGE);
        CHECK_OK(MPI_Fetch_and_op(&mine, &got, MPI_INT, right, there[right] + 12, MPI_SUM, win));
        CHECK_CLASS(MPI_Win_flush_local(right, win), MPI_ERR_RMA_RANGE);
        CHECK_OK(MPI_Accumulate(&mine, 1, MPI_INT, right, there[right], 1, MPI_INT, MPI_SUM, win));
        CHECK_CLASS(MPI_Win_unlock_all(win), MPI_ERR_RMA_RANGE);
    } else {
        CHECK_CLASS(MPI_Put(&mine, 1, MPI_INT, right, there[right] + 12, 1, MPI_INT, win), MPI_ERR_RMA_RANGE);
        CHECK_OK(MPI_Win_unlock_all(win));
    }
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK(words[0] == 0 && words[1] == 5 && words[2] == 0 && words[3] == 0, "%d %d %d %d", words[0], words[1], words[2],
          words[3]);
    CHECK_OK(MPI_Win_detach(win, &words[1]));
    CHECK_CLASS(MPI_Win_detach(win, &words[1]), MPI_ERR_RMA_ATTACH);
    free(there);
    free(long_one);
}

static void attach_twice(void)
{
    char memory[64];
    CHECK_OK(MPI_Win_attach(win, memory, 32));
    CHECK_CLASS(MPI_Win_attach(win, memory + 16, 32), MPI_ERR_RMA_ATTACH);
    CHECK_OK(MPI_Win_attach(win, memory + 32, 32));
    CHECK_CLASS(MPI_Win_attach(win, memory, -1), MPI_ERR_SIZE);
    CHECK_OK(MPI_Win_detach(win, memory + 32));
    CHECK_OK(MPI_Win_detach(win, memory));
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    CHECK_OK(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    CHECK_OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    scattered();
    attach_twice();
    out_of_reach();
    CHECK_OK(MPI_Win_free(&win));
    return check_finish();
}
