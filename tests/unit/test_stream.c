/* test_stream.c: messages longer than a packet that nobody has asked for: kept and matched at any moment of their
 * arrival, put in place by the wire, refused when they make no sense; and what else a link may offer: memory it borrows, a
 * packet to all, requests to send.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "coll/coll.h"
#include "core/progress.h"
#include "core/protocol.h"
#include "fake_port.h"
#include "mpi.h"

enum { LEN = 200, FIRST = 56, PIECE = 48 /* 56 + 3 * 48 == 200 */, NAME = 77, TAG = 5, BLANK = 0xee };
static unsigned char out[LEN * 8], in[LEN * 8];

static void fill(void)
{
    for (size_t i = 0; i < sizeof out; i++)
        out[i] = (unsigned char)(i * 7 + i / 256 + 1);
    memset(in, BLANK, sizeof in);
}

static int first(int origin, uint64_t name, unsigned flags)
{
    struct packet p = packet_make(PACKET_EAGER, PACKET_STREAM | flags, 0, origin, TAG, LEN, name);
    return mpico_arrive(fake_rank(0), origin, &p, out, FIRST);
}

static int piece_at(int origin, uint64_t name, size_t offset, size_t len)
{
    struct packet p = packet_make(PACKET_DATA, PACKET_STREAM, 0, origin, TAG, offset, name);
    return mpico_arrive(fake_rank(0), origin, &p, out + (offset < LEN ? offset : 0), len);
}

static int piece(int origin, uint64_t name, int i) { return piece_at(origin, name, FIRST + (size_t)i * PIECE, PIECE); }

static void check_arrived(const struct request *q, size_t capacity)
{
    size_t fits = capacity < LEN ? capacity : LEN;
    assert_true(fake_done(q));
    assert_int_equal(q->received, fits);
    assert_int_equal(q->sent_bytes, LEN);
    assert_int_equal(q->error, fits < LEN ? MPI_ERR_TRUNCATE : 0);
    assert_memory_equal(in, out, fits);
    assert_int_equal(in[fits], BLANK);
}

/* The receive comes before the first packet (when == 0), after it (1), after the first piece (2), ... the last (4). */
static void matched_at_any_moment(void **state)
{
    (void)state;
    static const size_t capacities[] = {LEN, LEN + 50, LEN - 1, FIRST + 8, FIRST, 8, 0};
    for (size_t c = 0; c < sizeof capacities / sizeof capacities[0]; c++)
        for (int when = 0; when <= 4; when++) {
            struct request q;
            fake_start((struct fake_wire){.eager_bytes = LEN});
            fill();
            for (int i = 0; i <= 4; i++) {
                if (when == i)
                    fake_recv(&q, 0, 1, TAG, in, capacities[c], &fake_bytes);
                assert_int_equal(fake_done(&q) && i >= when, i == 4);
                if (i < 4)
                    assert_int_equal(i ? piece(1, NAME, i - 1) : first(1, NAME, 0), 0);
            }
            check_arrived(&q, capacities[c]);
            assert_true(list_empty(&fake_rank(0)->streams) && list_empty(&fake_rank(0)->streams_kept));
            assert_int_equal(fake_rank(0)->match.unexpected_count, 0);
        }
}

static void probed_and_taken_out_half_way(void **state)
{
    (void)state;
    for (int pieces = 0; pieces <= 3; pieces++) {
        struct request q = {0};
        fake_start((struct fake_wire){.eager_bytes = LEN});
        fill();
        struct rank *r = fake_rank(0);
        first(1, NAME, 0);
        struct message *m = mpico_match_find(&r->match, 0, MPI_ANY_SOURCE, MPI_ANY_TAG);
        assert_non_null(m);
        assert_int_equal(m->packet.length, LEN);
        mpico_match_take(&r->match, m);
        for (int i = 0; i < pieces; i++)
            assert_int_equal(piece(1, NAME, i), 0);
        mpico_recv_init(&q, in, sizeof in, &fake_bytes, 1, TAG, r->world, 0);
        mpico_recv_message(r, &q, m);
        assert_int_equal(fake_done(&q), pieces == 3);
        assert_int_equal(mpico_recv_cancel(r, &q), 0);
        for (int i = pieces; i < 3; i++)
            assert_int_equal(piece(1, NAME, i), 0);
        check_arrived(&q, sizeof in);
    }
}

/* The same name from two ranks is two streams. */
static void streams_are_told_apart(void **state)
{
    (void)state;
    struct request a, b;
    static unsigned char other[LEN];
    fake_start((struct fake_wire){.eager_bytes = LEN});
    fill();
    fake_recv(&a, 0, 1, TAG, in, LEN, &fake_bytes);
    assert_int_equal(first(1, NAME, 0), 0);
    assert_int_equal(first(2, NAME, 0), 0); /* kept */
    assert_int_equal(first(2, NAME + 1, 0), 0);
    fake_recv(&b, 0, 2, TAG, other, LEN, &fake_bytes);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(piece(2, NAME, i), 0);
        assert_false(fake_done(&a));
        assert_int_equal(fake_done(&b), i == 2);
    }
    assert_int_equal(piece(1, NAME, 0) | piece(1, NAME, 1) | piece(1, NAME, 2), 0);
    check_arrived(&a, LEN);
    assert_memory_equal(other, out, LEN);
    assert_int_equal(fake_rank(0)->match.unexpected_count, 1);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    struct request q;
    for (int kept = 0; kept < 2; kept++) {
        fake_start((struct fake_wire){.eager_bytes = LEN});
        fill();
        if (!kept)
            fake_recv(&q, 0, 1, TAG, in, LEN, &fake_bytes);
        assert_true(piece(1, NAME, 0) < 0);
        assert_int_equal(first(1, NAME, 0), 0);
        assert_true(first(1, NAME, 0) < 0);               /* the name is taken */
        assert_true(piece(1, NAME + 1, 0) < 0);           /* another name, */
        assert_true(piece(2, NAME, 0) < 0);               /* another rank, */
        assert_true(piece(1, NAME, 1) < 0);               /* not the next one, */
        assert_true(piece_at(1, NAME, FIRST - 1, 8) < 0); /* one again, */
        assert_true(piece_at(1, NAME, SIZE_MAX - 3, 8) < 0);
        assert_true(piece_at(1, NAME, FIRST, 0) < 0);
        assert_int_equal(piece(1, NAME, 0) | piece(1, NAME, 1), 0);
        assert_true(piece_at(1, NAME, FIRST + 2 * PIECE, PIECE + 1) < 0); /* beyond the end */
        assert_int_equal(piece(1, NAME, 2), 0);
        assert_true(piece_at(1, NAME, LEN, 1) < 0); /* it is over */
        if (kept)
            fake_recv(&q, 0, 1, TAG, in, LEN, &fake_bytes);
        check_arrived(&q, LEN);
    }
    struct packet p = packet_make(PACKET_EAGER, PACKET_STREAM, 0, 1, TAG, FIRST, NAME);
    assert_true(mpico_arrive(fake_rank(0), 1, &p, out, FIRST) < 0); /* complete: no stream */
    p = packet_make(PACKET_EAGER, PACKET_STREAM, 0, 1, TAG, UINT64_MAX, NAME);
    assert_true(mpico_arrive(fake_rank(0), 1, &p, out, FIRST) < 0);
    p = packet_make(PACKET_RTS, PACKET_STREAM, 0, 1, TAG, LEN, NAME);
    assert_true(mpico_arrive(fake_rank(0), 1, &p, out, FIRST) < 0);
}

static void no_memory_is_back_pressure(void **state)
{
    (void)state;
    struct request q;
    fake_start((struct fake_wire){.eager_bytes = LEN, .arena_bytes = 32 * 1024});
    fill();
    struct rank *r = fake_rank(0);
    struct packet p = packet_make(PACKET_EAGER, PACKET_STREAM, 0, 1, TAG, 1 << 20, NAME);
    assert_int_equal(mpico_arrive(r, 1, &p, out, FIRST), MPICO_AGAIN);
    assert_true(list_empty(&r->streams_kept));
    assert_int_equal(r->match.unexpected_count, 0);
    fake_recv(&q, 0, 1, TAG, in, LEN, &fake_bytes); /* a receive needs no memory for it */
    assert_int_equal(mpico_arrive(r, 1, &p, out, FIRST), 0);
    assert_int_equal(piece(1, NAME, 0), 0);
}

static void synchronous_ends_with_the_stream(void **state)
{
    (void)state;
    struct request send, recv;
    fake_start((struct fake_wire){.eager_bytes = LEN, .first_bytes = 8});
    fill();
    fake_send(&send, 1, 0, TAG, out, LEN, &fake_bytes, SEND_SYNC);
    fake_run();
    assert_false(fake_done(&send));
    fake_recv(&recv, 0, 1, TAG, in, LEN, &fake_bytes);
    fake_run();
    assert_true(fake_done(&send));
    check_arrived(&recv, LEN);
    assert_int_equal(send.ticket, 0);
}

/* ---- A wire that writes to the final place ---- */

static void pieces_are_put_in_place(void **state)
{
    (void)state;
    struct request send, recv;
    fake_start((struct fake_wire){.eager_bytes = LEN, .places = 1, .first_bytes = 8});
    fill();
    fake_recv(&recv, 0, 1, TAG, in, LEN - 5, &fake_bytes);
    fake_send(&send, 1, 0, TAG, out, LEN, &fake_bytes, SEND_STANDARD);
    fake_run();
    check_arrived(&recv, LEN - 5);
    assert_int_equal(fake_counts.placed, 2);              /* of three the last does not fit the buffer */
    fake_recv(&recv, 0, 1, TAG, in, LEN / 8, &fake_comb); /* not one block: nothing to write to */
    fake_counts.placed = 0;
    fake_send(&send, 1, 0, TAG, out, LEN, &fake_bytes, SEND_STANDARD);
    fake_run();
    assert_true(fake_done(&recv));
    assert_int_equal(fake_counts.placed, 0);
}

/* ---- A wire that borrows ---- */

static void sender_waits_for_what_it_lent(void **state)
{
    (void)state;
    struct request send, recv;
    for (int sync = 0; sync < 2; sync++)
        for (size_t len = 8; len <= LEN; len += LEN - 8) {
            fake_start((struct fake_wire){.eager_bytes = LEN, .borrows = 1});
            fill();
            assert_int_equal(mpico_send_short(fake_rank(1), out, 8, 0, TAG, fake_rank(1)->world, 0), MPICO_AGAIN);
            fake_send(&send, 1, 0, TAG, out, len, &fake_bytes, sync ? SEND_SYNC : SEND_STANDARD);
            mpico_progress(fake_rank(1));
            assert_false(fake_done(&send));
            out[0] ^= 0xff; /* still the program's word */
            fake_recv(&recv, 0, 1, TAG, in, sizeof in, &fake_bytes);
            mpico_progress(fake_rank(0));
            assert_true(fake_done(&recv));
            assert_memory_equal(in, out, len);
            assert_false(fake_done(&send));
            mpico_progress(fake_rank(1));
            assert_true(fake_done(&send));
        }
}

/* ---- A packet to all ---- */

static void broadcast_is_one_send(void **state)
{
    (void)state;
    static unsigned char got[FAKE_RANKS][LEN];
    static const size_t lengths[] = {8, FAKE_MTU, LEN};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        struct request q[FAKE_RANKS];
        fake_start((struct fake_wire){.eager_bytes = 100, .broadcast = 1});
        fill();
        memset(q, 0, sizeof q);
        for (int k = 0; k < FAKE_RANKS; k++) {
            struct coll_call x = {.what = COLL_BCAST,
                                  .root = 1,
                                  .recv = {.buf = k == 1 ? out : got[k], .count = lengths[i], .type = &fake_bytes}};
            assert_int_equal(mpico_coll_start(fake_rank(k), fake_rank(k)->world, &x, &q[k]), 0);
        }
        fake_run();
        for (int k = 0; k < FAKE_RANKS; k++)
            assert_true(fake_done(&q[k]) && (k == 1 || memcmp(got[k], out, lengths[i]) == 0));
        assert_int_equal(fake_counts.sent, fake_counts.spread * (FAKE_RANKS - 1));
        assert_int_equal(fake_counts.spread, lengths[i] == LEN ? 4 : 1); /* two of 100, each a packet and a piece */
    }
}

static void allgather_is_one_send_a_rank(void **state)
{
    (void)state;
    static unsigned char got[FAKE_RANKS][FAKE_RANKS * (LEN + 1)];
    static const size_t lengths[] = {8, LEN, LEN + 1};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        struct request q[FAKE_RANKS];
        size_t n = lengths[i];
        fake_start((struct fake_wire){.eager_bytes = LEN, .broadcast = 1});
        fill();
        memset(q, 0, sizeof q);
        for (int k = 0; k < FAKE_RANKS; k++) {
            struct coll_call x = {.what = COLL_ALLGATHER,
                                  .send = {.buf = out + k, .count = n, .type = &fake_bytes},
                                  .recv = {.buf = got[k], .count = n, .type = &fake_bytes}};
            assert_int_equal(mpico_coll_start(fake_rank(k), fake_rank(k)->world, &x, &q[k]), 0);
        }
        fake_run();
        for (int k = 0; k < FAKE_RANKS * FAKE_RANKS; k++)
            assert_memory_equal(got[k / FAKE_RANKS] + (size_t)(k % FAKE_RANKS) * n, out + k % FAKE_RANKS, n);
        assert_int_equal(fake_counts.spread > 0, n <= LEN); /* longer than a message to all may be: the ring */
    }
}

/* ---- A wire whose receivers ask ---- */

static int wanted[FAKE_RANKS + 1]; /* of rank 0, the last one: from anyone */
static int want_calls;

static void want(struct link *link, int source, int change)
{
    if (link->rank->world_rank == 0)
        wanted[source < 0 ? FAKE_RANKS : source] += change;
    want_calls++;
}

static void add_want(struct link_ops *ops, struct link *link)
{
    (void)link;
    ops->want = want;
}

static void check_wanted(int one, int any)
{
    assert_int_equal(wanted[1], one);
    assert_int_equal(wanted[FAKE_RANKS], any);
}

static void receives_are_wanted_while_they_wait(void **state)
{
    (void)state;
    struct request send, recv[3];
    memset(wanted, 0, sizeof wanted);
    fake_start((struct fake_wire){.change = add_want});
    fill();
    fake_recv(&recv[0], 0, 1, TAG, in, 8, &fake_bytes);
    fake_recv(&recv[1], 0, MPI_ANY_SOURCE, TAG, in, 8, &fake_bytes);
    fake_recv(&recv[2], 0, 1, TAG, in, 8, &fake_bytes);
    check_wanted(2, 1);
    mpico_recv_cancel(fake_rank(0), &recv[2]);
    check_wanted(1, 1);
    for (int i = 0; i < 2; i++) {
        fake_send(&send, 1, 0, TAG, out, 8, &fake_bytes, SEND_STANDARD);
        fake_run();
        check_wanted(0, 1 - i);
    }
    want_calls = 0;
    fake_send(&send, 1, 0, TAG, out, 8, &fake_bytes, SEND_STANDARD);
    fake_run();
    fake_recv(&recv[0], 0, 1, TAG, in, 8, &fake_bytes); /* it is here already: nothing to ask for */
    assert_true(fake_done(&recv[0]));
    assert_int_equal(want_calls, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matched_at_any_moment),
        cmocka_unit_test(probed_and_taken_out_half_way),
        cmocka_unit_test(streams_are_told_apart),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(no_memory_is_back_pressure),
        cmocka_unit_test(synchronous_ends_with_the_stream),
        cmocka_unit_test(pieces_are_put_in_place),
        cmocka_unit_test(sender_waits_for_what_it_lent),
        cmocka_unit_test(broadcast_is_one_send),
        cmocka_unit_test(allgather_is_one_send_a_rank),
        cmocka_unit_test(receives_are_wanted_while_they_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
