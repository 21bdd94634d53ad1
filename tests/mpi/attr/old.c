/* The names of MPI-1. */
#include "check.h"

static int deletes;

static int delete (MPI_Comm comm, int key, void *value, void *extra_state)
{
    (void)comm, (void)key, (void)value, (void)extra_state;
    deletes++;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int key, lost, x = 7, *value = NULL, flag = -1;
    MPI_Comm comm, twin;
    check_start(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK_OK(MPI_Keyval_create(MPI_DUP_FN, delete, &key, NULL));
    CHECK_OK(MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, &lost, NULL));
    CHECK_OK(MPI_Attr_put(comm, key, &x));
    CHECK_OK(MPI_Attr_put(comm, lost, &x));
    MPI_Comm_dup(comm, &twin);
    CHECK_OK(MPI_Attr_get(twin, key, &value, &flag));
    CHECK(flag == 1 && value == &x, "flag %d", flag);
    CHECK_OK(MPI_Attr_get(twin, lost, &value, &flag));
    CHECK(flag == 0, "flag %d", flag);
    CHECK_OK(MPI_Attr_delete(twin, key));
    CHECK(deletes == 1, "%d deletes", deletes);
    CHECK_OK(MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag));
    CHECK(flag && *value >= 32767, "flag %d", flag);
    MPI_Comm_free(&twin);
    MPI_Comm_free(&comm);
    CHECK(deletes == 2, "%d deletes", deletes);
    CHECK_OK(MPI_Keyval_free(&key));
    CHECK_OK(MPI_Keyval_free(&lost));
    CHECK(key == MPI_KEYVAL_INVALID, "%d", key);
    return check_finish();
}
