/* Info objects: pairs set, replaced, listed in order, got with too little room, deleted, duplicated. */
#include "check.h"

static void check_value(MPI_Info info, const char *key, const char *wanted)
{
    char value[MPI_MAX_INFO_VAL] = "?";
    int room = sizeof value, flag = -1, length = -1;
    CHECK_OK(MPI_Info_get_string(info, key, &room, value, &flag));
    CHECK(flag == (wanted != NULL), "key '%s': flag %d", key, flag);
    if (!wanted) {
        return;
    }
    CHECK(strcmp(value, wanted) == 0 && room == (int)strlen(wanted) + 1, "key '%s': '%s' (%d)", key, value, room);
    CHECK_OK(MPI_Info_get_valuelen(info, key, &length, &flag));
    CHECK(flag && length == (int)strlen(wanted), "key '%s': %d", key, length);
    memset(value, '?', sizeof value);
    CHECK_OK(MPI_Info_get(info, key, length, value, &flag));
    CHECK(flag && strcmp(value, wanted) == 0, "key '%s': '%s'", key, value);
}

static void check_keys(MPI_Info info, int count, const char *const *keys)
{
    int n = -1;
    CHECK_OK(MPI_Info_get_nkeys(info, &n));
    CHECK(n == count, "%d keys, wanted %d", n, count);
    for (int i = 0; i < count; i++) {
        char key[MPI_MAX_INFO_KEY] = "?";
        CHECK_OK(MPI_Info_get_nthkey(info, i, key));
        CHECK(strcmp(key, keys[i]) == 0, "key %d: '%s'", i, key);
    }
}

int main(int argc, char **argv)
{
    static const char *const all[] = {"first", "second", "third"}, *const two[] = {"first", "third"};
    char part[5], none = '!', key[MPI_MAX_INFO_KEY];
    int room, flag;
    MPI_Info info, twin;
    check_start(&argc, &argv);
    check_return_errors();
    CHECK_OK(MPI_Info_create(&info));
    check_keys(info, 0, NULL);
    check_value(info, "first", NULL);
    CHECK_OK(MPI_Info_set(info, "first", "1"));
    CHECK_OK(MPI_Info_set(info, "second", "two words"));
    CHECK_OK(MPI_Info_set(info, "third", ""));
    CHECK_OK(MPI_Info_set(info, "first", "one"));
    check_keys(info, 3, all);
    check_value(info, "first", "one");
    check_value(info, "second", "two words");
    check_value(info, "third", "");
    room = sizeof part;
    CHECK_OK(MPI_Info_get_string(info, "second", &room, part, &flag));
    CHECK(flag && room == 10 && strcmp(part, "two ") == 0, "'%s' (%d)", part, room);
    room = 0;
    CHECK_OK(MPI_Info_get_string(info, "second", &room, &none, &flag));
    CHECK(flag && room == 10 && none == '!', "%d", room);
    CHECK_OK(MPI_Info_get(info, "second", 3, part, &flag));
    CHECK(flag && strcmp(part, "two") == 0, "'%s'", part);
    CHECK_OK(MPI_Info_dup(info, &twin));
    CHECK_OK(MPI_Info_delete(info, "second"));
    check_keys(info, 2, two);
    check_keys(twin, 3, all);
    check_value(twin, "second", "two words");
    CHECK_CLASS(MPI_Info_delete(info, "second"), MPI_ERR_INFO_NOKEY);
    CHECK_CLASS(MPI_Info_get_nthkey(info, 2, key), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Info_get_nthkey(info, -1, key), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Info_set(info, "", "x"), MPI_ERR_INFO_KEY);
    CHECK_CLASS(MPI_Info_set(info, NULL, "x"), MPI_ERR_INFO_KEY);
    CHECK_CLASS(MPI_Info_set(MPI_INFO_NULL, "a", "b"), MPI_ERR_INFO);
    CHECK_OK(MPI_Info_free(&info));
    CHECK(info == MPI_INFO_NULL, "np %d", np);
    CHECK_CLASS(MPI_Info_free(&info), MPI_ERR_INFO);
    CHECK_OK(MPI_Info_free(&twin));
    return check_finish();
}
