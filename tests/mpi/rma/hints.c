/* Hints of windows: the standard's are there with their defaults, those given with theirs, and MPI_Win_set_info changes what may change. */
#include "rma.h"

static void expect(MPI_Win win, const char *key, const char *wanted)
{
    MPI_Info info;
    char value[80] = "";
    int room = sizeof value, flag = -1;
    CHECK_OK(MPI_Win_get_info(win, &info));
    CHECK_OK(MPI_Info_get_string(info, key, &room, value, &flag));
    CHECK_OK(MPI_Info_free(&info));
    CHECK(flag == (wanted != NULL) && (!wanted || strcmp(value, wanted) == 0), "%s is '%s', wanted '%s'", key, value,
          wanted ? wanted : "none");
}

static void set(MPI_Win win, const char *key, const char *value)
{
    MPI_Info info;
    CHECK_OK(MPI_Info_create(&info));
    CHECK_OK(MPI_Info_set(info, key, value));
    CHECK_OK(MPI_Win_set_info(win, info));
    CHECK_OK(MPI_Info_free(&info));
}

static void defaults(MPI_Win win, const char *noncontiguous)
{
    expect(win, "no_locks", "false");
    expect(win, "accumulate_ordering", "rar,raw,war,waw");
    expect(win, "accumulate_ops", "same_op_no_op");
    expect(win, "mpi_accumulate_granularity", "0");
    expect(win, "same_size", "false");
    expect(win, "same_disp_unit", "false");
    expect(win, "alloc_shared_noncontig", noncontiguous);
    expect(win, "mine", NULL);
}

static void changes(MPI_Win win, const char *noncontiguous)
{
    set(win, "no_locks", "true");
    expect(win, "no_locks", "true");
    set(win, "accumulate_ordering", "rar,waw");
    set(win, "accumulate_ops", "same_op");
    set(win, "mine", "kept");
    expect(win, "accumulate_ordering", "rar,waw");
    expect(win, "accumulate_ops", "same_op");
    expect(win, "mine", "kept");
    expect(win, "no_locks", "true"); /* others leave it */
    CHECK_OK(MPI_Win_set_info(win, MPI_INFO_NULL));
    set(win, "no_locks", "perhaps"); /* what is no value of a key changes nothing */
    set(win, "accumulate_ordering", "rar;waw");
    set(win, "accumulate_ordering", "rar,");
    set(win, "accumulate_ops", "");
    set(win, "alloc_shared_noncontig", "true");
    expect(win, "no_locks", "true");
    expect(win, "accumulate_ordering", "rar,waw");
    expect(win, "accumulate_ops", "same_op");
    expect(win, "alloc_shared_noncontig", noncontiguous);
    set(win, "accumulate_ordering", "none");
    expect(win, "accumulate_ordering", "none");
}

static void given(void)
{
    MPI_Info info;
    MPI_Win win;
    int x = 0;
    CHECK_OK(MPI_Info_create(&info));
    CHECK_OK(MPI_Info_set(info, "same_size", "true"));
    CHECK_OK(MPI_Info_set(info, "no_locks", "1"));
    CHECK_OK(MPI_Info_set(info, "mine", "kept"));
    CHECK_OK(MPI_Win_create(&x, sizeof x, 1, info, MPI_COMM_WORLD, &win));
    expect(win, "same_size", "true");
    expect(win, "no_locks", "false");
    expect(win, "mine", "kept");
    expect(win, "same_disp_unit", "false");
    CHECK_OK(MPI_Win_free(&win));
    CHECK_OK(MPI_Info_free(&info));
}

static void shared(const char *noncontiguous)
{
    MPI_Info info = MPI_INFO_NULL;
    MPI_Comm host;
    MPI_Win win;
    char *memory;
    CHECK_OK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, me, MPI_INFO_NULL, &host));
    if (noncontiguous) {
        CHECK_OK(MPI_Info_create(&info));
        CHECK_OK(MPI_Info_set(info, "alloc_shared_noncontig", noncontiguous));
    }
    CHECK_OK(MPI_Win_allocate_shared(8, 1, info, host, &memory, &win));
    defaults(win, noncontiguous ? noncontiguous : "false");
    changes(win, noncontiguous ? noncontiguous : "false");
    CHECK_OK(MPI_Win_free(&win));
    if (noncontiguous)
        CHECK_OK(MPI_Info_free(&info));
    CHECK_OK(MPI_Comm_free(&host));
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    for (int f = CREATE; f < FLAVORS; f++) {
        struct window w;
        window_open(&w, (enum flavor)f, 8);
        defaults(w.win, NULL);
        changes(w.win, NULL);
        window_close(&w);
    }
    given();
    shared(NULL);
    shared("true");
    return check_finish();
}
