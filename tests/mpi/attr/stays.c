/* An attribute whose delete function fails stays: with its old value when it was to be replaced, with its object when that was to be
 * freed; the object's copy asks its copy function. Communicators, datatypes, windows. */
#include "check.h"

static int fails, copies, deletes, old, new;

static int copied(void *in, void *out, int *flag)
{
    copies++;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}
static int deleted(void)
{
    deletes++;
    return fails ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int copy_comm(MPI_Comm c, int key, void *state, void *in, void *out, int *flag)
{
    (void)c, (void)key, (void)state;
    return copied(in, out, flag);
}
static int copy_type(MPI_Datatype t, int key, void *state, void *in, void *out, int *flag)
{
    (void)t, (void)key, (void)state;
    return copied(in, out, flag);
}
static int delete_comm(MPI_Comm c, int key, void *value, void *state)
{
    (void)c, (void)key, (void)value, (void)state;
    return deleted();
}
static int delete_type(MPI_Datatype t, int key, void *value, void *state)
{
    (void)t, (void)key, (void)value, (void)state;
    return deleted();
}
static int delete_win(MPI_Win w, int key, void *value, void *state)
{
    (void)w, (void)key, (void)value, (void)state;
    return deleted();
}

static void begin(void) { fails = copies = deletes = 0; }

static void of_comm(void)
{
    int key, later, flag;
    void *value;
    MPI_Comm comm, twin;
    begin();
    CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CHECK_OK(MPI_Comm_create_keyval(copy_comm, delete_comm, &key, NULL));
    CHECK_OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &later, NULL));
    CHECK_OK(MPI_Comm_set_attr(comm, key, &old));
    CHECK_OK(MPI_Comm_set_attr(comm, later, &new));
    fails = 1;
    CHECK_CLASS(MPI_Comm_set_attr(comm, key, &new), MPI_ERR_OTHER);
    CHECK_CLASS(MPI_Comm_delete_attr(comm, key), MPI_ERR_OTHER);
    CHECK_OK(MPI_Comm_get_attr(comm, key, &value, &flag));
    CHECK(flag && value == &old && deletes == 2, "flag %d, %d deletes", flag, deletes);
    CHECK_OK(MPI_Comm_dup(comm, &twin));
    CHECK_OK(MPI_Comm_get_attr(twin, key, &value, &flag));
    CHECK(copies == 1 && flag && value == &old, "%d copies", copies);
    CHECK_CLASS(MPI_Comm_free(&comm), MPI_ERR_OTHER);
    CHECK(comm != MPI_COMM_NULL && deletes == 3, "%d deletes", deletes);
    CHECK_OK(MPI_Comm_get_attr(comm, key, &value, &flag));
    CHECK(flag && value == &old, "flag %d", flag);
    CHECK_OK(MPI_Comm_get_attr(comm, later, &value, &flag));
    CHECK(!flag, "set later and gone before, np %d", np);
    CHECK_OK(MPI_Barrier(comm)); /* which works still */
    CHECK_OK(MPI_Comm_free_keyval(&key));
    fails = 0;
    CHECK_OK(MPI_Comm_free(&comm));
    CHECK_OK(MPI_Comm_free(&twin));
    CHECK(deletes == 5, "%d deletes", deletes);
    CHECK_OK(MPI_Comm_free_keyval(&later));
}

static void of_type(void)
{
    int key, flag;
    void *value;
    MPI_Datatype type, twin;
    begin();
    CHECK_OK(MPI_Type_contiguous(2, MPI_INT, &type));
    CHECK_OK(MPI_Type_create_keyval(copy_type, delete_type, &key, NULL));
    CHECK_OK(MPI_Type_set_attr(type, key, &old));
    fails = 1;
    CHECK_CLASS(MPI_Type_set_attr(type, key, &new), MPI_ERR_OTHER);
    CHECK_CLASS(MPI_Type_delete_attr(type, key), MPI_ERR_OTHER);
    CHECK_CLASS(MPI_Type_free(&type), MPI_ERR_OTHER);
    CHECK(type != MPI_DATATYPE_NULL && deletes == 3, "%d deletes", deletes);
    CHECK_OK(MPI_Type_dup(type, &twin));
    CHECK_OK(MPI_Type_get_attr(twin, key, &value, &flag));
    CHECK(copies == 1 && flag && value == &old, "%d copies", copies);
    fails = 0;
    CHECK_OK(MPI_Type_free(&type));
    CHECK_OK(MPI_Type_free(&twin));
    CHECK(deletes == 5, "%d deletes", deletes);
    CHECK_OK(MPI_Type_free_keyval(&key));
}

static void of_win(void)
{
    int key, flag, memory = 0;
    void *value;
    MPI_Win win;
    begin();
    CHECK_OK(MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    CHECK_OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    CHECK_OK(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, delete_win, &key, NULL));
    CHECK_OK(MPI_Win_set_attr(win, key, &old));
    fails = 1;
    CHECK_CLASS(MPI_Win_set_attr(win, key, &new), MPI_ERR_OTHER);
    CHECK_CLASS(MPI_Win_delete_attr(win, key), MPI_ERR_OTHER);
    CHECK_CLASS(MPI_Win_free(&win), MPI_ERR_OTHER);
    CHECK_OK(MPI_Win_get_attr(win, key, &value, &flag));
    CHECK(flag && value == &old && deletes == 3, "flag %d, %d deletes", flag, deletes);
    CHECK_OK(MPI_Win_fence(0, win)); /* which works still */
    fails = 0;
    CHECK_OK(MPI_Win_free(&win));
    CHECK(deletes == 4, "%d deletes", deletes);
    CHECK_OK(MPI_Win_free_keyval(&key));
}

/* A function that deletes what it is asked about. */
static int deletes_itself(MPI_Comm comm, int key, void *value, void *state)
{
    (void)value, (void)state;
    return deletes++ ? MPI_SUCCESS : MPI_Comm_delete_attr(comm, key);
}

static void itself(void)
{
    int key, flag;
    void *value;
    MPI_Comm comm;
    begin();
    CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CHECK_OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deletes_itself, &key, NULL));
    CHECK_OK(MPI_Comm_set_attr(comm, key, &old));
    CHECK_OK(MPI_Comm_delete_attr(comm, key));
    CHECK_OK(MPI_Comm_get_attr(comm, key, &value, &flag));
    CHECK(!flag && deletes == 2, "flag %d, %d deletes", flag, deletes);
    CHECK_OK(MPI_Comm_free_keyval(&key));
    CHECK_OK(MPI_Comm_free(&comm));
}

/* A function that frees its key, which only the value that goes has kept. */
static int frees_key(MPI_Comm comm, int key, void *value, void *state)
{
    (void)comm, (void)value, (void)state;
    return deletes++ ? MPI_SUCCESS : MPI_Comm_free_keyval(&key);
}

static void without_key(void)
{
    int key, other, flag;
    void *value;
    MPI_Comm comm;
    begin();
    CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CHECK_OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, frees_key, &key, NULL));
    CHECK_OK(MPI_Comm_set_attr(comm, key, &old));
    CHECK_OK(MPI_Comm_set_attr(comm, key, &new));
    CHECK_OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &other, NULL));
    CHECK_OK(MPI_Comm_set_attr(comm, other, &old));
    CHECK_OK(MPI_Comm_get_attr(comm, key, &value, &flag));
    CHECK(flag && value == &new &&deletes == 1, "flag %d, %d deletes", flag, deletes);
    CHECK_OK(MPI_Comm_free_keyval(&other));
    CHECK_OK(MPI_Comm_free(&comm));
    CHECK(deletes == 2, "%d deletes", deletes);
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    check_return_errors();
    of_comm();
    of_type();
    of_win();
    itself();
    if (!CHECK_SMALL) /* which has no room for it */
        without_key();
    return check_finish();
}
