/* Threads that open sessions at the same time, each with a communicator of its own. */
#include "threads.h"

static void *work(void *argument)
{
    int thread = (int)(intptr_t)argument, one = 1, sum = -1, size = -1;
    char tag[16];
    MPI_Info info;
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    snprintf(tag, sizeof tag, "thread %d", thread);
    CHECK_OK(MPI_Info_create(&info));
    CHECK_OK(MPI_Info_set(info, "thread_level", "MPI_THREAD_MULTIPLE"));
    CHECK_OK(MPI_Session_init(info, MPI_ERRORS_RETURN, &session));
    CHECK_OK(MPI_Info_free(&info));
    CHECK_OK(MPI_Group_from_session_pset(session, "mpi://WORLD", &group));
    CHECK_OK(MPI_Group_size(group, &size));
    CHECK_OK(MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    for (int i = 0; i < 20; i++) {
        CHECK_OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm));
        CHECK(sum == size, "thread %d: %d of %d", thread, sum, size);
    }
    CHECK_OK(MPI_Comm_free(&comm));
    CHECK_OK(MPI_Group_free(&group));
    CHECK_OK(MPI_Session_finalize(&session));
    return NULL;
}

/* Does the place have threads? A session that lives meanwhile tells, and keeps the library up. */
static int can(MPI_Session *session)
{
    MPI_Info info, used;
    char level[32] = "";
    int room = (int)sizeof level, flag = 0;
    MPI_Info_create(&info);
    MPI_Info_set(info, "thread_level", "MPI_THREAD_MULTIPLE");
    CHECK_OK(MPI_Session_init(info, MPI_ERRORS_RETURN, session));
    MPI_Info_free(&info);
    CHECK_OK(MPI_Session_get_info(*session, &used));
    CHECK_OK(MPI_Info_get_string(used, "thread_level", &room, level, &flag));
    MPI_Info_free(&used);
    return strcmp(level, "MPI_THREAD_MULTIPLE") == 0;
}

int main(void)
{
    MPI_Session session;
    int has = can(&session);
    if (has)
        threads_run(work, THREADS);
    CHECK_OK(MPI_Session_finalize(&session));
    return has ? 0 : 77;
}
