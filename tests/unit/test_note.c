/* test_note.c: what a rank says that it waits for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/note.h"
#include "core/protocol.h"
#include "core/threads.h"
#include "fake_port.h"
#include "mpi.h"

static char buf[8];

static int setup(void **state)
{
    (void)state;
    fake_start((struct fake_wire){0});
    return 0;
}

static struct note_wait waits_for(struct request *q)
{
    struct request *const list[1] = {q};
    fake_rank(0)->noted = 0; /* as between two waits */
    fake_rank(0)->wait = (struct wait){.list = list, .requests = 1};
    mpico_note_fill(fake_rank(0));
    const struct note *n = fake_rank(0)->note;
    assert_int_equal(n->state, NOTE_WAITING);
    assert_int_equal(n->waits, 1);
    return n->wait[0];
}

static void a_receive_and_a_send_are_told_apart(void **state)
{
    (void)state;
    struct request recv, send;
    fake_recv(&recv, 0, 2, 5, buf, 8, &fake_bytes);
    fake_send(&send, 0, 1, 6, buf, 8, &fake_bytes, SEND_SYNC);
    struct note_wait w = waits_for(&recv);
    assert_true(w.what == NOTE_FOR_RECV && w.peer == 2 && w.tag == 5);
    w = waits_for(&send);
    assert_true(w.what == NOTE_FOR_SEND && w.peer == 1 && w.tag == 6);
}

/* It waits as a receive that is not started. */
static void a_probe_is_no_receive(void **state)
{
    (void)state;
    struct rank *r = fake_rank(0);
    struct request probe;
    probe.flags = 0;
    mpico_recv_init(&probe, NULL, 0, &fake_bytes, 1, 7, r->world, comm_context(r->world));
    struct note_wait w = waits_for(&probe);
    assert_true(w.what == NOTE_FOR_PROBE && w.peer == 1 && w.tag == 7);
}

/* What it listed may be memory that was given back, or is somebody else's by now. */
static void a_thread_that_is_to_be_woken_is_not_shown(void **state)
{
    (void)state;
    struct rank *r = fake_rank(0);
    struct request recv, gone = {.kind = REQUEST_COLL};
    struct request *const here[1] = {&recv}, *const there[1] = {&gone};
    fake_recv(&recv, 0, 2, 5, buf, 8, &fake_bytes);
    r->threads.on = 1;
    r->threads.turns = 7;
    list_init(&r->threads.waiters);
    struct waiter over = {.turns = 6, .wait = {"MPI_Win_flush", there, 1}};
    struct waiter waits = {.turns = 7, .wait = {"MPI_Waitany", here, 1}};
    list_append(&r->threads.waiters, &over.node);
    list_append(&r->threads.waiters, &waits.node);
    mpico_note_fill(r);
    assert_int_equal(r->note->threads, 1);
    assert_int_equal(r->note->waits_all, 1);
    assert_string_equal(r->note->call[0], "MPI_Waitany");
    list_remove(&waits.node);
    r->threads.at_bell = &over;
    mpico_note_fill(r);
    assert_int_equal(r->note->state, NOTE_RUNNING);
    r->threads = (struct threads){0};
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_receive_and_a_send_are_told_apart, setup),
        cmocka_unit_test_setup(a_probe_is_no_receive, setup),
        cmocka_unit_test_setup(a_thread_that_is_to_be_woken_is_not_shown, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
