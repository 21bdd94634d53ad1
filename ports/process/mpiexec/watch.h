/* watch.h: notices that a job hangs, from what the ranks have noted in shared memory. */
#ifndef MPIEXEC_WATCH_H
#define MPIEXEC_WATCH_H

#include <stdint.h>

#include "../job.h"
#include "../../report/report.h"

struct watch {
    struct view *view; /* one a rank */
    int ranks;
    int all_stuck;       /* at the last look every rank slept */
    uint64_t progress;   /* packets of all ranks at the last look */
    uint64_t changed_ns; /* when that number last changed, or nobody waited */
    uint64_t hang_ns;    /* 0: no limit */
};

enum watch_result { WATCH_FINE, WATCH_DEADLOCK, WATCH_HANG };

/* Copy the ranks' notes into w->view. `ended[i]` says that the process of rank i is gone. */
void watch_read(struct watch *, struct job *);
/* After watch_read(): is the job dead? A deadlock takes two looks without progress between them. */
enum watch_result watch_judge(struct watch *, uint64_t now_ns);

#endif
