/* MPI_Put to the right neighbour, MPI_Get from the left one, of all lengths, between fences, on windows of all kinds. */
#include "rma.h"

static void one(struct window *w, int bytes, int round)
{
    unsigned char *out = check_alloc((size_t)bytes), *in = check_alloc((size_t)bytes);
    int left = left_of(me), right = right_of(me);
    fill_bytes(out, (size_t)bytes, 7 * me + round);
    CHECK_OK(MPI_Win_fence(0, w->win));
    CHECK_OK(MPI_Put(out, bytes, MPI_BYTE, right, w->at[right] + 8, bytes, MPI_BYTE, w->win));
    CHECK_OK(MPI_Win_fence(0, w->win));
    CHECK(wrong_byte((unsigned char *)w->memory + 8, (size_t)bytes, 7 * left + round) < 0, "put of %d bytes, byte %ld",
          bytes, wrong_byte((unsigned char *)w->memory + 8, (size_t)bytes, 7 * left + round));
    CHECK_OK(MPI_Get(in, bytes, MPI_BYTE, left, w->at[left] + 8, bytes, MPI_BYTE, w->win));
    CHECK_OK(MPI_Win_fence(0, w->win));
    int from = left_of(left);
    CHECK(wrong_byte(in, (size_t)bytes, 7 * from + round) < 0, "get of %d bytes", bytes);
    free(out);
    free(in);
}

/* Every rank writes a word of its own in everybody's window, and reads all of everybody's. */
static void everybody(struct window *w)
{
    int *all = check_alloc((size_t)(np * np) * sizeof *all), mine = 1000 + me;
    CHECK_OK(MPI_Win_fence(MPI_MODE_NOPRECEDE, w->win));
    for (int i = 0; i < np; i++)
        CHECK_OK(MPI_Put(&mine, 1, MPI_INT, i, w->at[i] + 4 * me, 1, MPI_INT, w->win));
    CHECK_OK(MPI_Win_fence(MPI_MODE_NOSTORE, w->win));
    for (int i = 0; i < np; i++)
        CHECK_OK(MPI_Get(all + i * np, np, MPI_INT, i, w->at[i], np, MPI_INT, w->win));
    CHECK_OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, w->win));
    for (int i = 0; i < np * np; i++)
        CHECK(all[i] == 1000 + i % np, "word %d of rank %d: %d", i % np, i / np, all[i]);
    free(all);
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    int longest = check_bearable(border_bytes[BORDERS - 1]), room = longest + 8 > 4 * np ? longest + 8 : 4 * np;
    for (int f = CREATE; f < FLAVORS; f++) {
        struct window w;
        window_open(&w, (enum flavor)f, room);
        for (int i = 0; i < (int)BORDERS; i++)
            if (border_bytes[i] <= longest && (np <= 8 || border_bytes[i] <= 16385))
                one(&w, border_bytes[i], i);
        everybody(&w);
        window_close(&w);
    }
    return check_finish();
}
