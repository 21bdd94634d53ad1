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

/* Also of a stream, whose receive is in a list of its own then. */
static void half_received_streams_end(void **state)
{
    (void)state;
    if (SMALL)
        skip(); /* has none */
    fake_start((struct fake_wire){.eager_bytes = LONG});
    struct request send, recv;
    fake_recv(&recv, 0, 2, 1, in, LONG, &fake_bytes);
    fake_room(2, 0, 1);
    fake_send(&send, 2, 0, 1, out, LONG, &fake_bytes, SEND_STANDARD);
    mpico_progress(fake_rank(0));
    assert_false(list_empty(&fake_rank(0)->streams));
    mpico_lost(fake_rank(0), 2, why);
    turn(0, &recv);
    assert_aborted(&recv);
    assert_true(list_empty(&fake_rank(0)->streams));
}

/* A request of the program's that others stand for, as MPI_Isendrecv's: freed by the program, or not. */
static struct request *shell_of(struct rank *r, unsigned flags)
{
    struct request *shell = mpico_request_alloc(r);
    mpico_recv_init(shell, in, 8, &fake_bytes, 2, 1, r->world, comm_context(r->world));
    shell->flags |= (uint16_t)(REQUEST_ACTIVE | REQUEST_MATCHED | REQUEST_SHELL | flags);
    mpico_comm_keep(r->world);
    return shell;
}

static void inner_done(struct request *q)
{
    struct request *shell = q->owner;
    list_remove(&q->all);
    shell->error = q->error;
    mpico_request_done(fake_rank(0), shell);
}

static void inner_recv(struct rank *r, struct request *q, struct request *shell)
{
    fake_recv(q, 0, 2, 1, in, 8, &fake_bytes);
    q->owner = shell;
    q->on_done = inner_done;
    list_append(&r->requests, &q->all);
}

/* Not by itself, while they are posted. Nobody needs to wait for it: a program may test. */
static void what_stands_for_others_ends_with_them(void **state)
{
    (void)state;
    struct rank *r = fake_rank(0);
    struct request inner, *shell = shell_of(r, 0);
    shell->peer_world = 2;
    mpico_lost(r, 2, why);
    mpico_progress(r);
    assert_false(fake_done(shell));
    r->lost[2] = 0;
    inner_recv(r, &inner, shell);
    r->lost[2] = LOST;
    mpico_progress(r);
    assert_aborted(&inner);
    assert_aborted(shell);
    assert_int_equal(r->match.posted_count, 0);
}

/* The end of one request frees the next in the list of all; those behind it end as well. */
static void an_end_may_free_others(void **state)
{
    (void)state;
    struct rank *r = fake_rank(0);
    struct request first, last;
    inner_recv(r, &first, NULL);
    first.owner = shell_of(r, REQUEST_DETACHED);
    inner_recv(r, &last, shell_of(r, 0));
    struct request *shell = last.owner;
    mpico_lost(r, 2, why);
    mpico_progress(r);
    assert_aborted(&first);
    assert_aborted(&last);
    assert_aborted(shell);
    mpico_request_free(r, shell);
    assert_true(list_empty(&r->requests));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(receives_from_the_dead_end, setup),
        cmocka_unit_test_setup(what_came_before_is_received, setup),
        cmocka_unit_test_setup(sends_that_were_not_answered_end, setup),
        cmocka_unit_test_setup(half_received_messages_end, setup),
        cmocka_unit_test_setup(half_received_streams_end, setup),
        cmocka_unit_test_setup(what_stands_for_others_ends_with_them, setup),
        cmocka_unit_test_setup(an_end_may_free_others, setup),
        cmocka_unit_test_setup(collectives_with_the_dead_end_among_the_living, setup),
        cmocka_unit_test_setup(collectives_of_torn_ranks_end, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
