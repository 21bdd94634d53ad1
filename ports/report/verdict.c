/* verdict.c: see verdict.h. */
#include "verdict.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

struct verdict verdict_of(struct slot *slot, int wait_status, char *why, unsigned room)
{
    int attached = atomic_load(&slot->pid) != 0, finalized = atomic_load(&slot->finalized) != 0;
    struct verdict v = {.late = finalized};
    if (atomic_load(&slot->aborted)) {
        int code = atomic_load(&slot->exit_code);
        v = (struct verdict){.status = code & 0xff ? code & 0xff : 1};
        snprintf(why, room, "aborted the job: exit code %d", code);
    } else if (WIFSIGNALED(wait_status)) {
        v.status = 128 + WTERMSIG(wait_status);
        snprintf(why, room, "killed by signal %d (%s)%s", WTERMSIG(wait_status), strsignal(WTERMSIG(wait_status)),
                 finalized ? " after MPI_Finalize" : "");
    } else if (WEXITSTATUS(wait_status)) {
        v.status = WEXITSTATUS(wait_status);
        snprintf(why, room, "exited with code %d%s", v.status, attached && !finalized ? " before MPI_Finalize" : "");
    } else if (attached && !finalized) {
        v.status = 1;
        snprintf(why, room, "left without MPI_Finalize");
    }
    return v;
}
