/* test_note.c: what a rank says that it waits for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/note.h"
#include "core/protocol.h"
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_receive_and_a_send_are_told_apart, setup),
        cmocka_unit_test_setup(a_probe_is_no_receive, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
