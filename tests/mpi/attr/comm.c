/* Attributes of a communicator: set, got, replaced, deleted, copied by MPI_Comm_dup as their functions say, gone with it. */
#include "check.h"

static int copies, deletes;
static void *last_value, *last_extra;
static int extra;

static int copy(MPI_Comm comm, int key, void *extra_state, void *in, void *out, int *flag)
{
    (void)comm, (void)key;
    copies++;
    last_extra = extra_state;
    *(void **)out = (char *)in + 1;
    *flag = 1;
    return MPI_SUCCESS;
}

static int refuse(MPI_Comm comm, int key, void *extra_state, void *in, void *out, int *flag)
{
    (void)comm, (void)key, (void)extra_state, (void)in, (void)out;
    copies++;
    *flag = 0;
    return MPI_SUCCESS;
}

static int delete (MPI_Comm comm, int key, void *value, void *extra_state)
{
    (void)comm, (void)key;
    deletes++;
    last_value = value;
    last_extra = extra_state;
    return MPI_SUCCESS;
}

static void *value_of(MPI_Comm comm, int key)
{
    void *value = NULL;
    int flag = -1;
    CHECK_OK(MPI_Comm_get_attr(comm, key, &value, &flag));
    CHECK(flag == 0 || flag == 1, "flag %d", flag);
    return flag ? value : NULL;
}

int main(int argc, char **argv)
{
    static char memory[100];
    int own, never, always, key = MPI_KEYVAL_INVALID;
    MPI_Comm comm, twin;
    check_start(&argc, &argv);
    check_return_errors();
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK_OK(MPI_Comm_create_keyval(copy, delete, &own, &extra));
    CHECK_OK(MPI_Comm_create_keyval(refuse, MPI_COMM_NULL_DELETE_FN, &never, NULL));
    CHECK_OK(MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &always, NULL));
    CHECK_OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete, &key, NULL));
    CHECK(own != never && own != always && own != key && never != always && own != MPI_KEYVAL_INVALID, "%d %d %d", own,
          never, always);
    CHECK(!value_of(comm, own), "not set yet: %d", own);
    CHECK_OK(MPI_Comm_set_attr(comm, own, memory));
    CHECK(value_of(comm, own) == memory && deletes == 0, "%d deletes", deletes);
    CHECK_OK(MPI_Comm_set_attr(comm, own, memory + 10));
    CHECK(value_of(comm, own) == memory + 10 && deletes == 1 && last_value == memory && last_extra == &extra,
          "%d deletes", deletes);
    CHECK_OK(MPI_Comm_set_attr(comm, never, memory + 20));
    CHECK_OK(MPI_Comm_set_attr(comm, always, memory + 30));
    CHECK_OK(MPI_Comm_set_attr(comm, key, memory + 40));
    CHECK_OK(MPI_Comm_dup(comm, &twin));
    CHECK(copies == 2, "%d copies", copies);
    CHECK(value_of(twin, own) == memory + 11 && !value_of(twin, never) && value_of(twin, always) == memory + 30 &&
              !value_of(twin, key),
          "of %p", (void *)memory);
    /* A key lives on without its handle while a value has it. */
    int old = own;
    CHECK_OK(MPI_Comm_free_keyval(&own));
    CHECK(own == MPI_KEYVAL_INVALID, "%d", own);
    CHECK_OK(MPI_Comm_free(&twin));
    CHECK(deletes == 2 && last_value == memory + 11, "%d deletes", deletes);
    CHECK_OK(MPI_Comm_delete_attr(comm, key));
    CHECK(deletes == 3 && last_value == memory + 40 && !value_of(comm, key), "%d deletes", deletes);
    CHECK_OK(MPI_Comm_free(&comm));
    CHECK(deletes == 4 && last_value == memory + 10, "%d deletes", deletes);
    CHECK_CLASS(MPI_Comm_set_attr(MPI_COMM_WORLD, old, memory), MPI_ERR_KEYVAL);
    CHECK_OK(MPI_Comm_free_keyval(&never));
    CHECK_OK(MPI_Comm_free_keyval(&always));
    CHECK_OK(MPI_Comm_free_keyval(&key));
    return check_finish();
}
