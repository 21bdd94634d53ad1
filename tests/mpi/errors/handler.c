/* A user's handler is called with the communicator and the code; handlers are got, set, inherited by dup and freed. */
#include "check.h"

static int calls, last_code;
static MPI_Comm last_comm;

static void handler(MPI_Comm *comm, int *code, ...)
{
    calls++;
    last_code = *code;
    last_comm = *comm;
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    MPI_Comm comm, copy;
    MPI_Errhandler mine, got;
    int x = 0;
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &got);
    CHECK(got == MPI_ERRORS_ARE_FATAL, "the default is another, np %d", np);
    MPI_Errhandler_free(&got);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_errhandler(handler, &mine);
    MPI_Comm_set_errhandler(comm, mine);
    MPI_Errhandler_free(&mine); /* lives on with the communicator */
    CHECK(mine == MPI_ERRHANDLER_NULL, "np %d", np);
    CHECK_CLASS(MPI_Send(&x, -1, MPI_INT, 0, 0, comm), MPI_ERR_COUNT); /* the handler returned: so does the code */
    CHECK(calls == 1 && last_comm == comm && class_of(last_code) == MPI_ERR_COUNT, "%d calls, class %d", calls,
          class_of(last_code));
    MPI_Comm_dup(comm, &copy);
    CHECK_CLASS(MPI_Send(&x, 1, MPI_INT, np, 0, copy), MPI_ERR_RANK);
    CHECK(calls == 2 && last_comm == copy && class_of(last_code) == MPI_ERR_RANK, "%d calls, class %d", calls,
          class_of(last_code));
    MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
    CHECK(calls == 3 && last_comm == comm && last_code == MPI_ERR_OTHER, "%d calls, code %d", calls, last_code);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_get_errhandler(comm, &got);
    CHECK(got == MPI_ERRORS_RETURN, "%d calls", calls);
    int code = MPI_Send(&x, -1, MPI_INT, 0, 0, comm);
    CHECK(calls == 3 && class_of(code) == MPI_ERR_COUNT, "%d calls, class %d", calls, class_of(code));
    MPI_Comm_free(&comm);
    MPI_Comm_free(&copy);
    return check_finish();
}
