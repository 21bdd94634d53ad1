/* test_small.c: what small builds have instead (src/sizes.h): the heap, the texts, tickets, the line of sends, and long messages
 * over a wire with little room. Linked with a library built as small; matching has test_match.c there, too.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/heap.h"
#include "base/text.h"
#include "core/progress.h"
#include "core/protocol.h"
#include "core/ticket.h"
#include "fake_port.h"
#include "mpi.h"

enum { ARENA = 4096, PIECES = 64, ROUNDS = 200000, LONG = 1000, MESSAGES = 40 };

struct piece {
    unsigned char *at;
    size_t len;
    unsigned char mark;
};

static void check_piece(const struct piece *p)
{
    for (size_t i = 0; i < p->len; i++)
        assert_int_equal(p->at[i], p->mark);
}

/* Nothing overlaps, all is aligned, and everything can be had again in the end. */
static void heap_of_pieces(void **state)
{
    (void)state;
    static _Alignas(16) unsigned char memory[ARENA + 1];
    struct piece piece[PIECES] = {0};
    struct heap h;
    uint32_t random = 1;
    int had = 0, refused = 0;
    mpico_heap_init(&h, memory + 1, ARENA);
    for (int i = 0; i < ROUNDS; i++) {
        random = random * 1664525u + 1013904223u;
        struct piece *p = &piece[random >> 8 & (PIECES - 1)];
        if (p->at) {
            check_piece(p);
            mpico_heap_free(&h, p->at);
            p->at = NULL;
            continue;
        }
        p->len = random >> 16 & 255;
        p->mark = (unsigned char)i;
        p->at = mpico_heap_alloc(&h, p->len);
        had += p->at != NULL;
        refused += p->at == NULL;
        if (!p->at)
            continue;
        assert_int_equal((uintptr_t)p->at % HEAP_BLOCK, 0);
        assert_in_range((uintptr_t)p->at, (uintptr_t)memory, (uintptr_t)memory + sizeof memory - p->len);
        memset(p->at, p->mark, p->len);
    }
    assert_true(had > ROUNDS / 4 && refused > 0);
    for (int i = 0; i < PIECES; i++)
        mpico_heap_free(&h, piece[i].at);
    assert_non_null(mpico_heap_alloc(&h, ARENA - 4 * HEAP_BLOCK));
    assert_null(mpico_heap_alloc(&h, 2 * HEAP_BLOCK));
}

static void heap_without_room(void **state)
{
    (void)state;
    _Alignas(8) unsigned char tiny[2 * HEAP_BLOCK];
    struct heap h;
    mpico_heap_init(&h, tiny, sizeof tiny);
    assert_null(mpico_heap_alloc(&h, 1));
    assert_null(mpico_heap_alloc(&h, SIZE_MAX));
    mpico_heap_free(&h, NULL);
}

static void check_text(const char *expected, const char *format, ...)
{
    char out[40];
    va_list args;
    va_start(args, format);
    size_t len = mpico_text_vformat(out, sizeof out, format, args);
    va_end(args);
    assert_string_equal(out, expected);
    assert_int_equal(len, strlen(expected));
}

static void texts(void **state)
{
    (void)state;
    check_text("rank 3 sent 4096 bytes", "rank %d sent %z bytes", 3, (size_t)4096);
    check_text("-2147483648, 4294967295", "%d, %z", INT32_MIN, (size_t)UINT32_MAX);
    check_text("-7 and 0", "%l and %d", -7ll, 0);
    check_text("a, and b", "%s, and %s", "a", "b");
    check_text("100%", "100%");
    check_text("123456789012345678901234567890123456789", "%s", "123456789012345678901234567890123456789and more");
    check_text("50% of 7", "%d%% of %d", 50, 7);
    check_text("%", "%%");
    check_text("ends with %", "ends with %");
    char nothing[1] = "x";
    assert_int_equal(mpico_text_format(nothing, 0, "%d", 12), 0);
    assert_int_equal(nothing[0], 'x');
    assert_int_equal(mpico_text_format(nothing, 1, "%d", 12), 0);
    assert_int_equal(nothing[0], 0);
}

static void tickets(void **state)
{
    (void)state;
    static struct rank r;
    struct request q[3] = {0};
    for (int i = 0; i < 3; i++)
        assert_int_equal(mpico_ticket_take(&r, &q[i]), 0);
    uint64_t middle = q[1].ticket;
    assert_ptr_equal(mpico_ticket_find(&r, middle), &q[1]);
    mpico_ticket_drop(&r, &q[1]);
    assert_null(mpico_ticket_find(&r, middle));
    assert_null(mpico_ticket_find(&r, 0));
    assert_ptr_equal(mpico_ticket_find(&r, q[0].ticket), &q[0]);
    assert_ptr_equal(mpico_ticket_find(&r, q[2].ticket), &q[2]);
    mpico_ticket_drop(&r, &q[1]);
    mpico_ticket_take(&r, &q[1]);
    assert_true(q[1].ticket != middle && q[1].ticket != q[0].ticket && q[1].ticket != q[2].ticket);
}

/* Longer than a packet and shorter, with room for one packet: all come, in order, and none is touched before it has gone. */
static void messages_over_a_narrow_wire(void **state)
{
    (void)state;
    static unsigned char out[MESSAGES][LONG], in[MESSAGES][LONG];
    static struct request send[MESSAGES], recv[MESSAGES];
    fake_start((struct fake_wire){0});
    fake_room(1, 0, 1);
    fake_room(0, 1, 1);
    for (int i = 0; i < MESSAGES; i++) {
        size_t len = i % 3 ? (size_t)i : LONG;
        memset(out[i], i + 1, LONG);
        fake_send(&send[i], 1, 0, 5, out[i], len, &fake_bytes, i % 5 ? SEND_STANDARD : SEND_SYNC);
    }
    for (int i = 0; i < MESSAGES; i++)
        fake_recv(&recv[i], 0, i % 2 ? 1 : MPI_ANY_SOURCE, 5, in[i], LONG, &fake_bytes);
    fake_run();
    for (int i = 0; i < MESSAGES; i++) {
        size_t len = i % 3 ? (size_t)i : LONG;
        assert_true(fake_done(&send[i]) && fake_done(&recv[i]));
        assert_int_equal(recv[i].received, len);
        assert_memory_equal(in[i], out[i], len);
    }
    assert_int_equal(fake_rank(0)->unsent_count + fake_rank(1)->unsent_count, 0);
}

/* Unexpected messages wait in the wire when the arena is full, and come when there is room again. */
static void a_full_arena(void **state)
{
    (void)state;
    static unsigned char out[64], in[64];
    static struct request send[MESSAGES], recv;
    fake_start((struct fake_wire){.arena_bytes = 1024});
    for (int i = 0; i < MESSAGES; i++) {
        memset(out, i, sizeof out);
        fake_send(&send[i], 1, 0, i, out, sizeof out, &fake_bytes, SEND_STANDARD);
    }
    fake_run();
    assert_true(fake_waiting(1, 0) > 0);
    for (int i = 0; i < MESSAGES; i++) {
        fake_recv(&recv, 0, 1, i, in, sizeof in, &fake_bytes);
        fake_run();
        assert_true(fake_done(&recv));
        assert_int_equal(in[7], i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heap_of_pieces), cmocka_unit_test(heap_without_room),           cmocka_unit_test(texts),
        cmocka_unit_test(tickets),        cmocka_unit_test(messages_over_a_narrow_wire), cmocka_unit_test(a_full_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
