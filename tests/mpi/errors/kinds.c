/* Error handlers of each kind of object belong to that kind; MPI_FILE_NULL has one for what belongs to no file. */
#include "check.h"

static int calls, last_code;
static MPI_File last_file;

static void of_comm(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    calls++;
}
static void of_file(MPI_File *file, int *code, ...)
{
    calls++;
    last_file = *file;
    last_code = *code;
}
static void of_win(MPI_Win *win, int *code, ...)
{
    (void)win, (void)code;
    calls++;
}
static void of_session(MPI_Session *session, int *code, ...)
{
    (void)session, (void)code;
    calls++;
}

int main(int argc, char **argv)
{
    MPI_Errhandler comm, file, win, session, early, got;
    MPI_Session_create_errhandler(of_session, &early);
    check_start(&argc, &argv);
    check_return_errors();
    CHECK_OK(MPI_Comm_create_errhandler(of_comm, &comm));
    CHECK_OK(MPI_File_create_errhandler(of_file, &file));
    CHECK_OK(MPI_Win_create_errhandler(of_win, &win));
    CHECK_OK(MPI_Session_create_errhandler(of_session, &session));
    CHECK_CLASS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, file), MPI_ERR_ERRHANDLER);
    CHECK_CLASS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, win), MPI_ERR_ERRHANDLER);
    CHECK_CLASS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRHANDLER_NULL), MPI_ERR_ERRHANDLER);
    CHECK_CLASS(MPI_File_set_errhandler(MPI_FILE_NULL, comm), MPI_ERR_ERRHANDLER);
    CHECK_CLASS(MPI_Win_set_errhandler(MPI_WIN_NULL, win), MPI_ERR_WIN);
    CHECK_CLASS(MPI_Win_call_errhandler(MPI_WIN_NULL, MPI_ERR_OTHER), MPI_ERR_WIN);
    CHECK_CLASS(MPI_Session_get_errhandler(MPI_SESSION_NULL, &got), MPI_ERR_SESSION);
    CHECK(calls == 0, "%d calls", calls);
    CHECK_OK(MPI_File_get_errhandler(MPI_FILE_NULL, &got));
    CHECK(got == MPI_ERRORS_RETURN, "np %d", np);
    CHECK_OK(MPI_File_set_errhandler(MPI_FILE_NULL, file));
    CHECK_OK(MPI_Errhandler_free(&file));
    CHECK_OK(MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_IO));
    CHECK(calls == 1 && last_file == MPI_FILE_NULL && last_code == MPI_ERR_IO, "%d calls, code %d", calls, last_code);
    CHECK_OK(MPI_File_get_errhandler(MPI_FILE_NULL, &got));
    CHECK_OK(MPI_Errhandler_free(&got));
    CHECK_OK(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));
    CHECK_OK(MPI_Errhandler_free(&comm));
    CHECK_OK(MPI_Errhandler_free(&win));
    CHECK_OK(MPI_Errhandler_free(&session));
    CHECK_OK(MPI_Errhandler_free(&early));
    CHECK(early == MPI_ERRHANDLER_NULL, "np %d", np);
    CHECK_CLASS(MPI_Errhandler_free(&early), MPI_ERR_ERRHANDLER);
    return check_finish();
}
