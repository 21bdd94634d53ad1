/* test_direct.c: collectives that a network does by itself: asked only where all ranks agree to ask, with the data as one
 * block; and steps instead when the network declines.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "coll/coll.h"
#include "core/progress.h"
#include "core/protocol.h"
#include "fake_port.h"
#include "mpi.h"

enum { TURNS = 3, BLOCK = 16, NOT_ASKED = -99 };

static struct {
    int what, root, quiet;
    size_t bytes;
    unsigned char before[FAKE_RANKS * BLOCK]; /* the buffer as the network saw it */
    int turns, result;
} asked;

static int direct(struct link *link, enum direct what, void *buf, size_t bytes, int root, int quiet)
{
    assert_int_equal(link->rank->world_rank, 1);
    asked.what = (int)what;
    asked.bytes = bytes;
    asked.root = root;
    asked.quiet = quiet;
    asked.turns = TURNS;
    size_t all = what == DIRECT_ALLGATHER ? FAKE_RANKS * bytes : bytes;
    if (all)
        memcpy(asked.before, buf, all);
    if (what == DIRECT_BCAST && root != 1 && asked.result == 0)
        memset(buf, 0x42, bytes);
    for (int i = 0; what == DIRECT_ALLGATHER && i < FAKE_RANKS && asked.result == 0; i++)
        if (i != 1)
            memset((char *)buf + (size_t)i * bytes, 0x60 + i, bytes);
    return 0;
}

static int direct_state(struct link *link)
{
    (void)link;
    return asked.turns-- > 0 ? MPICO_AGAIN : asked.result;
}

static void change(struct link_ops *ops, struct link *link)
{
    (void)link;
    ops->direct = direct;
    ops->direct_state = direct_state;
}

static struct rank *start(int result)
{
    fake_start((struct fake_wire){.change = change});
    memset(&asked, 0, sizeof asked);
    asked.what = NOT_ASKED;
    asked.result = result;
    return fake_rank(1);
}

static int run(struct rank *r, struct coll_call x)
{
    struct request q;
    int e = mpico_coll_run(r, r->world, &x, &q);
    assert_true(q.flags & REQUEST_DONE);
    return e;
}

static void network_does_it(void **state)
{
    (void)state;
    struct rank *r = start(0);
    unsigned char buf[FAKE_RANKS * BLOCK], own[BLOCK];
    size_t used = r->heap.used;
    assert_int_equal(run(r, (struct coll_call){.what = COLL_BARRIER}), 0);
    assert_int_equal(asked.what, DIRECT_BARRIER);
    assert_int_equal(asked.quiet, 1);
    assert_int_equal(asked.turns, -1); /* it was waited for */
    memset(buf, 1, sizeof buf);
    struct side side = {.buf = buf, .count = BLOCK, .type = &fake_bytes};
    assert_int_equal(run(r, (struct coll_call){.what = COLL_BCAST, .root = 2, .recv = side}), 0);
    assert_int_equal(asked.what, DIRECT_BCAST);
    assert_int_equal(asked.root, 2);
    assert_int_equal(asked.bytes, BLOCK);
    assert_int_equal(buf[BLOCK - 1], 0x42);
    assert_int_equal(buf[BLOCK], 1);
    memset(own, 0x77, sizeof own);
    struct side mine = {.buf = own, .count = BLOCK, .type = &fake_bytes};
    assert_int_equal(run(r, (struct coll_call){.what = COLL_ALLGATHER, .send = mine, .recv = side}), 0);
    assert_int_equal(asked.bytes, BLOCK);
    assert_memory_equal(asked.before + BLOCK, own, BLOCK); /* the own block was in its place */
    assert_int_equal(buf[0], 0x60);
    assert_memory_equal(buf + BLOCK, own, BLOCK);
    assert_int_equal(buf[2 * BLOCK], 0x62);
    assert_int_equal(fake_counts.sent, 0);
    assert_true(r->heap.used - used <= 512); /* what collectives keep in a rank */
}

/* Data with gaps goes as one block, and the gaps stay. */
static void data_in_pieces(void **state)
{
    (void)state;
    struct rank *r = start(0);
    uint32_t buf[FAKE_RANKS * 2 * 4], own[4] = {10, 11, 12, 13};
    struct side side = {.buf = buf, .count = 2, .type = &fake_comb};
    for (int root = 1; root < 3; root++) {
        for (uint32_t i = 0; i < 8; i++)
            buf[i] = i;
        assert_int_equal(run(r, (struct coll_call){.what = COLL_BCAST, .root = root, .recv = side}), 0);
        assert_int_equal(asked.bytes, 16);
        if (root == 1)
            assert_memory_equal(asked.before, ((const uint32_t[4]){0, 2, 4, 6}), 16);
        for (uint32_t i = 0; i < 8; i++)
            assert_int_equal(buf[i], i % 2 || root == 1 ? i : 0x42424242);
    }
    memset(buf, 0, sizeof buf);
    struct side mine = {.buf = own, .count = 1, .type = &fake_comb};
    side.count = 1;
    assert_int_equal(run(r, (struct coll_call){.what = COLL_ALLGATHER, .send = mine, .recv = side}), 0);
    const uint32_t want[12] = {0x60606060, 0, 0x60606060, 0, 10, 0, 12, 0, 0x62626262, 0, 0x62626262, 0};
    assert_memory_equal(buf, want, sizeof want);
    memcpy(buf + 4, own, sizeof own);
    assert_int_equal(run(r, (struct coll_call){.what = COLL_ALLGATHER, .in_place = 1, .recv = side}), 0);
    assert_memory_equal(asked.before + 8, ((const uint32_t[2]){10, 12}), 8);
    assert_int_equal(buf[5], 11);
}

static void requests_under_way_are_told(void **state)
{
    (void)state;
    struct request recv, send;
    struct rank *r = start(0);
    fake_recv(&recv, 1, 0, 5, &(char){0}, 1, &fake_bytes);
    run(r, (struct coll_call){.what = COLL_BARRIER});
    assert_int_equal(asked.quiet, 0);
    mpico_recv_cancel(r, &recv);
    fake_room(1, 0, 0);
    fake_send(&send, 1, 0, 5, "", 1, &fake_bytes, SEND_STANDARD);
    run(r, (struct coll_call){.what = COLL_BARRIER});
    assert_int_equal(asked.quiet, 0);
    fake_room(1, 0, 4);
    mpico_progress(r);
    struct request *kept = mpico_request_alloc(r);
    mpico_recv_init(kept, NULL, 0, &fake_bytes, 0, 6, r->world, 0);
    run(r, (struct coll_call){.what = COLL_BARRIER});
    assert_int_equal(asked.quiet, 1); /* not started */
}

/* Where the ranks could not all come to the network, none is sent there. */
static void not_asked(void **state)
{
    (void)state;
    struct request q[FAKE_RANKS];
    for (int why = 0; why < 3; why++) {
        struct rank *r = start(0);
        memset(q, 0, sizeof q);
        for (int i = 0; i < FAKE_RANKS; i++) {
            fake_rank(i)->settings.checking = why == 0;
            fake_rank(i)->settings.coll = why == 1 ? "barrier=tree" : NULL;
            fake_rank(i)->world->in_order = why != 2;
            if (i != 1)
                mpico_coll_start(fake_rank(i), fake_rank(i)->world, &(struct coll_call){.what = COLL_BARRIER}, &q[i]);
        }
        assert_int_equal(run(r, (struct coll_call){.what = COLL_BARRIER}), 0);
        assert_int_equal(asked.what, NOT_ASKED);
    }
    struct rank *r = start(0);
    assert_int_equal(mpico_coll_run(r, r->self, &(struct coll_call){.what = COLL_BARRIER}, &q[0]), 0);
    struct side none = {.type = &fake_bytes};
    assert_int_equal(run(r, (struct coll_call){.what = COLL_BCAST, .recv = none}), 0);
    assert_int_equal(asked.what, NOT_ASKED);
}

static void steps_when_it_declines(void **state)
{
    (void)state;
    struct request q[FAKE_RANKS] = {0};
    struct rank *r = start(-1);
    unsigned char buf[FAKE_RANKS][FAKE_RANKS], own[FAKE_RANKS] = {1, 2, 3};
    struct coll_call x[FAKE_RANKS];
    for (int i = 0; i < FAKE_RANKS; i++) {
        x[i] = (struct coll_call){.what = COLL_ALLGATHER,
                                  .send = {.buf = &own[i], .count = 1, .type = &fake_bytes},
                                  .recv = {.buf = buf[i], .count = 1, .type = &fake_bytes}};
        if (i != 1)
            assert_int_equal(mpico_coll_start(fake_rank(i), fake_rank(i)->world, &x[i], &q[i]), 0);
    }
    assert_int_equal(run(r, x[1]), 0);
    assert_int_equal(asked.what, DIRECT_ALLGATHER);
    assert_memory_equal(buf[1], own, sizeof own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(network_does_it),
        cmocka_unit_test(data_in_pieces),
        cmocka_unit_test(requests_under_way_are_told),
        cmocka_unit_test(not_asked),
        cmocka_unit_test(steps_when_it_declines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
