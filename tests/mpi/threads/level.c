/* The level that was provided, and which thread is the main one. */
#include "threads.h"

static void *other(void *argument)
{
    int is_main = -1, level = -1;
    MPI_Is_thread_main(&is_main);
    MPI_Query_thread(&level);
    CHECK(is_main == (argument == (void *)0) && level == MPI_THREAD_MULTIPLE, "main %d, level %d", is_main, level);
    return NULL;
}

int main(int argc, char **argv)
{
    if (!threads_start(&argc, &argv))
        return check_skip();
    threads_run(other, 2);
    return check_finish();
}
