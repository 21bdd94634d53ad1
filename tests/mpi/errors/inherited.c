/* A communicator takes its parent's error handler when it is made, by dup, split and create, and keeps it. */
#include "check.h"

static int calls;
static MPI_Comm last;

static void handler(MPI_Comm *comm, int *code, ...)
{
    (void)code;
    calls++;
    last = *comm;
}

static void expect_call(MPI_Comm comm, int line)
{
    int before = calls, x = 0;
    CHECK_CLASS(MPI_Send(&x, -1, MPI_INT, 0, 0, comm), MPI_ERR_COUNT);
    CHECK(calls == before + 1 && last == comm, "from line %d: %d calls, %d before", line, calls, before);
}

static void expect_return(MPI_Comm comm, int line)
{
    int before = calls, x = 0;
    CHECK_CLASS(MPI_Send(&x, -1, MPI_INT, 0, 0, comm), MPI_ERR_COUNT);
    CHECK(calls == before, "from line %d: %d calls, %d before", line, calls, before);
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    MPI_Comm parent, made[3], grandchild;
    MPI_Errhandler mine, got;
    MPI_Group group;
    MPI_Comm_dup(MPI_COMM_WORLD, &parent);
    MPI_Comm_get_errhandler(parent, &got);
    CHECK(got == MPI_ERRORS_ARE_FATAL, "np %d", np);
    MPI_Comm_create_errhandler(handler, &mine);
    MPI_Comm_set_errhandler(parent, mine);
    MPI_Errhandler_free(&mine);
    MPI_Comm_group(parent, &group);
    MPI_Comm_dup(parent, &made[0]);
    MPI_Comm_split(parent, me % 2, me, &made[1]);
    MPI_Comm_create(parent, group, &made[2]);
    MPI_Group_free(&group);
    MPI_Comm_set_errhandler(parent, MPI_ERRORS_RETURN); /* not its children's */
    expect_return(parent, __LINE__);
    MPI_Comm_free(&parent);
    for (int i = 0; i < 3; i++)
        expect_call(made[i], __LINE__);
    MPI_Comm_split(made[1], 0, 0, &grandchild);
    expect_call(grandchild, __LINE__);
    MPI_Comm_set_errhandler(grandchild, MPI_ERRORS_RETURN);
    expect_return(grandchild, __LINE__);
    expect_call(made[1], __LINE__);
    for (int i = 0; i < 3; i++)
        MPI_Comm_free(&made[i]);
    MPI_Comm_free(&grandchild);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &got);
    CHECK(got == MPI_ERRORS_ARE_FATAL, "%d calls", calls);
    return check_finish();
}
