/* Threads that open sessions at the same time, the very first ones, each get the level that they have asked for. */
#include "threads.h"

static const char *const name[] = {"MPI_THREAD_MULTIPLE", "MPI_THREAD_SERIALIZED", "MPI_THREAD_FUNNELED",
                                   "MPI_THREAD_MULTIPLE"};
static pthread_barrier_t together;

static void *work(void *argument)
{
    const char *asked = name[(intptr_t)argument];
    char got[32] = "";
    int room = (int)sizeof got, flag = 0;
    MPI_Session session;
    MPI_Info info, used;
    pthread_barrier_wait(&together);
    CHECK_OK(MPI_Info_create(&info));
    CHECK_OK(MPI_Info_set(info, "thread_level", asked));
    CHECK_OK(MPI_Session_init(info, MPI_ERRORS_RETURN, &session));
    CHECK_OK(MPI_Info_free(&info));
    CHECK_OK(MPI_Session_get_info(session, &used));
    CHECK_OK(MPI_Info_get_string(used, "thread_level", &room, got, &flag));
    CHECK_OK(MPI_Info_free(&used));
    CHECK(flag && strcmp(got, asked) == 0, "asked for %s, got %s", asked, got);
    pthread_barrier_wait(&together);
    CHECK_OK(MPI_Session_finalize(&session));
    return NULL;
}

int main(void)
{
    pthread_barrier_init(&together, NULL, THREADS);
    for (int i = 0; i < 10; i++)
        threads_run(work, THREADS);
    pthread_barrier_destroy(&together);
    return 0;
}
