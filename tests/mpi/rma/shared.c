/* Memory that the ranks of a host share: stores of one are loads of another, in one piece or with gaps, and operations see the same
 * memory. Where ranks share nothing each has a window for itself. */
#include "check.h"

static MPI_Comm host;
static int size, rank;

static int *segment_of(MPI_Win win, int of, MPI_Aint wanted)
{
    MPI_Aint bytes = -1, wide = -1;
    int unit = -1, *base = NULL, *again = NULL;
    CHECK_OK(MPI_Win_shared_query(win, of, &bytes, &unit, &base));
    CHECK(bytes == wanted && unit == (int)sizeof *base, "rank %d: %ld bytes, unit %d", of, (long)bytes, unit);
    CHECK_OK(MPI_Win_shared_query_c(win, of, &bytes, &wide, &again));
    CHECK(bytes == wanted && wide == unit && again == base, "rank %d: %ld bytes, unit %ld", of, (long)bytes,
          (long)wide);
    return base;
}

/* Ranks have 4, 8, 12 words and so on. */
static void load_and_store(const char *apart)
{
    MPI_Info info = MPI_INFO_NULL;
    MPI_Win win;
    int words = 4 * (rank + 1), *mine, *next = NULL;
    if (apart) {
        CHECK_OK(MPI_Info_create(&info));
        CHECK_OK(MPI_Info_set(info, "alloc_shared_noncontig", apart));
    }
    CHECK_OK(MPI_Win_allocate_shared(words * (MPI_Aint)sizeof *mine, sizeof *mine, info, host, &mine, &win));
    if (apart)
        CHECK_OK(MPI_Info_free(&info));
    CHECK(segment_of(win, rank, words * (MPI_Aint)sizeof *mine) == mine, "our own memory is elsewhere");
    for (int i = 0; i < size; i++) {
        int *base = segment_of(win, i, 4 * (i + 1) * (MPI_Aint)sizeof *base);
        CHECK(apart || !next || next == base, "rank %d does not begin where %d ends", i, i - 1);
        next = base + 4 * (i + 1);
    }
    segment_of(win, MPI_PROC_NULL, 4 * sizeof *mine);
    CHECK_OK(MPI_Win_lock_all(0, win));
    for (int i = 0; i < words; i++)
        mine[i] = 100 * rank + i;
    CHECK_OK(MPI_Win_sync(win));
    CHECK_OK(MPI_Barrier(host));
    CHECK_OK(MPI_Win_sync(win));
    for (int k = 0; k < size; k++) {
        const int *base = segment_of(win, k, 4 * (k + 1) * (MPI_Aint)sizeof *base);
        for (int i = 0; i < 4 * (k + 1); i++)
            CHECK(base[i] == 100 * k + i, "rank %d, word %d: %d", k, i, base[i]);
    }
    CHECK_OK(MPI_Barrier(host));
    int one = 1;
    for (int k = 0; k < size; k++)
        CHECK_OK(MPI_Accumulate(&one, 1, MPI_INT, k, 2, 1, MPI_INT, MPI_SUM, win));
    CHECK_OK(MPI_Win_flush_all(win));
    CHECK_OK(MPI_Barrier(host));
    CHECK_OK(MPI_Win_sync(win));
    CHECK(mine[2] == 100 * rank + 2 + size, "%d", mine[2]);
    CHECK_OK(MPI_Win_unlock_all(win));
    CHECK_OK(MPI_Win_free(&win));
}

/* All adds of all ranks to the same words arrive. */
static void contend(void)
{
    enum { ROUNDS = 200, WORDS = 50 };
    MPI_Win win;
    double *mine, ones[WORDS];
    CHECK_OK(MPI_Win_allocate_shared_c(rank == 0 ? sizeof ones : 0, sizeof *mine, MPI_INFO_NULL, host, &mine, &win));
    for (int i = 0; i < WORDS; i++) {
        ones[i] = 1;
        if (rank == 0)
            mine[i] = 0;
    }
    CHECK_OK(MPI_Barrier(host));
    CHECK_OK(MPI_Win_lock_all(0, win));
    for (int i = 0; i < ROUNDS; i++)
        CHECK_OK(MPI_Accumulate(ones, WORDS, MPI_DOUBLE, 0, 0, WORDS, MPI_DOUBLE, MPI_SUM, win));
    CHECK_OK(MPI_Win_unlock_all(win));
    CHECK_OK(MPI_Barrier(host));
    for (int i = 0; rank == 0 && i < WORDS; i++)
        CHECK(mine[i] == ROUNDS * size, "word %d: %g of %d", i, mine[i], ROUNDS * size);
    CHECK_OK(MPI_Win_free(&win));
}

/* Memory is given back: 40 windows of 64 MB would be too much otherwise. */
static void again(void)
{
    MPI_Aint bytes = (64 << 20) / size;
    MPI_Win win;
    char *mine;
    MPI_Comm_set_errhandler(host, MPI_ERRORS_RETURN);
    while (MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, host, &mine, &win) != MPI_SUCCESS)
        CHECK(bytes /= 2, "there is no memory at all");
    CHECK_OK(MPI_Win_free(&win));
    for (int i = 0; i < 40; i++) {
        CHECK_OK(MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, host, &mine, &win));
        mine[bytes - 1] = 1;
        CHECK_OK(MPI_Win_free(&win));
    }
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    CHECK_OK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, me, MPI_INFO_NULL, &host));
    CHECK_OK(MPI_Comm_size(host, &size));
    CHECK_OK(MPI_Comm_rank(host, &rank));
    load_and_store(NULL);
    load_and_store("true");
    load_and_store("false");
    contend();
    if (argc > 1)
        again();
    CHECK_OK(MPI_Comm_free(&host));
    return check_finish();
}
