/* test_lost.c: what ends when a rank has died, and what does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/lost.h"
#include "core/match.h"
#include "core/progress.h"
#include "core/protocol.h"
#include "fake_port.h"
#include "mpi.h"

enum { LONG = 4000 };
static unsigned char out[LONG], in[LONG];
static const char why[] = "rank 2 has died";

static int setup(void **state)
{
    (void)state;
    fake_start((struct fake_wire){.eager_bytes = 64});
    return 0;
}

/* As the wait of a blocking call. */
static void turn(int rank, struct request *q)
{
    struct request *const list[1] = {q};
    mpico_progress(fake_rank(rank));
    mpico_lost_end(fake_rank(rank), list, 1);
}

static void assert_aborted(const struct request *q)
{
    assert_true(fake_done(q));
    assert_int_equal(q->error, MPI_ERR_PROC_ABORTED);
}

static void receives_from_the_dead_end(void **state)
{
    (void)state;
    struct request dead, any, live;
    fake_recv(&dead, 0, 2, 1, in, 8, &fake_bytes);
    fake_recv(&any, 0, MPI_ANY_SOURCE, 2, in, 8, &fake_bytes);
    fake_recv(&live, 0, 1, 3, in, 8, &fake_bytes);
    mpico_lost(fake_rank(0), 2, why);
    turn(0, &dead);
    turn(0, &any);
    turn(0, &live);
    assert_aborted(&dead);
    assert_aborted(&any);
    assert_false(fake_done(&live));
    assert_int_equal(fake_rank(0)->match.posted_count, 1);
    struct request send;
    fake_send(&send, 1, 0, 3, out, 8, &fake_bytes, SEND_STANDARD);
    fake_run();
    assert_true(fake_done(&live));
    assert_int_equal(live.error, 0);
}

static void what_came_before_is_received(void **state)
{
    (void)state;
    struct request send, recv;
    fake_send(&send, 2, 0, 1, out, 8, &fake_bytes, SEND_STANDARD);
    fake_run();
    mpico_lost(fake_rank(0), 2, why);
    fake_recv(&recv, 0, 2, 1, in, 8, &fake_bytes);
    assert_true(fake_done(&recv));
    assert_int_equal(recv.error, 0);
    fake_recv(&recv, 0, 2, 1, in, 8, &fake_bytes);
    assert_aborted(&recv);
}

static void sends_that_were_not_answered_end(void **state)
{
    (void)state;
    struct request rendezvous, synchronous, later;
    fake_send(&rendezvous, 0, 2, 1, out, LONG, &fake_bytes, SEND_STANDARD);
    fake_send(&synchronous, 0, 2, 1, out, 8, &fake_bytes, SEND_SYNC);
    fake_run();
    assert_false(fake_done(&rendezvous));
    mpico_lost(fake_rank(0), 2, why);
    turn(0, &rendezvous);
    turn(0, &synchronous);
    assert_aborted(&rendezvous);
    assert_aborted(&synchronous);
    assert_int_equal(rendezvous.ticket, 0);
    fake_send(&later, 0, 2, 1, out, 8, &fake_bytes, SEND_STANDARD);
    assert_aborted(&later);
}

/* The data of a long message that had begun to come. */
static void half_received_messages_end(void **state)
{
    (void)state;
    struct request send, recv;
    fake_recv(&recv, 0, 2, 1, in, LONG, &fake_bytes);
    fake_send(&send, 2, 0, 1, out, LONG, &fake_bytes, SEND_STANDARD);
    mpico_progress(fake_rank(0)); /* asks for it */
    assert_false(fake_done(&recv));
    mpico_lost(fake_rank(0), 2, why);
    turn(0, &recv);
    assert_aborted(&recv);
}

static void collectives_with_the_dead_end_among_the_living(void **state)
{
    (void)state;
    struct rank *r = fake_rank(0);
    struct request recv;
    recv.flags = 0;
    mpico_recv_init(&recv, in, 8, &fake_bytes, 1, 7, r->world, comm_coll_context(r->world));
    mpico_recv_start(r, &recv);
    mpico_lost(r, 2, why);
    turn(0, &recv);
    assert_aborted(&recv);
    assert_string_equal(r->lost_why, why);
}

/* Two ranks that have lost messages between them take their collectives with them, a third one does not wait for ever. */
static void collectives_of_torn_ranks_end(void **state)
{
    (void)state;
    struct rank *r = fake_rank(0);
    struct comm pair = *r->world;
    struct request recv;
    pair.size = 2; /* without rank 2 */
    recv.flags = 0;
    mpico_lost(r, 2, why);
    mpico_recv_init(&recv, in, 8, &fake_bytes, 1, 7, &pair, comm_coll_context(&pair));
    mpico_recv_start(r, &recv);
    turn(0, &recv);
    assert_false(fake_done(&recv));
    mpico_torn(r, 1, (const uint8_t[]){1 << 2});
    turn(0, &recv);
    assert_false(fake_done(&recv));
    mpico_torn(r, 1, (const uint8_t[]){1 << 0});
    turn(0, &recv);
    assert_aborted(&recv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(receives_from_the_dead_end, setup),
        cmocka_unit_test_setup(what_came_before_is_received, setup),
        cmocka_unit_test_setup(sends_that_were_not_answered_end, setup),
        cmocka_unit_test_setup(half_received_messages_end, setup),
        cmocka_unit_test_setup(collectives_with_the_dead_end_among_the_living, setup),
        cmocka_unit_test_setup(collectives_of_torn_ranks_end, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
