/* The lock of ports/pipe/machine.c against its interrupt, which may be a thread: whatever uses the relay holds it, a packet that is made in
 * the wire's own memory from the reservation to the commit, and gives it back.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "../../ports/pipe/machine.c"

enum { ARENA = 64 << 10, LEN = 24 };

_Alignas(64) unsigned char mpico_arena[ARENA];
const size_t mpico_arena_bytes = ARENA;
_Thread_local struct rank *mpico_rank_here __attribute__((tls_model("initial-exec")));
static struct rank alone;
static int held, seized; /* now; how often so far */

struct rank *mpico_rank_find(void) { return mpico_rank_here = &alone; }

/* ---- A system without neighbours ---- */

void mpico_sys_lock(void)
{
    assert_int_equal(held, 0);
    held = 1;
    seized++;
}
void mpico_sys_unlock(void)
{
    assert_int_equal(held, 1);
    held = 0;
}
uint64_t mpico_sys_now(void) { return 0; }
int mpico_sys_tick(uint32_t ms, void (*function)(void)) { return (void)ms, (void)function, 0; }
void mpico_sys_sleep(const struct sys_wire wires[2], uint32_t ms) { (void)wires, (void)ms; }
void mpico_sys_exit(int code)
{
    fail_msg("the process ends with %d", code);
    for (;;)
        ;
}
void mpico_pipe_print(const char *format, ...) { fail_msg("%s", format); }
int mpico_pipe_identity(int *rank, int *size) { return *rank = 0, *size = 1, 0; }
int mpico_pipe_lanes(struct pipe_lane *l, struct pipe_lane *r, int rank, int size)
{
    return (void)l, (void)r, (void)rank, (void)size, 0;
}

/* ---- Tests ---- */

static struct packet packet_of(size_t len) { return packet_make(PACKET_EAGER, 0, 0, 0, 1, len, 0); }

static int start(void **state)
{
    (void)state;
    memset(&alone, 0, sizeof alone);
    alone.machine = &mpico_machine;
    held = 0;
    depth = 0;
    return mpico_machine.start(&alone, NULL, NULL);
}

static void calls_hold_it(void **state)
{
    (void)state;
    struct link *link = &relay.link;
    struct packet p = packet_of(LEN);
    unsigned char bytes[LEN] = {0};
    int before = seized;
    assert_int_equal(link->ops->send(link, 0, &p, bytes, LEN), 0);
    assert_int_equal(link->ops->poll(link, -1, 1), 1);
    assert_int_equal(seized, before + 2);
    assert_int_equal(held, 0);
}

static void a_reservation_holds_it(void **state)
{
    (void)state;
    struct link *link = &relay.link;
    struct packet p = packet_of(LEN);
    unsigned char *wire = link->ops->reserve(link, 0, &p, LEN);
    assert_non_null(wire);
    assert_int_equal(held, 1);
    memset(wire, 1, LEN);
    link->ops->commit(link, 0, &p, LEN);
    assert_int_equal(held, 0);
    assert_int_equal(link->ops->poll(link, -1, 1), 1);
}

static void no_room_gives_it_back(void **state)
{
    (void)state;
    struct link *link = &relay.link;
    struct packet p = packet_of(LEN);
    int before = seized;
    while (mpico_heap_alloc(&alone.heap, 16))
        continue;
    assert_null(link->ops->reserve(link, 0, &p, LEN));
    assert_int_equal(seized, before + 1);
    assert_int_equal(held, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup(calls_hold_it, start),
                                       cmocka_unit_test_setup(a_reservation_holds_it, start),
                                       cmocka_unit_test_setup(no_room_gives_it_back, start)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
