/* Files, and processes that come later: the answer is MPI_ERR_UNSUPPORTED_OPERATION with a sentence, from the right error handler. */
#include "check.h"

static int called;

static void count_call(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    called += class_of(*code) == MPI_ERR_UNSUPPORTED_OPERATION;
}

/* Errors of files come back unless somebody wants otherwise, whatever the communicators' handlers are. */
static void files(void)
{
    MPI_File file = MPI_FILE_NULL;
    MPI_Offset offset = 0;
    char text[MPI_MAX_ERROR_STRING];
    int length = 0, data = 0;
    int e = MPI_File_open(MPI_COMM_WORLD, "nowhere", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    CHECK(class_of(e) == MPI_ERR_UNSUPPORTED_OPERATION && file == MPI_FILE_NULL, "%d", e);
    MPI_Error_string(e, text, &length);
    CHECK(strstr(text, "MPI_File_open") && strstr(text, "files"), "%s", text);
    CHECK_CLASS(MPI_File_delete("nowhere", MPI_INFO_NULL), MPI_ERR_UNSUPPORTED_OPERATION);
    CHECK_CLASS(MPI_File_get_size(MPI_FILE_NULL, &offset), MPI_ERR_UNSUPPORTED_OPERATION);
    CHECK_CLASS(MPI_File_write_at_all_c(MPI_FILE_NULL, 0, &data, 1, MPI_INT, MPI_STATUS_IGNORE),
                MPI_ERR_UNSUPPORTED_OPERATION);
    CHECK_CLASS(MPI_File_read_ordered_end(MPI_FILE_NULL, &data, MPI_STATUS_IGNORE), MPI_ERR_UNSUPPORTED_OPERATION);
}

static void count_file_call(MPI_File *file, int *code, ...)
{
    called += *file == MPI_FILE_NULL && class_of(*code) == MPI_ERR_UNSUPPORTED_OPERATION;
}

/* Unless somebody wants otherwise: MPI_FILE_NULL's handler is the one. */
static void handlers_of_files(void)
{
    MPI_File file = MPI_FILE_NULL;
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL, got = MPI_ERRHANDLER_NULL;
    CHECK_OK(MPI_File_get_errhandler(MPI_FILE_NULL, &got));
    CHECK(got == MPI_ERRORS_RETURN, "errors of files do not come back by themselves");
    CHECK_OK(MPI_File_create_errhandler(count_file_call, &handler));
    CHECK_OK(MPI_File_set_errhandler(MPI_FILE_NULL, handler));
    int e = MPI_File_open(MPI_COMM_WORLD, "nowhere", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    CHECK(called == 1 && class_of(e) == MPI_ERR_UNSUPPORTED_OPERATION, "%d calls, %d", called, e);
    CHECK_OK(MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_UNSUPPORTED_OPERATION));
    CHECK(called == 2, "%d calls", called);
    CHECK_OK(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));
    MPI_Errhandler_free(&handler);
    called = 0;
}

static void processes(void)
{
    char port[MPI_MAX_PORT_NAME];
    char *no_arguments[] = {NULL};
    MPI_Comm child = MPI_COMM_NULL, parent = MPI_COMM_WORLD, dup = MPI_COMM_NULL;
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    MPI_Comm_create_errhandler(count_call, &handler);
    MPI_Comm_set_errhandler(dup, handler);
    int e = MPI_Comm_spawn("nothing", no_arguments, 1, MPI_INFO_NULL, 0, dup, &child, MPI_ERRCODES_IGNORE);
    CHECK(called == 1 && class_of(e) == MPI_ERR_UNSUPPORTED_OPERATION, "%d calls, %d", called, e);
    e = MPI_Comm_connect("nobody", MPI_INFO_NULL, 0, dup, &child);
    CHECK(called == 2 && class_of(e) == MPI_ERR_UNSUPPORTED_OPERATION, "%d calls, %d", called, e);
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&dup);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CHECK_CLASS(MPI_Open_port(MPI_INFO_NULL, port), MPI_ERR_UNSUPPORTED_OPERATION);
    CHECK_CLASS(MPI_Lookup_name("nobody", MPI_INFO_NULL, port), MPI_ERR_UNSUPPORTED_OPERATION);
    CHECK_OK(MPI_Comm_get_parent(&parent));
    CHECK(parent == MPI_COMM_NULL, "a parent");
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    files();
    handlers_of_files();
    processes();
    return check_finish();
}
