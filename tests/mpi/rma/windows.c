/* Windows as objects: attributes, group, name, hints, sizes and displacement units that differ from rank to rank; more than one at a time,
 * on parts of the job. */
#include "check.h"

static void check_attributes(MPI_Win win, const void *base, MPI_Aint size, int unit, int flavor)
{
    void *value = NULL;
    int flag = 0;
    CHECK_OK(MPI_Win_get_attr(win, MPI_WIN_BASE, &value, &flag));
    CHECK(flag && value == base, "base %p, wanted %p", value, base);
    CHECK_OK(MPI_Win_get_attr(win, MPI_WIN_SIZE, &value, &flag));
    CHECK(flag && *(MPI_Aint *)value == size, "size %ld", (long)*(MPI_Aint *)value);
    CHECK_OK(MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &value, &flag));
    CHECK(flag && *(int *)value == unit, "unit %d", *(int *)value);
    CHECK_OK(MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &value, &flag));
    CHECK(flag && *(int *)value == flavor, "flavor %d", *(int *)value);
    CHECK_OK(MPI_Win_get_attr(win, MPI_WIN_MODEL, &value, &flag));
    CHECK(flag && (*(int *)value == MPI_WIN_UNIFIED || *(int *)value == MPI_WIN_SEPARATE), "model %d", *(int *)value);
}

static void check_group(MPI_Win win)
{
    MPI_Group all, mine;
    int result;
    CHECK_OK(MPI_Win_get_group(win, &mine));
    CHECK_OK(MPI_Comm_group(MPI_COMM_WORLD, &all));
    CHECK_OK(MPI_Group_compare(all, mine, &result));
    CHECK(result == MPI_IDENT, "the group differs");
    CHECK_OK(MPI_Group_free(&all));
    CHECK_OK(MPI_Group_free(&mine));
}

static void check_names(MPI_Win win)
{
    char name[MPI_MAX_OBJECT_NAME];
    int len = -1;
    CHECK_OK(MPI_Win_get_name(win, name, &len));
    CHECK(len == 0, "a name before it was set: %s", name);
    CHECK_OK(MPI_Win_set_name(win, "heat"));
    CHECK_OK(MPI_Win_get_name(win, name, &len));
    CHECK(len == 4 && strcmp(name, "heat") == 0, "%s", name);
    CHECK_OK(MPI_Win_get_name(MPI_WIN_NULL, name, &len));
    CHECK(strcmp(name, "MPI_WIN_NULL") == 0, "%s", name);
}

static void check_hints(MPI_Win win)
{
    MPI_Info info, got;
    char value[20];
    int len = sizeof value, flag = 0;
    CHECK_OK(MPI_Info_create(&info));
    CHECK_OK(MPI_Info_set(info, "same_disp_unit", "true"));
    CHECK_OK(MPI_Win_set_info(win, info));
    CHECK_OK(MPI_Info_free(&info));
    CHECK_OK(MPI_Win_get_info(win, &got));
    CHECK_OK(MPI_Info_get_string(got, "same_disp_unit", &len, value, &flag));
    CHECK(flag && strcmp(value, "true") == 0, "the hint is gone");
    CHECK_OK(MPI_Info_free(&got));
}

static int dropped;

static int on_delete(MPI_Win win, int key, void *value, void *extra)
{
    (void)win, (void)key, (void)value, (void)extra;
    dropped++;
    return MPI_SUCCESS;
}

static void own_attribute(MPI_Win win)
{
    int key, flag = 0;
    void *value = NULL;
    CHECK_OK(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, on_delete, &key, NULL));
    CHECK_OK(MPI_Win_set_attr(win, key, &dropped));
    CHECK_OK(MPI_Win_get_attr(win, key, &value, &flag));
    CHECK(flag && value == &dropped, "the value is gone");
    CHECK_OK(MPI_Win_free_keyval(&key));
}

/* Each rank has another size and another unit. */
static void uneven(void)
{
    int count = 3 + me, unit = 1 << me % 3, right = right_of(me), there = 1 << right % 3;
    long *memory = calloc((size_t)count, sizeof *memory), mine = 4000 + me;
    MPI_Win win, other;
    char *more;
    CHECK_OK(MPI_Win_create_c(memory, count * (MPI_Aint)sizeof *memory, unit, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    CHECK_OK(MPI_Win_allocate_c(me, 2, MPI_INFO_NULL, MPI_COMM_WORLD, &more, &other));
    check_attributes(win, memory, count * (MPI_Aint)sizeof *memory, unit, MPI_WIN_FLAVOR_CREATE);
    check_attributes(other, more, me, 2, MPI_WIN_FLAVOR_ALLOCATE);
    check_group(win);
    check_names(win);
    check_hints(win);
    own_attribute(win);
    CHECK_OK(MPI_Win_fence(0, win));
    CHECK_OK(MPI_Put(&mine, 1, MPI_LONG, right, (2 + right) * (MPI_Aint)sizeof mine / there, 1, MPI_LONG, win));
    CHECK_OK(MPI_Win_fence(0, win));
    CHECK(memory[count - 1] == 4000 + left_of(me), "the last word is %ld", memory[count - 1]);
    CHECK_OK(MPI_Win_free(&other));
    CHECK_OK(MPI_Win_free(&win));
    CHECK(dropped == 1, "the delete function was called %d times", dropped);
    free(memory);
}

/* Odd and even ranks have windows of their own; the communicator may go before its window. */
static void halves(void)
{
    MPI_Comm half;
    MPI_Win win;
    int size, rank, *memory, sum = 0;
    CHECK_OK(MPI_Comm_split(MPI_COMM_WORLD, me % 2, -me, &half));
    CHECK_OK(MPI_Comm_size(half, &size));
    CHECK_OK(MPI_Comm_rank(half, &rank));
    CHECK_OK(MPI_Win_allocate(size * (MPI_Aint)sizeof *memory, sizeof *memory, MPI_INFO_NULL, half, &memory, &win));
    CHECK_OK(MPI_Comm_free(&half));
    CHECK_OK(MPI_Win_fence(0, win));
    for (int i = 0; i < size; i++)
        CHECK_OK(MPI_Put(&me, 1, MPI_INT, i, rank, 1, MPI_INT, win));
    CHECK_OK(MPI_Win_fence(0, win));
    for (int i = 0; i < size; i++) {
        CHECK(memory[i] % 2 == me % 2, "word %d: %d", i, memory[i]);
        sum += memory[i];
    }
    CHECK(sum == (me % 2 ? size * size : size * (size - 1)), "sum %d of %d", sum, size);
    CHECK_OK(MPI_Win_free(&win));
}

/* Windows come and go. */
static void many(void)
{
    MPI_Win win[10];
    int word[10], mine;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 10; i++) {
            word[i] = -1;
            CHECK_OK(MPI_Win_create(&word[i], sizeof word[i], 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win[i]));
            CHECK_OK(MPI_Win_fence(0, win[i]));
        }
        for (int i = 0; i < 10; i++) {
            mine = 10 * me + i;
            CHECK_OK(MPI_Put(&mine, 1, MPI_INT, right_of(me), 0, 1, MPI_INT, win[i]));
            CHECK_OK(MPI_Win_fence(0, win[i]));
        }
        for (int i = 9; i >= 0; i--) {
            CHECK(word[i] == 10 * left_of(me) + i, "window %d: %d", i, word[i]);
            CHECK_OK(MPI_Win_free(&win[i]));
        }
    }
    CHECK_OK(MPI_Win_create(MPI_BOTTOM, 0, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win[0]));
    CHECK_OK(MPI_Win_free(&win[0]));
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    uneven();
    halves();
    many();
    return check_finish();
}
