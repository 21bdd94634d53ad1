/* Threads start and end the tool interface at the same time, before and after MPI_Init: each has sessions of its own, and reads and writes
 * variables.
 */
#include "threads.h"

enum { ROUNDS = 200 };

static pthread_barrier_t together;
static int owner[64]; /* of sessions, by their handle */

static int index_of(const char *name)
{
    int index = -1;
    CHECK(MPI_T_cvar_get_index(name, &index) == MPI_SUCCESS, "%s", name);
    return index;
}

/* The text is always one that somebody has written, whole. */
static void write_and_read(int thread)
{
    static const char *const texts[] = {"bcast=binomial", "bcast=chain,reduce=linear", "", "barrier=tree"};
    MPI_T_cvar_handle handle;
    char text[4096] = "";
    int count = 0, known = 0;
    CHECK(MPI_T_cvar_handle_alloc(index_of("mpico_coll"), NULL, &handle, &count) == MPI_SUCCESS, "%d", count);
    strcpy(text, texts[thread]);
    CHECK(MPI_T_cvar_write(handle, text) == MPI_SUCCESS, "%s", text);
    CHECK(MPI_T_cvar_read(handle, text) == MPI_SUCCESS, "%d", count);
    for (int i = 0; i < THREADS; i++)
        known += strcmp(text, texts[i]) == 0;
    CHECK(known == 1, "read \"%s\"", text);
    MPI_T_cvar_handle_free(&handle);
}

static void *work(void *argument)
{
    int thread = (int)(intptr_t)argument, provided = -1, up = 0;
    MPI_Initialized(&up);
    for (int i = 0; i < ROUNDS; i++) {
        MPI_T_pvar_session session;
        CHECK(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided) == MPI_SUCCESS, "round %d", i);
        CHECK(provided == MPI_THREAD_MULTIPLE, "level %d", provided);
        CHECK(MPI_T_pvar_session_create(&session) == MPI_SUCCESS, "round %d", i);
        int *mine = &owner[(uintptr_t)session % 64], before = __atomic_exchange_n(mine, thread + 1, __ATOMIC_RELAXED);
        CHECK(before == 0, "threads %d and %d have one session", thread, before - 1);
        if (up && i % 20 == thread)
            write_and_read(thread);
        __atomic_store_n(mine, 0, __ATOMIC_RELAXED);
        CHECK(MPI_T_pvar_session_free(&session) == MPI_SUCCESS, "round %d", i);
        CHECK(MPI_T_finalize() == MPI_SUCCESS, "round %d", i);
    }
    pthread_barrier_wait(&together);
    int number = 0;
    CHECK(MPI_T_cvar_get_num(&number) == MPI_T_ERR_NOT_INITIALIZED, "as often ended as started: %d", number);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_barrier_init(&together, NULL, THREADS);
    threads_run(work, THREADS);
    if (!threads_start(&argc, &argv))
        return check_skip();
    threads_run(work, THREADS);
    int provided;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    write_and_read(2); /* all ranks are to choose the same */
    MPI_T_finalize();
    pthread_barrier_destroy(&together);
    return check_finish();
}
