/* What the hang report says, from notes as ranks would have left them. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "../../ports/report/report.h"
#include "../../ports/process/mpiexec/watch.h"

enum { TEXT = 8192 };
static char text[TEXT];

static const char *report(const struct view *v, int ranks)
{
    memset(text, 0, sizeof text);
    FILE *f = fmemopen(text, sizeof text, "w");
    assert_non_null(f);
    report_write(f, v, ranks);
    fclose(f);
    return text;
}

static struct view receiving(int32_t peer, int32_t tag)
{
    struct view v = {.attached = 1, .sleeping = 1};
    v.note.state = NOTE_WAITING;
    v.note.calls = 1;
    strcpy(v.note.call[0], "MPI_Recv");
    v.note.waits = v.note.waits_all = 1;
    v.note.wait[0] = (struct note_wait){.what = NOTE_FOR_RECV, .peer = peer, .tag = tag, .bytes = 1024};
    return v;
}

static void cycle_of_two(void **unused)
{
    (void)unused;
    struct view v[] = {receiving(1, 7), receiving(0, 8)};
    assert_string_equal(report(v, 2), "rank 0: MPI_Recv from rank 1, tag 7 (communicator context 0), 1024 bytes\n"
                                      "rank 1: MPI_Recv from rank 0, tag 8 (communicator context 0), 1024 bytes\n"
                                      "cycle: 0 -> 1 -> 0\n");
}

static void cycle_beside_a_tail_is_told_once(void **unused)
{
    (void)unused;
    struct view v[] = {receiving(2, 1), receiving(3, 1), receiving(1, 1), receiving(2, 1)};
    report(v, 4);
    const char *cycle = strstr(text, "cycle:");
    assert_non_null(cycle);
    assert_string_equal(cycle, "cycle: 1 -> 3 -> 2 -> 1\n");
}

static void near_miss_of_tag_and_context(void **unused)
{
    (void)unused;
    struct view v[] = {receiving(-1, -2), receiving(2, 0), receiving(0, 8)};
    v[2].note.held = v[2].note.held_all = 2;
    v[2].note.kept[0] = (struct note_wait){.what = NOTE_FOR_RECV, .peer = 0, .tag = 7};
    v[2].note.kept[1] = (struct note_wait){.what = NOTE_FOR_RECV, .peer = 0, .tag = 8, .context = 4};
    report(v, 3);
    assert_non_null(strstr(text, "rank 0: MPI_Recv from any rank, any tag (communicator context 0), 1024 bytes\n"));
    assert_non_null(strstr(text, "near miss: rank 2 holds tag 7 from rank 0, it asks for tag 8\n"));
    assert_non_null(strstr(text, "near miss: rank 2 holds tag 8 from rank 0 in communicator context 4, "
                                 "it asks in context 0\n"));
}

static void messages_of_collectives_are_no_near_misses(void **unused)
{
    (void)unused;
    struct view v[] = {receiving(-1, -2), receiving(2, 0), receiving(0, 8)};
    v[2].note.held = v[2].note.held_all = 1;
    v[2].note.kept[0] = (struct note_wait){.what = NOTE_FOR_RECV, .peer = 0, .tag = 7, .context = 1};
    report(v, 3);
    assert_null(strstr(text, "near miss"));
}

static void other_states(void **unused)
{
    (void)unused;
    struct view v[] = {receiving(2, 1),
                       {.attached = 1},
                       {.attached = 1, .finalized = 1},
                       {.attached = 0},
                       {.attached = 1, .finalized = 1, .ended = 1},
                       {.ended = 1}};
    v[0].note.waits_all = 9;
    assert_string_equal(report(v, 6),
                        "rank 0: MPI_Recv from rank 2, tag 1 (communicator context 0), 1024 bytes; and 8 more\n"
                        "rank 1: running (not in an MPI call)\n"
                        "rank 2: has called MPI_Finalize\n"
                        "rank 3: running (has not called MPI_Init)\n"
                        "rank 4: finished\n"
                        "rank 5: has ended\n"
                        "rank 0 waits for rank 2, which has left MPI\n");
}

static void collective_hides_its_tag(void **unused)
{
    (void)unused;
    struct view v[] = {receiving(1, 12345), {.attached = 1}};
    v[0].note.wait[0].what = NOTE_FOR_COLL;
    strcpy(v[0].note.call[0], "MPI_Bcast");
    report(v, 2);
    assert_non_null(strstr(text, "rank 0: MPI_Bcast waits for rank 1\n"));
}

static void many_ranks_are_grouped(void **unused)
{
    (void)unused;
    struct view v[20];
    for (int i = 0; i < 20; i++)
        v[i] = receiving(0, 3);
    v[0] = v[7] = (struct view){.attached = 1};
    assert_string_equal(report(v, 20),
                        "rank 0,7: running (not in an MPI call)\n"
                        "rank 1-6,8-19: MPI_Recv from rank 0, tag 3 (communicator context 0), 1024 bytes\n");
}

/* A rank that crashed may have left anything. */
static void garbage_is_survived(void **unused)
{
    (void)unused;
    struct view v[3];
    memset(v, 0xff, sizeof v);
    for (int i = 0; i < 3; i++) {
        v[i].ended = v[i].finalized = 0;
        v[i].note.state = NOTE_WAITING;
    }
    report(v, 3);
    assert_true(strlen(text) > 0);
}

static void deadlock_takes_two_looks(void **unused)
{
    (void)unused;
    struct view v[] = {receiving(1, 7), receiving(0, 8), {.attached = 1, .finalized = 1}};
    struct watch w = {.view = v, .ranks = 3};
    assert_int_equal(watch_judge(&w, 100), WATCH_FINE);
    v[1].note.progress++;
    assert_int_equal(watch_judge(&w, 200), WATCH_FINE);
    v[0].sleeping = 0;
    assert_int_equal(watch_judge(&w, 300), WATCH_FINE);
    v[0].sleeping = 1;
    assert_int_equal(watch_judge(&w, 400), WATCH_FINE);
    assert_int_equal(watch_judge(&w, 500), WATCH_DEADLOCK);
}

static void running_rank_is_no_deadlock_but_may_be_a_hang(void **unused)
{
    (void)unused;
    struct view v[] = {receiving(1, 7), {.attached = 1}};
    struct watch w = {.view = v, .ranks = 2, .hang_ns = 1000};
    for (uint64_t t = 100; t < 1100; t += 100)
        assert_int_equal(watch_judge(&w, t), WATCH_FINE);
    assert_int_equal(watch_judge(&w, 1100), WATCH_HANG);
    v[1].note.progress++;
    assert_int_equal(watch_judge(&w, 1200), WATCH_FINE);
}

/* Several may call MPI: so many of the process's wait in it. */
static struct view several(struct view v, int waiting, int threads)
{
    v.note.threads = (uint32_t)waiting;
    v.threads = threads;
    return v;
}

static void thread_elsewhere_is_no_deadlock(void **unused)
{
    (void)unused;
    struct view v[] = {several(receiving(1, 7), 1, 1), several(receiving(0, 8), 1, 2)};
    struct watch w = {.view = v, .ranks = 2};
    for (uint64_t t = 100; t < 1000; t += 100)
        assert_int_equal(watch_judge(&w, t), WATCH_FINE);
    v[1].threads = 0; /* cannot be counted */
    for (uint64_t t = 1000; t < 2000; t += 100)
        assert_int_equal(watch_judge(&w, t), WATCH_FINE);
    v[1].threads = 1; /* it has ended */
    assert_int_equal(watch_judge(&w, 2000), WATCH_FINE);
    assert_int_equal(watch_judge(&w, 2100), WATCH_DEADLOCK);
}

static void all_threads_of_a_rank_are_shown(void **unused)
{
    (void)unused;
    struct view v = several(receiving(1, 7), 3, 4);
    v.note.calls = 2;
    strcpy(v.note.call[1], "MPI_Wait");
    v.note.waits = 2;
    v.note.waits_all = 3;
    v.note.wait[1] = (struct note_wait){.what = NOTE_FOR_PROGRAM, .call = 1, .peer = -1};
    assert_string_equal(report(&v, 1), "rank 0: MPI_Recv from rank 1, tag 7 (communicator context 0), 1024 bytes; "
                                       "another thread: MPI_Wait for MPI_Grequest_complete; and 1 more; "
                                       "1 more thread waits; 1 of 4 threads does not wait in MPI\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycle_of_two),
        cmocka_unit_test(cycle_beside_a_tail_is_told_once),
        cmocka_unit_test(near_miss_of_tag_and_context),
        cmocka_unit_test(messages_of_collectives_are_no_near_misses),
        cmocka_unit_test(other_states),
        cmocka_unit_test(collective_hides_its_tag),
        cmocka_unit_test(many_ranks_are_grouped),
        cmocka_unit_test(garbage_is_survived),
        cmocka_unit_test(deadlock_takes_two_looks),
        cmocka_unit_test(running_rank_is_no_deadlock_but_may_be_a_hang),
        cmocka_unit_test(thread_elsewhere_is_no_deadlock),
        cmocka_unit_test(all_threads_of_a_rank_are_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
