/* test_cost.c: what the library's primitive operations charge: each where its work is done, and no step reads data that a
 * channel beside the processor may still be copying.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "coll/coll.h"
#include "coll/op.h"
#include "core/progress.h"
#include "core/protocol.h"
#include "cost.h"
#include "fake_port.h"
#include "mpi.h"

enum { LEN = 48, NO_CHANNEL = -1 };
static size_t charged[COSTS];
static size_t channel_bytes; /* copied beside the processor */
static long channel_from;    /* copies from this length on go there; NO_CHANNEL: none */
static int under_way, settled, reduced_unsettled;

void mpico_cost(enum cost what, size_t n)
{
    charged[what] += n;
    if (what == COST_REDUCE && under_way)
        reduced_unsettled++;
}

int mpico_cost_dma_copy(size_t bytes)
{
    if (channel_from == NO_CHANNEL || bytes < (size_t)channel_from)
        return 0;
    under_way++;
    channel_bytes += bytes;
    return 1;
}

void mpico_cost_settle(void)
{
    settled += under_way > 0;
    under_way = 0;
}

static char out[FAKE_RANKS][LEN], in[FAKE_RANKS][LEN * FAKE_RANKS];

static void start(struct fake_wire shape, long from)
{
    fake_start(shape);
    memset(charged, 0, sizeof charged);
    channel_bytes = 0;
    channel_from = from;
    under_way = settled = reduced_unsettled = 0;
}

static void short_message(void **state)
{
    (void)state;
    struct request send, recv;
    for (int late = 0; late < 2; late++)
        for (size_t len = 8; len <= LEN; len += 40) {
            start((struct fake_wire){0}, NO_CHANNEL);
            if (!late)
                fake_recv(&recv, 0, 1, 3, in[0], len, &fake_bytes);
            fake_send(&send, 1, 0, 3, out[1], len, &fake_bytes, SEND_STANDARD);
            fake_run();
            if (late)
                fake_recv(&recv, 0, 1, 3, in[0], len, &fake_bytes);
            assert_true(fake_done(&recv));
            assert_int_equal(charged[COST_MATCH], 2);
            assert_int_equal(charged[COST_COPY], late ? 2 * len : len); /* kept, and taken from there */
            assert_int_equal(charged[COST_WAKE], 0);
        }
}

static void derived_types_are_packed(void **state)
{
    (void)state;
    struct request send, recv;
    start((struct fake_wire){0}, NO_CHANNEL);
    fake_recv(&recv, 0, 1, 3, in[0], LEN / 16, &fake_comb);
    fake_send(&send, 1, 0, 3, out[1], LEN / 16, &fake_comb, SEND_STANDARD);
    fake_run();
    assert_int_equal(charged[COST_COPY], 2 * (LEN / 2));
}

static void pieces_in_place_are_not_copied(void **state)
{
    (void)state;
    static char from[200], to[200];
    struct request send, recv;
    for (int places = 0; places < 2; places++) {
        start((struct fake_wire){.eager_bytes = 200, .places = places}, NO_CHANNEL);
        fake_recv(&recv, 0, 1, 3, to, 200, &fake_bytes);
        fake_send(&send, 1, 0, 3, from, 200, &fake_bytes, SEND_STANDARD);
        fake_run();
        assert_true(fake_done(&recv));
        assert_int_equal(charged[COST_COPY], places ? FAKE_MTU : 200);
        assert_int_equal(charged[COST_MATCH], 2);
    }
}

static void a_wait_that_waits_is_ended_once(void **state)
{
    (void)state;
    struct request send, recv;
    start((struct fake_wire){0}, 0);
    fake_recv(&recv, 0, 1, 3, in[0], LEN, &fake_bytes);
    fake_room(1, 0, 0);
    fake_send(&send, 1, 0, 3, out[1], LEN, &fake_bytes, SEND_STANDARD);
    for (int i = 0; i < 3; i++)
        mpico_wait_turn(fake_rank(0), &(uint32_t){0}, NULL, 0);
    fake_room(1, 0, 1);
    mpico_wait(fake_rank(0), &recv);
    assert_int_equal(charged[COST_WAKE], 1);
    assert_int_equal(under_way, 0); /* the program may read the buffer */
    assert_int_equal(channel_bytes, LEN);
    mpico_wait(fake_rank(0), &recv);
    assert_int_equal(charged[COST_WAKE], 1);
}

static void begin(struct request *q, const struct coll_call *x, int rank)
{
    memset(q, 0, sizeof *q);
    assert_int_equal(mpico_coll_start(fake_rank(rank), fake_rank(rank)->world, x, q), 0);
}

/* The copy of the own block goes on beside the whole of an allgather that does not read it. */
static void own_block_is_copied_aside(void **state)
{
    (void)state;
    for (int spread = 0; spread < 2; spread++) {
        struct request q[FAKE_RANKS];
        start((struct fake_wire){.broadcast = spread}, LEN);
        fake_rank(0)->settings.coll = fake_rank(1)->settings.coll = fake_rank(2)->settings.coll =
            spread ? NULL : "allgather=ring";
        for (int i = 0; i < FAKE_RANKS; i++) {
            struct coll_call x = {.what = COLL_ALLGATHER,
                                  .send = {.buf = out[i], .count = LEN, .type = &fake_bytes},
                                  .recv = {.buf = in[i], .count = LEN, .type = &fake_bytes}};
            begin(&q[i], &x, i);
            assert_int_equal(under_way, i + 1); /* started, and nobody has waited for it */
        }
        fake_run();
        for (int i = 0; i < FAKE_RANKS; i++)
            assert_true(fake_done(&q[i]));
        assert_int_equal(channel_bytes, LEN * FAKE_RANKS * FAKE_RANKS);
        assert_int_equal(settled > 0, !spread); /* only what is passed on must have come */
        assert_int_equal(charged[COST_STEP], FAKE_RANKS * (spread ? 4 : 5));
    }
}

static void nothing(void *a, void *b, int *len, uintptr_t *type)
{
    (void)a;
    (void)b;
    (void)len;
    (void)type;
}

static void reductions_wait_for_their_operands(void **state)
{
    (void)state;
    static struct op op = {.magic = OP_MAGIC, .commutative = 1, .refs = 9, .user = nothing};
    struct request q[FAKE_RANKS];
    start((struct fake_wire){0}, 0);
    for (int i = 0; i < FAKE_RANKS; i++) { /* one after the other, so that what is under way is of one rank */
        struct coll_call x = {.what = COLL_REDUCE,
                              .op = &op,
                              .send = {.buf = out[i], .count = LEN, .type = &fake_bytes},
                              .recv = {.buf = in[i], .count = LEN, .type = &fake_bytes}};
        begin(&q[i], &x, FAKE_RANKS - 1 - i);
    }
    fake_run();
    assert_int_equal(charged[COST_REDUCE], (FAKE_RANKS - 1) * LEN);
    assert_true(settled > 0);
    assert_int_equal(reduced_unsettled, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_message),
        cmocka_unit_test(derived_types_are_packed),
        cmocka_unit_test(pieces_in_place_are_not_copied),
        cmocka_unit_test(a_wait_that_waits_is_ended_once),
        cmocka_unit_test(own_block_is_copied_aside),
        cmocka_unit_test(reductions_wait_for_their_operands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
