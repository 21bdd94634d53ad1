/* test_protocol.c: messages between ranks over a wire that lends its memory or not, reads remotely, refuses
 * to, or cannot, and has as much room as the test says.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/progress.h"
#include "core/protocol.h"
#include "fake_port.h"
#include "mpi.h"

enum { BIG = 8192 };
static unsigned char out[BIG], in[BIG], expect[BIG];
static size_t unasked; /* longest message that travels without a request */

static void fill(void)
{
    for (int i = 0; i < BIG; i++)
        out[i] = (unsigned char)(i * 7 + i / 256 + 1);
    memset(in, 0xee, sizeof in);
    memset(expect, 0xee, sizeof expect);
}

/* What `bytes` packed bytes of `from` at out[] leave in an array of `to`. */
static void expected(const struct type *from, const struct type *to, size_t bytes)
{
    static unsigned char packed[BIG];
    mpico_type_pack(from, out, 0, packed, bytes);
    mpico_type_unpack(to, expect, 0, packed, bytes);
}

struct one {
    const struct type *from, *to;
    size_t bytes, capacity;
    int mode, late; /* late: the receive comes after the message */
};

static void check_one(const struct one *o)
{
    struct request send, recv;
    size_t fits = o->bytes < o->capacity ? o->bytes : o->capacity;
    fill();
    expected(o->from, o->to, fits);
    if (!o->late)
        fake_recv(&recv, 0, 1, 5, in, o->capacity / o->to->size, o->to);
    fake_send(&send, 1, 0, 5, out, o->bytes / o->from->size, o->from, o->mode);
    fake_run();
    if (o->late) {
        if (o->mode == SEND_SYNC || o->bytes > unasked)
            assert_false(fake_done(&send));
        fake_recv(&recv, 0, 1, 5, in, o->capacity / o->to->size, o->to);
        fake_run();
    }
    assert_true(fake_done(&send));
    assert_true(fake_done(&recv));
    assert_memory_equal(in, expect, sizeof in);
    assert_int_equal(recv.received, fits);
    assert_int_equal(recv.sent_bytes, o->bytes);
    assert_int_equal(recv.source, 1);
    assert_int_equal(recv.status_tag, 5);
    assert_int_equal(recv.error, fits < o->bytes ? MPI_ERR_TRUNCATE : 0);
    assert_int_equal(send.error, 0);
    assert_int_equal(send.ticket | recv.ticket, 0);
}

static void check_types(size_t bytes, size_t capacity)
{
    const struct type *const types[2] = {&fake_bytes, &fake_comb};
    for (int i = 0; i < 32; i++) {
        struct one o = {types[i & 1], types[i >> 1 & 1], bytes, capacity, i & 4 ? SEND_SYNC : SEND_STANDARD,
                        i >> 3 & 1};
        if (i >> 4)
            o.capacity = bytes + 64;
        check_one(&o);
    }
}

static void check_sizes(struct fake_wire shape)
{
    static const size_t sizes[] = {0, 8, 56, 64, 72, 128, 200, 1000, 4000};
    fake_start(shape);
    unasked = shape.eager_bytes ? shape.eager_bytes : FAKE_MTU;
    size_t used = fake_rank(0)->heap.used;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        check_types(sizes[i], sizes[i]);
        check_types(sizes[i], sizes[i] / 16 * 8);
        check_types(sizes[i], 0);
    }
    assert_int_equal(fake_rank(0)->match.unexpected_count, 0);
    assert_in_range(fake_rank(0)->heap.used, used, used + 2048); /* the table of tickets, once */
}

static void protocol_plain_wire(void **state)
{
    (void)state;
    check_sizes((struct fake_wire){0});
    assert_int_equal(fake_counts.lent + fake_counts.pulled, 0);
}

static void protocol_wire_that_lends(void **state)
{
    (void)state;
    check_sizes((struct fake_wire){.lends = 1});
    assert_true(fake_counts.lent > 0);
}

static void protocol_remote_read(void **state)
{
    (void)state;
    check_sizes((struct fake_wire){.lends = 1, .get = FAKE_GET_WORKS});
    assert_true(fake_counts.pulled > 0);
}

static void protocol_remote_read_refused(void **state)
{
    (void)state;
    check_sizes((struct fake_wire){.get = FAKE_GET_FAILS});
    assert_int_equal(fake_counts.pulled, 0);
}

static void protocol_small_eager_limit(void **state)
{
    (void)state;
    check_sizes((struct fake_wire){.eager_bytes = 8});
}

/* Longer than a packet and unasked: whatever the wire lends, borrows or puts in place itself. */
static void protocol_streams(void **state)
{
    (void)state;
    for (int i = 0; i < 16; i++) {
        struct fake_wire shape = {
            .lends = i & 1, .borrows = i >> 1 & 1, .places = i >> 2 & 1, .first_bytes = i & 8 ? 16 : 0};
        shape.eager_bytes = 3000; /* and above it rendezvous on the same wire */
        check_sizes(shape);
        assert_int_equal(fake_counts.borrowed > 0, shape.borrows);
        assert_int_equal(fake_counts.placed > 0, shape.places);
    }
}

static void protocol_wire_that_borrows(void **state)
{
    (void)state;
    check_sizes((struct fake_wire){.borrows = 1});
    assert_true(fake_counts.borrowed > 0);
}

/* Messages of every kind leave in the order of the calls, however little room there is. */
static void order_with_room(struct fake_wire shape, int room)
{
    enum { MESSAGES = 60 };
    static struct request send[MESSAGES], recv[MESSAGES];
    static unsigned char got[MESSAGES][256];
    fake_start(shape);
    fill();
    fake_room(1, 0, 0);
    fake_room(0, 1, room);
    for (int i = 0; i < MESSAGES; i++) {
        const struct type *t = i % 3 ? &fake_bytes : &fake_comb;
        size_t bytes = i % 5 == 0 ? 248 : (size_t)(i % 8) * 8;
        fake_send(&send[i], 1, 0, i, out + i, bytes / t->size, t, i % 7 ? SEND_STANDARD : SEND_SYNC);
        assert_false(fake_done(&send[i]));
    }
    assert_int_equal(fake_rank(1)->unsent_count, MESSAGES);
    assert_int_equal(mpico_send_short(fake_rank(1), out, 4, 0, 99, fake_rank(1)->world, 0), MPICO_AGAIN);
    fake_room(1, 0, room);
    fake_run();
    for (int i = 0; i < MESSAGES; i++) {
        fake_recv(&recv[i], 0, i & 1 ? 1 : MPI_ANY_SOURCE, MPI_ANY_TAG, got[i], 256, &fake_bytes);
        fake_run();
        assert_int_equal(recv[i].status_tag, i);
    }
    fake_run();
    for (int i = 0; i < MESSAGES; i++) {
        const struct type *t = i % 3 ? &fake_bytes : &fake_comb;
        mpico_type_pack(t, out + i, 0, expect, recv[i].sent_bytes);
        assert_true(fake_done(&send[i]) && fake_done(&recv[i]));
        assert_memory_equal(got[i], expect, recv[i].received);
    }
    assert_int_equal(fake_rank(0)->unsent_count + fake_rank(1)->unsent_count, 0);
}

/* How far a rank's heap rises while an eager message of a derived type goes from the sender's buffer to a posted one. */
static size_t staged(int at, int lends)
{
    struct request send, recv;
    fake_start((struct fake_wire){.lends = lends});
    fill();
    fake_recv(&recv, 0, 1, 5, in, 8, &fake_comb);
    struct heap *h = &fake_rank(at)->heap;
    h->high = h->used;
    fake_send(&send, 1, 0, 5, out, 8, &fake_comb, SEND_STANDARD);
    fake_run();
    assert_true(fake_done(&send) && fake_done(&recv));
    expected(&fake_comb, &fake_comb, 8 * fake_comb.size);
    assert_memory_equal(in, expect, sizeof in);
    return h->high - h->used;
}

static void protocol_derived_type_is_packed_into_the_packet(void **state)
{
    (void)state;
    assert_int_equal(staged(1, 1), 0);
    assert_int_equal(staged(0, 1), 0);
    assert_true(staged(1, 0) > 0); /* a wire without memory to lend needs a copy of it in one block */
    assert_int_equal(staged(0, 0), 0);
}

static void protocol_no_room_keeps_order(void **state)
{
    (void)state;
    for (int room = 1; room < 4; room++) {
        order_with_room((struct fake_wire){0}, room);
        order_with_room((struct fake_wire){.lends = 1}, room);
        order_with_room((struct fake_wire){.get = FAKE_GET_WORKS}, room);
        order_with_room((struct fake_wire){.get = FAKE_GET_FAILS, .eager_bytes = 16}, room);
        order_with_room((struct fake_wire){.eager_bytes = 300, .first_bytes = 8}, room);
        order_with_room((struct fake_wire){.eager_bytes = 300, .borrows = 1, .places = 1}, room);
    }
}

static void protocol_full_queue_to_one_does_not_hold_others(void **state)
{
    (void)state;
    struct request a, b, recv;
    fake_start((struct fake_wire){0});
    fill();
    fake_room(1, 0, 0);
    fake_send(&a, 1, 0, 1, out, 8, &fake_bytes, SEND_STANDARD);
    fake_send(&b, 1, 2, 1, out, 8, &fake_bytes, SEND_STANDARD);
    fake_recv(&recv, 2, 1, 1, in, 8, &fake_bytes);
    fake_run();
    assert_false(fake_done(&a));
    assert_true(fake_done(&b) && fake_done(&recv));
}

static void protocol_wait_runs_to_the_end(void **state)
{
    (void)state;
    struct request send, recv;
    fake_start((struct fake_wire){0});
    fill();
    fake_send(&send, 1, 0, 1, out, BIG, &fake_bytes, SEND_STANDARD);
    fake_recv(&recv, 0, MPI_ANY_SOURCE, 1, in, BIG, &fake_bytes);
    mpico_wait(fake_rank(0), &recv);
    mpico_wait(fake_rank(1), &send);
    assert_memory_equal(in, out, BIG);
}

static void protocol_message_to_self(void **state)
{
    (void)state;
    struct request send, recv;
    fake_start((struct fake_wire){.get = FAKE_GET_WORKS});
    for (size_t n = 8; n <= 1000; n *= 5) {
        fill();
        fake_send(&send, 2, 2, 1, out, n, &fake_bytes, SEND_SYNC);
        fake_recv(&recv, 2, 2, 1, in, n, &fake_bytes);
        fake_run();
        assert_true(fake_done(&send) && fake_done(&recv));
        assert_memory_equal(in, out, n);
    }
}

static void protocol_cancel(void **state)
{
    (void)state;
    struct request a, b, send;
    fake_start((struct fake_wire){0});
    fill();
    fake_recv(&a, 0, 1, 3, in, 64, &fake_bytes);
    fake_recv(&b, 0, 1, 3, in, 64, &fake_bytes);
    assert_int_equal(mpico_recv_cancel(fake_rank(0), &a), 1);
    assert_true(fake_done(&a) && a.flags & REQUEST_CANCELLED);
    assert_int_equal(mpico_recv_cancel(fake_rank(0), &a), 0);
    fake_send(&send, 1, 0, 3, out, 64, &fake_bytes, SEND_STANDARD);
    fake_run();
    assert_true(fake_done(&b)); /* the message went to the next receive */
    assert_int_equal(mpico_recv_cancel(fake_rank(0), &b), 0);
    fake_recv(&a, 0, 1, 4, in, 1000, &fake_bytes);
    fake_room(0, 1, 0);
    fake_send(&send, 1, 0, 4, out, 1000, &fake_bytes, SEND_STANDARD);
    fake_run();
    assert_int_equal(mpico_recv_cancel(fake_rank(0), &a), 0); /* matched, its answer waits for room */
    fake_room(0, 1, 4);
    fake_run();
    assert_true(fake_done(&a) && fake_done(&send));
}

static void protocol_probed_message(void **state)
{
    (void)state;
    struct request send, recv = {0};
    fake_start((struct fake_wire){0});
    struct rank *r = fake_rank(0);
    for (size_t bytes = 16; bytes < 300; bytes += 200) {
        fill();
        fake_send(&send, 1, 0, 3, out, bytes, &fake_bytes, SEND_STANDARD);
        fake_run();
        struct message *m = mpico_match_find(&r->match, comm_context(r->world), MPI_ANY_SOURCE, MPI_ANY_TAG);
        assert_non_null(m);
        assert_int_equal(m->packet.length, bytes);
        mpico_match_take(&r->match, m);
        assert_null(mpico_match_find(&r->match, comm_context(r->world), MPI_ANY_SOURCE, MPI_ANY_TAG));
        mpico_recv_init(&recv, in, BIG, &fake_bytes, 1, 3, r->world, comm_context(r->world));
        mpico_recv_message(r, &recv, m);
        fake_run();
        assert_true(fake_done(&recv) && fake_done(&send));
        assert_int_equal(recv.received, bytes);
        assert_memory_equal(in, out, bytes);
    }
}

/* The wildcard of a persistent receive is as wild the second time. */
static void protocol_persistent_any_source(void **state)
{
    (void)state;
    struct request send;
    fake_start((struct fake_wire){0});
    struct rank *r = fake_rank(0);
    uint32_t refs = r->world->refs;
    struct request *recv = mpico_request_alloc(r);
    recv->flags |= REQUEST_PERSISTENT;
    mpico_recv_init(recv, in, 8, &fake_bytes, MPI_ANY_SOURCE, 3, r->world, comm_context(r->world));
    for (int from = 1; from < 3; from++) {
        fill();
        mpico_recv_start(r, recv);
        assert_int_equal(recv->peer_world, -1);
        fake_send(&send, from, 0, 3, out, 8, &fake_bytes, SEND_STANDARD);
        fake_run();
        assert_true(fake_done(recv));
        assert_int_equal(recv->source, from);
    }
    mpico_request_free(r, recv);
    assert_int_equal(r->world->refs, refs);
    assert_true(list_empty(&r->requests));
}

static void protocol_detached_send_frees_itself(void **state)
{
    (void)state;
    struct request recv;
    fake_start((struct fake_wire){0});
    fill();
    struct rank *r = fake_rank(1);
    struct request *send = mpico_request_alloc(r);
    mpico_send_init(send, out, 500, &fake_bytes, 0, 3, r->world, comm_context(r->world), SEND_STANDARD);
    mpico_send_start(r, send);
    send->flags |= REQUEST_DETACHED;
    fake_recv(&recv, 0, 1, 3, in, 500, &fake_bytes);
    fake_run();
    assert_true(fake_done(&recv));
    assert_true(list_empty(&r->requests));
    assert_memory_equal(in, out, 500);
}

/* A receiver without memory leaves messages in the wire; the sender notices by lack of room; none is lost. */
static void protocol_full_heap_is_back_pressure(void **state)
{
    (void)state;
    enum { MESSAGES = 1000 };
    static struct request send[MESSAGES];
    struct request recv;
    fake_start((struct fake_wire){.arena_bytes = 64 * 1024});
    fill();
    for (int i = 0; i < MESSAGES; i++)
        fake_send(&send[i], 1, 0, i, out + i, 64, &fake_bytes, SEND_STANDARD);
    fake_run();
    assert_int_equal(fake_waiting(1, 0), FAKE_QUEUE);
    assert_false(fake_done(&send[MESSAGES - 1]));
    uint64_t before = fake_rank(0)->arrivals;
    fake_run();
    assert_int_equal(fake_rank(0)->arrivals, before); /* an offer refused is not progress */
    for (int i = 0; i < MESSAGES; i++) {
        fake_recv(&recv, 0, 1, MPI_ANY_TAG, in, 64, &fake_bytes);
        fake_run();
        assert_true(fake_done(&recv));
        assert_int_equal(recv.status_tag, i);
        assert_memory_equal(in, out + i, 64);
    }
    assert_true(fake_done(&send[MESSAGES - 1]));
}

struct hog {
    struct hog *next;
};
static struct hog *hog_heap(struct rank *r)
{
    struct hog *all = NULL, *h;
    while ((h = mpico_heap_alloc(&r->heap, HEAP_BLOCK))) {
        h->next = all;
        all = h;
    }
    return all;
}
static void release_heap(struct rank *r, struct hog *all)
{
    while (all) {
        struct hog *next = all->next;
        mpico_heap_free(&r->heap, all);
        all = next;
    }
}

static void protocol_no_memory_for_a_ticket_waits(void **state)
{
    (void)state;
    for (int who = 0; who < 2; who++) {
        struct request send, recv;
        fake_start((struct fake_wire){0});
        fill();
        struct hog *hogs = hog_heap(fake_rank(who));
        fake_recv(&recv, 0, 1, 3, in, 1000, &fake_bytes);
        fake_send(&send, 1, 0, 3, out, 1000, &fake_bytes, SEND_STANDARD);
        fake_run();
        assert_false(fake_done(&recv));
        assert_false(fake_done(&send));
        release_heap(fake_rank(who), hogs);
        fake_run();
        assert_true(fake_done(&recv) && fake_done(&send));
        assert_int_equal(recv.error | send.error, 0);
        assert_memory_equal(in, out, 1000);
    }
}

static int arrive(struct packet p, const void *payload, size_t len)
{
    if (p.version == 0)
        p.version = PACKET_VERSION;
    return mpico_arrive(fake_rank(0), 1, &p, payload, len);
}

static void protocol_packets_that_make_no_sense(void **state)
{
    (void)state;
    static const unsigned char zero[64];
    fake_start((struct fake_wire){0});
    assert_true(arrive((struct packet){.version = 9, .kind = PACKET_EAGER}, NULL, 0) < 0);
    assert_true(arrive((struct packet){.kind = 0}, NULL, 0) < 0);
    assert_true(arrive((struct packet){.kind = 200}, NULL, 0) < 0);
    assert_true(arrive((struct packet){.kind = PACKET_EAGER, .length = 9}, zero, 8) < 0);
    assert_true(arrive((struct packet){.kind = PACKET_RTS, .length = 900}, zero, 7) < 0);
    for (uint8_t kind = PACKET_ACK; kind < PACKET_KINDS; kind++)
        if (kind != PACKET_RTS) {
            assert_true(arrive((struct packet){.kind = kind, .cookie = 0}, zero, 16) < 0);
            assert_true(arrive((struct packet){.kind = kind, .cookie = UINT64_MAX}, zero, 16) < 0);
        }
}

static void protocol_stale_and_wrong_tickets_are_refused(void **state)
{
    (void)state;
    struct request send, recv;
    fake_start((struct fake_wire){0});
    fill();
    fake_send(&send, 0, 1, 3, out, 1000, &fake_bytes, SEND_STANDARD);
    uint64_t old = send.ticket;
    assert_true(arrive((struct packet){.kind = PACKET_DATA, .cookie = old}, out, 8) < 0); /* a send takes no data */
    struct cts greedy = {.receiver = 1, .limit = 1001};
    assert_true(arrive((struct packet){.kind = PACKET_CTS, .cookie = old}, &greedy, sizeof greedy) < 0);
    assert_true(arrive((struct packet){.kind = PACKET_CTS, .cookie = old}, &greedy, sizeof greedy - 1) < 0);
    fake_recv(&recv, 1, 0, 3, in, 1000, &fake_bytes);
    fake_run();
    assert_true(fake_done(&send) && fake_done(&recv));
    assert_true(arrive((struct packet){.kind = PACKET_CTS, .cookie = old}, &greedy, sizeof greedy) < 0);
    assert_true(arrive((struct packet){.kind = PACKET_FIN, .cookie = old}, NULL, 0) < 0);
}

/* Data before the permission to send it has left would end a request that stands in a queue. */
static void protocol_data_before_permission_is_refused(void **state)
{
    (void)state;
    struct request recv, first;
    struct rts rts = {0};
    fake_start((struct fake_wire){0});
    fill();
    fake_recv(&first, 0, 1, 2, in, 100, &fake_bytes);
    assert_int_equal(arrive((struct packet){.kind = PACKET_RTS, .source = 1, .tag = 2, .length = 100}, &rts, 8), 0);
    fake_room(0, 1, 0);
    fake_recv(&recv, 0, 1, 3, in, 100, &fake_bytes);
    assert_int_equal(arrive((struct packet){.kind = PACKET_RTS, .source = 1, .tag = 3, .length = 100}, &rts, 8), 0);
    assert_true(recv.flags & REQUEST_QUEUED);
    assert_int_not_equal(recv.ticket, 0); /* a peer that guesses could name it */
    assert_true(arrive((struct packet){.kind = PACKET_DATA, .cookie = recv.ticket}, out, 64) < 0);
    assert_true(arrive((struct packet){.kind = PACKET_DATA, .cookie = first.ticket, .length = 90}, out, 11) < 0);
    assert_true(arrive((struct packet){.kind = PACKET_DATA, .cookie = first.ticket, .length = UINT64_MAX}, out, 8) < 0);
    assert_int_equal(arrive((struct packet){.kind = PACKET_DATA, .cookie = first.ticket, .length = 90}, out, 10), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(protocol_plain_wire),
        cmocka_unit_test(protocol_wire_that_lends),
        cmocka_unit_test(protocol_remote_read),
        cmocka_unit_test(protocol_remote_read_refused),
        cmocka_unit_test(protocol_small_eager_limit),
        cmocka_unit_test(protocol_streams),
        cmocka_unit_test(protocol_wire_that_borrows),
        cmocka_unit_test(protocol_derived_type_is_packed_into_the_packet),
        cmocka_unit_test(protocol_no_room_keeps_order),
        cmocka_unit_test(protocol_full_queue_to_one_does_not_hold_others),
        cmocka_unit_test(protocol_wait_runs_to_the_end),
        cmocka_unit_test(protocol_message_to_self),
        cmocka_unit_test(protocol_cancel),
        cmocka_unit_test(protocol_probed_message),
        cmocka_unit_test(protocol_persistent_any_source),
        cmocka_unit_test(protocol_detached_send_frees_itself),
        cmocka_unit_test(protocol_full_heap_is_back_pressure),
        cmocka_unit_test(protocol_no_memory_for_a_ticket_waits),
        cmocka_unit_test(protocol_packets_that_make_no_sense),
        cmocka_unit_test(protocol_stale_and_wrong_tickets_are_refused),
        cmocka_unit_test(protocol_data_before_permission_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
