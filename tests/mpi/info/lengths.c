/* Keys and values at their longest, and one longer. */
#include "check.h"

int main(int argc, char **argv)
{
    char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1], got[MPI_MAX_INFO_VAL];
    int room = sizeof got, flag;
    MPI_Info info;
    check_start(&argc, &argv);
    check_return_errors();
    MPI_Info_create(&info);
    memset(key, 'k', sizeof key);
    memset(value, 'v', sizeof value);
    key[MPI_MAX_INFO_KEY] = value[MPI_MAX_INFO_VAL] = 0;
    CHECK_CLASS(MPI_Info_set(info, key, "v"), MPI_ERR_INFO_KEY);
    CHECK_CLASS(MPI_Info_set(info, "k", value), MPI_ERR_INFO_VALUE);
    key[MPI_MAX_INFO_KEY - 1] = value[MPI_MAX_INFO_VAL - 1] = 0;
    CHECK_OK(MPI_Info_set(info, key, value));
    CHECK_OK(MPI_Info_get_string(info, key, &room, got, &flag));
    CHECK(flag && room == MPI_MAX_INFO_VAL && strcmp(got, value) == 0, "%d", room);
    MPI_Info_free(&info);
    return check_finish();
}
