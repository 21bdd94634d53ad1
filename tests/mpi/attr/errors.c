/* An attribute's functions that fail make the call fail with their code; wrong keys are refused. */
#include "check.h"

static int fail_with;

static int copy(MPI_Comm comm, int key, void *extra_state, void *in, void *out, int *flag)
{
    (void)comm, (void)key, (void)extra_state;
    *(void **)out = in;
    *flag = 1;
    return fail_with;
}

static int delete (MPI_Comm comm, int key, void *value, void *extra_state)
{
    (void)comm, (void)key, (void)value, (void)extra_state;
    return fail_with;
}

int main(int argc, char **argv)
{
    int key, type_key, x = 0, flag;
    void *value;
    MPI_Comm comm, twin;
    check_start(&argc, &argv);
    check_return_errors();
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK_OK(MPI_Comm_create_keyval(copy, delete, &key, NULL));
    CHECK_OK(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &type_key, NULL));
    CHECK_OK(MPI_Comm_set_attr(comm, key, &x));
    fail_with = MPI_ERR_OTHER;
    CHECK_CLASS(MPI_Comm_dup(comm, &twin), MPI_ERR_OTHER);
    CHECK_CLASS(MPI_Comm_delete_attr(comm, key), MPI_ERR_OTHER);
    CHECK_CLASS(MPI_Comm_set_attr(comm, key, &flag), MPI_ERR_OTHER);
    CHECK_CLASS(MPI_Comm_free(&comm), MPI_ERR_OTHER);
    CHECK(comm != MPI_COMM_NULL, "freed, np %d", np);
    fail_with = MPI_SUCCESS;
    CHECK_OK(MPI_Comm_free(&comm));
    CHECK_CLASS(MPI_Comm_set_attr(MPI_COMM_WORLD, type_key, &x), MPI_ERR_KEYVAL);
    CHECK_CLASS(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_KEYVAL_INVALID, &value, &flag), MPI_ERR_KEYVAL);
    CHECK_CLASS(MPI_Comm_delete_attr(MPI_COMM_WORLD, key), MPI_ERR_KEYVAL);
    CHECK_CLASS(MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_TAG_UB, &x), MPI_ERR_KEYVAL);
    CHECK_CLASS(MPI_Comm_delete_attr(MPI_COMM_WORLD, MPI_TAG_UB), MPI_ERR_KEYVAL);
    CHECK_CLASS(MPI_Comm_get_attr(MPI_COMM_NULL, MPI_TAG_UB, &value, &flag), MPI_ERR_COMM);
    CHECK_CLASS(MPI_Comm_get_attr(MPI_COMM_WORLD, key, NULL, &flag), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Comm_free_keyval(&type_key), MPI_ERR_KEYVAL);
    CHECK_OK(MPI_Comm_free_keyval(&key));
    CHECK_CLASS(MPI_Comm_free_keyval(&key), MPI_ERR_KEYVAL);
    CHECK_OK(MPI_Type_free_keyval(&type_key));
    return check_finish();
}
