/* Errors that belong to no communicator: the handler of MPI_COMM_WORLD hears of them until MPI_COMM_SELF's is set, to whatever. */
#include "check.h"

static int calls, last_class;
static MPI_Comm last_comm;

static void handler(MPI_Comm *comm, int *code, ...)
{
    calls++;
    last_comm = *comm;
    last_class = class_of(*code);
}

/* Errors of several kinds of objects, each told to whom `heard` says: MPI_COMM_NULL: to nobody. */
static void go_wrong(MPI_Comm heard)
{
    MPI_Datatype type = MPI_INT;
    MPI_Op op = MPI_SUM;
    MPI_Group group = MPI_GROUP_NULL;
    int flag, size;
    calls = 0;
    CHECK_CLASS(MPI_Type_free(&type), MPI_ERR_TYPE);
    CHECK(heard == MPI_COMM_NULL || last_class == MPI_ERR_TYPE, "class %d", last_class);
    CHECK_CLASS(MPI_Op_free(&op), MPI_ERR_OP);
    CHECK(heard == MPI_COMM_NULL || last_class == MPI_ERR_OP, "class %d", last_class);
    CHECK_CLASS(MPI_Group_size(group, &size), MPI_ERR_GROUP);
    CHECK_CLASS(MPI_Comm_size(MPI_COMM_NULL, &size), MPI_ERR_COMM);
    CHECK_CLASS(MPI_Test(NULL, &flag, MPI_STATUS_IGNORE), MPI_ERR_ARG);
    CHECK(calls == (heard == MPI_COMM_NULL ? 0 : 5), "%d calls", calls);
    CHECK(heard == MPI_COMM_NULL || last_comm == heard, "told of another communicator");
}

/* The request of an operation without communicator: its error is heard by the same one. */
static int say_error(void *state, MPI_Status *status)
{
    (void)state, (void)status;
    return MPI_ERR_INTERN;
}
static int nothing(void *state) { return (void)state, MPI_SUCCESS; }
static int nothing_to_cancel(void *state, int complete) { return (void)state, (void)complete, MPI_SUCCESS; }

static void request_goes_wrong(MPI_Comm heard)
{
    MPI_Request q;
    calls = 0;
    CHECK_OK(MPI_Grequest_start(say_error, nothing, nothing_to_cancel, NULL, &q));
    CHECK_OK(MPI_Grequest_complete(q));
    CHECK_CLASS(MPI_Wait(&q, MPI_STATUS_IGNORE), MPI_ERR_INTERN);
    CHECK(calls == 1 && last_comm == heard, "%d calls", calls);
}

int main(int argc, char **argv)
{
    MPI_Errhandler h, got;
    check_start(&argc, &argv);
    CHECK_OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    go_wrong(MPI_COMM_NULL);
    CHECK_OK(MPI_Comm_get_errhandler(MPI_COMM_SELF, &got));
    CHECK(got == MPI_ERRORS_ARE_FATAL, "MPI_COMM_SELF's handler has changed with the world's");
    CHECK_OK(MPI_Comm_create_errhandler(handler, &h));
    CHECK_OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, h));
    go_wrong(MPI_COMM_WORLD);
    request_goes_wrong(MPI_COMM_WORLD);
    CHECK_OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    go_wrong(MPI_COMM_NULL);
    CHECK_OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, h));
    CHECK_OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    go_wrong(MPI_COMM_SELF);
    request_goes_wrong(MPI_COMM_SELF);
    CHECK_OK(MPI_Errhandler_free(&h));
    return check_finish();
}
