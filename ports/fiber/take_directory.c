/* take_directory.c: a rank's own working directory. The system has one a thread, if the thread asks for that; when a rank
 * runs that wants another than the one before it, the thread goes there.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "own.h"

static char *_Atomic of_job; /* where the job began; NULL: no rank has left it */

/* Before a rank's first step out. 0, or negative with errno. */
static int remember_job(void)
{
    char *nobody = NULL, *here = atomic_load(&of_job) ? NULL : getcwd(NULL, 0);
    if (here && !atomic_compare_exchange_strong(&of_job, &nobody, here))
        free(here);
    if (!atomic_load(&of_job))
        return -1;
    return fiber_job->options.threads > 1 ? unshare(CLONE_FS) : 0;
}

/* The rank is in another directory now: keep its name. */
static int arrived(struct fiber *f)
{
    char *here = getcwd(NULL, 0);
    if (!here)
        return -1;
    free(f->own->directory);
    mpico_fiber_thread->directory = f->own->directory = here;
    return 0;
}

void directory_enter(const struct fiber *f)
{
    const char *there = f->own->directory ? f->own->directory : atomic_load(&of_job);
    int (*real)(const char *) = fiber_real("chdir");
    if (real(there))
        fiber_end_job(NULL, 1, "a rank's working directory is gone");
    mpico_fiber_thread->directory = f->own->directory;
}

int chdir(const char *path)
{
    int (*real)(const char *) = fiber_real("chdir");
    struct fiber *f = fiber_self();
    if (f && remember_job())
        return -1;
    return real(path) || (f && arrived(f)) ? -1 : 0;
}

int fchdir(int fd)
{
    int (*real)(int) = fiber_real("fchdir");
    struct fiber *f = fiber_self();
    if (f && remember_job())
        return -1;
    return real(fd) || (f && arrived(f)) ? -1 : 0;
}
