/* What windows carry: attributes, those they are born with, a name, hints, an error handler. */
#include "check.h"

static int deletes, calls;
static MPI_Win last;

static int delete (MPI_Win win, int key, void *value, void *extra_state)
{
    (void)win, (void)key, (void)value, (void)extra_state;
    deletes++;
    return MPI_SUCCESS;
}

static void handler(MPI_Win *win, int *code, ...)
{
    (void)code;
    calls++;
    last = *win;
}

static void *value_of(MPI_Win win, int key)
{
    void *value = NULL;
    int flag = -1;
    CHECK_OK(MPI_Win_get_attr(win, key, &value, &flag));
    return flag ? value : NULL;
}

static void check_born_with(MPI_Win win, const void *base, MPI_Aint size, int unit)
{
    CHECK(value_of(win, MPI_WIN_BASE) == base, "%p", value_of(win, MPI_WIN_BASE));
    CHECK(*(MPI_Aint *)value_of(win, MPI_WIN_SIZE) == size, "of %ld", (long)size);
    CHECK(*(int *)value_of(win, MPI_WIN_DISP_UNIT) == unit, "of %d", unit);
    CHECK(*(int *)value_of(win, MPI_WIN_CREATE_FLAVOR) == MPI_WIN_FLAVOR_CREATE, "of %d", MPI_WIN_FLAVOR_CREATE);
    int model = *(int *)value_of(win, MPI_WIN_MODEL);
    CHECK(model == MPI_WIN_UNIFIED || model == MPI_WIN_SEPARATE, "%d", model);
}

static void check_attributes(MPI_Win win, int key)
{
    static int x, y;
    CHECK(!value_of(win, key), "key %d", key);
    CHECK_OK(MPI_Win_set_attr(win, key, &x));
    CHECK_OK(MPI_Win_set_attr(win, key, &y));
    CHECK(value_of(win, key) == &y && deletes == 1, "%d deletes", deletes);
    CHECK_OK(MPI_Win_delete_attr(win, key));
    CHECK(!value_of(win, key) && deletes == 2, "%d deletes", deletes);
    CHECK_OK(MPI_Win_set_attr(win, key, &x));
}

static void check_handler(MPI_Win win)
{
    MPI_Errhandler mine, got;
    CHECK_OK(MPI_Win_get_errhandler(win, &got));
    CHECK(got == MPI_ERRORS_ARE_FATAL, "np %d", np);
    CHECK_OK(MPI_Win_create_errhandler(handler, &mine));
    CHECK_OK(MPI_Win_set_errhandler(win, mine));
    CHECK_OK(MPI_Errhandler_free(&mine));
    CHECK_OK(MPI_Win_call_errhandler(win, MPI_ERR_OTHER));
    CHECK(calls == 1 && last == win, "%d calls", calls);
    CHECK_CLASS(MPI_Win_delete_attr(win, MPI_WIN_BASE), MPI_ERR_KEYVAL);
    CHECK(calls == 2, "%d calls", calls);
}

static void check_rest(MPI_Win win)
{
    char name[MPI_MAX_OBJECT_NAME] = "?";
    int length = -1;
    MPI_Info info;
    CHECK_OK(MPI_Win_get_name(win, name, &length));
    CHECK(length == 0 && !name[0], "%d", length);
    CHECK_OK(MPI_Win_set_name(win, "halo"));
    CHECK_OK(MPI_Win_get_name(win, name, &length));
    CHECK(length == 4 && strcmp(name, "halo") == 0, "'%s'", name);
    CHECK_OK(MPI_Win_get_info(win, &info));
    CHECK_OK(MPI_Info_set(info, "no_locks", "true"));
    CHECK_OK(MPI_Win_set_info(win, info));
    CHECK_OK(MPI_Info_free(&info));
}

int main(int argc, char **argv)
{
    double memory[4] = {0};
    int key;
    MPI_Win win;
    check_start(&argc, &argv);
    check_return_errors();
    CHECK_OK(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, delete, &key, NULL));
    CHECK_OK(MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    check_born_with(win, memory, sizeof memory, sizeof *memory);
    check_attributes(win, key);
    check_handler(win);
    check_rest(win);
    CHECK_OK(MPI_Win_free(&win));
    CHECK(deletes == 3, "%d deletes", deletes);
    CHECK_OK(MPI_Win_free_keyval(&key));
    return check_finish();
}
