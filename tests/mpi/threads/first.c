/* Several threads at once open the first session that is open: each has a library. */
#include "threads.h"

static pthread_barrier_t together;

static void *work(void *argument)
{
    MPI_Session session;
    MPI_Info info;
    int count = -1;
    (void)argument;
    pthread_barrier_wait(&together);
    CHECK_OK(MPI_Info_create(&info));
    CHECK_OK(MPI_Info_set(info, "thread_level", "MPI_THREAD_MULTIPLE"));
    CHECK_OK(MPI_Session_init(info, MPI_ERRORS_RETURN, &session));
    CHECK_OK(MPI_Info_free(&info));
    CHECK_OK(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &count));
    CHECK(count >= 2, "%d sets", count);
    pthread_barrier_wait(&together); /* nobody is the last while another one opens */
    CHECK_OK(MPI_Session_finalize(&session));
    return NULL;
}

/* Does the place have threads? */
static int can(void)
{
    MPI_Session session;
    MPI_Info info, used;
    char level[32] = "";
    int room = (int)sizeof level, flag = 0;
    MPI_Info_create(&info);
    MPI_Info_set(info, "thread_level", "MPI_THREAD_MULTIPLE");
    CHECK_OK(MPI_Session_init(info, MPI_ERRORS_RETURN, &session));
    MPI_Info_free(&info);
    CHECK_OK(MPI_Session_get_info(session, &used));
    CHECK_OK(MPI_Info_get_string(used, "thread_level", &room, level, &flag));
    MPI_Info_free(&used);
    CHECK_OK(MPI_Session_finalize(&session));
    return strcmp(level, "MPI_THREAD_MULTIPLE") == 0;
}

int main(void)
{
    if (!can())
        return 77;
    pthread_barrier_init(&together, NULL, 2);
    for (int i = 0; i < 10; i++)
        threads_run(work, 2);
    pthread_barrier_destroy(&together);
    return 0;
}
