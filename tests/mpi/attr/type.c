/* Attributes of datatypes, of predefined ones too. */
#include "check.h"

static int deletes;

static int copy(MPI_Datatype type, int key, void *extra_state, void *in, void *out, int *flag)
{
    (void)type, (void)key, (void)extra_state;
    *(void **)out = (char *)in + 1;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete (MPI_Datatype type, int key, void *value, void *extra_state)
{
    (void)type, (void)key, (void)value, (void)extra_state;
    deletes++;
    return MPI_SUCCESS;
}

static void *value_of(MPI_Datatype type, int key)
{
    void *value = NULL;
    int flag = -1;
    CHECK_OK(MPI_Type_get_attr(type, key, &value, &flag));
    return flag ? value : NULL;
}

int main(int argc, char **argv)
{
    static char memory[10];
    int key, comm_key;
    MPI_Datatype type, twin;
    check_start(&argc, &argv);
    check_return_errors();
    CHECK_OK(MPI_Type_create_keyval(copy, delete, &key, NULL));
    CHECK_OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &comm_key, NULL));
    CHECK(!value_of(MPI_INT, key), "key %d", key);
    CHECK_OK(MPI_Type_set_attr(MPI_INT, key, memory));
    CHECK(value_of(MPI_INT, key) == memory && !value_of(MPI_DOUBLE, key), "key %d", key);
    CHECK_OK(MPI_Type_dup(MPI_INT, &twin));
    CHECK(value_of(twin, key) == memory + 1, "key %d", key);
    CHECK_OK(MPI_Type_free(&twin));
    CHECK(deletes == 1, "%d deletes", deletes);
    deletes = 0;
    CHECK_OK(MPI_Type_delete_attr(MPI_INT, key));
    CHECK(!value_of(MPI_INT, key) && deletes == 1, "%d deletes", deletes);
    CHECK_OK(MPI_Type_contiguous(3, MPI_INT, &type));
    CHECK_OK(MPI_Type_set_attr(type, key, memory + 4));
    CHECK_OK(MPI_Type_dup(type, &twin));
    CHECK(value_of(type, key) == memory + 4 && value_of(twin, key) == memory + 5, "key %d", key);
    CHECK_OK(MPI_Type_free(&twin));
    CHECK(deletes == 2, "%d deletes", deletes);
    CHECK_OK(MPI_Type_free(&type));
    CHECK(deletes == 3, "%d deletes", deletes);
    CHECK_CLASS(MPI_Type_set_attr(MPI_INT, comm_key, memory), MPI_ERR_KEYVAL);
    CHECK_CLASS(MPI_Type_set_attr(MPI_DATATYPE_NULL, key, memory), MPI_ERR_TYPE);
    CHECK_OK(MPI_Type_free_keyval(&key));
    CHECK_OK(MPI_Comm_free_keyval(&comm_key));
    return check_finish();
}
