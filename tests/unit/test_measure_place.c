/* test_measure_place.c: which difference of two clocks counts: one beyond half of the fastest round trip. Clock and wire are the test's. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <mpi.h>

static double now_s, difference_s, tick_s;

static double fake_time(void) { return now_s; }
static double fake_tick(void) { return tick_s; }
static int fake_send(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    (void)buf, (void)count, (void)type, (void)dest, (void)tag, (void)comm;
    return MPI_SUCCESS;
}

/* Half of a round trip of a second there, half of it back; the next one takes longer. */
static int fake_recv(void *theirs, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    static int turn;
    (void)count, (void)type, (void)source, (void)tag, (void)comm, (void)status;
    double trip_s = turn++ % 2 ? 5 : 1;
    *(double *)theirs = now_s + trip_s / 2 + difference_s;
    now_s += trip_s;
    return MPI_SUCCESS;
}

#define MPI_Wtime fake_time
#define MPI_Wtick fake_tick
#define MPI_Send fake_send
#define MPI_Recv fake_recv
#include "../../bench/measure/place.c"

void place_pin(const struct place *p) { (void)p; }

static double seen(double difference)
{
    difference_s = difference;
    return ahead(1);
}

static void what_the_fastest_round_trip_can_hide_is_none(void **state)
{
    (void)state;
    tick_s = 0.01;
    assert_true(seen(0) == 0 && seen(0.4) == 0 && seen(-0.4) == 0 && seen(0.505) == 0);
}

static void what_it_cannot_hide_counts(void **state)
{
    (void)state;
    tick_s = 0.01;
    for (int sign = -1; sign <= 1; sign += 2) {
        assert_true(fabs(seen(sign * 0.6) - sign * 0.6) < 1e-9);
        assert_true(fabs(seen(sign * 100.0) - sign * 100.0) < 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_fastest_round_trip_can_hide_is_none),
        cmocka_unit_test(what_it_cannot_hide_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
