/* The clock runs in seconds, never backwards, and its tick is positive and small. */
#include "check.h"
#include <time.h>

#ifdef __NEWLIB__ /* declares it for a few systems only */
int nanosleep(const struct timespec *, struct timespec *);
#endif

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    double tick = MPI_Wtick();
    CHECK(tick > 0 && tick < 0.1, "tick %g", tick);
    double before = MPI_Wtime();
    for (int i = 0; i < 1000; i++) {
        double now = MPI_Wtime();
        CHECK(now >= before, "%.9f after %.9f", now, before);
        before = now;
    }
    double start = MPI_Wtime();
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    double slept = MPI_Wtime() - start;
    CHECK(slept > 0.015 && slept < 20, "slept %g s instead of 0.02", slept);
    return check_finish();
}
