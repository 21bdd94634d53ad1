/* What a session is asked for and told: hints, error handlers, buffers; and what is no session. */
#include "check.h"

static int handled;

static void handler(MPI_Session *session, int *code, ...)
{
    (void)session;
    handled = class_of(*code);
}

static void hints(void)
{
    MPI_Info info, used;
    MPI_Session session;
    char level[32] = "";
    int room = (int)sizeof level, flag = 0;
    MPI_Info_create(&info);
    MPI_Info_set(info, "thread_level", "MPI_THREAD_SERIALIZED");
    CHECK_OK(MPI_Session_init(info, MPI_ERRORS_RETURN, &session));
    MPI_Info_free(&info);
    CHECK_OK(MPI_Session_get_info(session, &used));
    CHECK_OK(MPI_Info_get_string(used, "thread_level", &room, level, &flag));
    CHECK(flag && strcmp(level, "MPI_THREAD_SERIALIZED") == 0, "level %s", level);
    MPI_Info_free(&used);
    CHECK_OK(MPI_Session_finalize(&session));
}

static void errhandlers(void)
{
    MPI_Session session;
    MPI_Errhandler errhandler, got;
    MPI_Group group;
    CHECK_OK(MPI_Session_create_errhandler(handler, &errhandler));
    CHECK_OK(MPI_Session_init(MPI_INFO_NULL, errhandler, &session));
    CHECK_CLASS(MPI_Group_from_session_pset(session, "nothing", &group), MPI_ERR_ARG);
    CHECK(handled == MPI_ERR_ARG, "class %d", handled);
    CHECK_OK(MPI_Session_call_errhandler(session, MPI_ERR_TAG));
    CHECK(handled == MPI_ERR_TAG, "class %d", handled);
    CHECK_OK(MPI_Session_get_errhandler(session, &got));
    CHECK(got == errhandler, "%p", (void *)got);
    MPI_Errhandler_free(&got);
    CHECK_OK(MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN));
    handled = 0;
    CHECK_CLASS(MPI_Group_from_session_pset(session, "nothing", &group), MPI_ERR_ARG);
    CHECK(handled == 0, "class %d", handled);
    MPI_Errhandler_free(&errhandler);
    CHECK_OK(MPI_Session_finalize(&session));
    CHECK_CLASS(MPI_Session_finalize(&session), MPI_ERR_SESSION);
}

static void buffers(void)
{
    enum { N = 100, ROOM = 4 * (N + MPI_BSEND_OVERHEAD) };
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    MPI_Request request;
    char *memory = check_alloc(ROOM), data[N];
    void *address = NULL;
    int size = -1;
    memset(data, me, N);
    CHECK_OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    CHECK_OK(MPI_Group_from_session_pset(session, "mpi://WORLD", &group));
    CHECK_OK(MPI_Comm_create_from_group(group, "buffers", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    CHECK_CLASS(MPI_Bsend(data, N, MPI_BYTE, right_of(me), 0, comm), MPI_ERR_BUFFER);
    CHECK_OK(MPI_Session_attach_buffer(session, memory, ROOM));
    CHECK_OK(MPI_Bsend(data, N, MPI_BYTE, right_of(me), 0, comm));
    CHECK_OK(MPI_Recv(data, N, MPI_BYTE, left_of(me), 0, comm, MPI_STATUS_IGNORE));
    CHECK(data[N - 1] == left_of(me), "byte %d", data[N - 1]);
    CHECK_OK(MPI_Session_iflush_buffer(session, &request));
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Session_flush_buffer(session));
    CHECK_OK(MPI_Session_detach_buffer(session, &address, &size));
    CHECK(address == memory && size == ROOM, "%p of %d bytes", address, size);
    MPI_Count wide = -1;
    CHECK_OK(MPI_Session_attach_buffer_c(session, memory, ROOM));
    CHECK_OK(MPI_Session_detach_buffer_c(session, &address, &wide));
    CHECK(address == memory && wide == ROOM, "%p of %lld bytes", address, (long long)wide);
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
    CHECK_OK(MPI_Session_finalize(&session));
    free(memory);
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    check_return_errors();
    hints();
    errhandlers();
    buffers();
    return check_finish();
}
