/* test_large.c: one rank of a job of 10,000, alone with a wire that notes where packets go: what it holds does not grow
 * with the job, and lines of packets that wait for room stay apart.
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
#include "core/line.h"
#include "core/progress.h"
#include "core/protocol.h"
#include "mpi.h"

enum { WORLD = 10000, SELF = 4321, ARENA = 1 << 20, NOTED = 4096, ALL_PEERS = -2 };

static struct rank rank;
static unsigned char *arena;
static struct link links[2];
static int world_size, link_count, shut; /* shut: a peer for whom there is no room, or ALL_PEERS, or -1 */
static struct {
    int dest, tag;
    const struct link *link;
} noted[NOTED];
static int notes;

static int wire_send(struct link *link, int dest, const struct packet *p, const void *payload, size_t len)
{
    (void)payload;
    (void)len;
    assert_in_range(dest, 0, world_size - 1);
    if (shut == ALL_PEERS || shut == dest)
        return MPICO_AGAIN;
    assert_true(notes < NOTED);
    noted[notes].dest = dest;
    noted[notes].tag = p->tag;
    noted[notes++].link = link;
    return 0;
}

static int wire_poll(struct link *link, int from, int budget)
{
    (void)link;
    (void)from;
    (void)budget;
    return 0;
}

static const struct link_ops wire_ops = {.send = wire_send, .poll = wire_poll};

static int large_start(struct rank *r, int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    if (mpico_rank_place(r, SELF % world_size, world_size, arena, ARENA))
        return -1;
    for (int i = 0; i < link_count; i++) {
        links[i] = (struct link){.ops = &wire_ops, .mtu = 64, .eager_max_bytes = 64, .get_min_bytes = SIZE_MAX};
        mpico_rank_attach(r, &links[i], i * 100, world_size - 1);
    }
    return 0;
}

__attribute__((noreturn)) static void large_halt(struct rank *r, int code, const char *why)
{
    (void)r;
    fail_msg("%d: %s", code, why);
    abort();
}

static const struct machine machine = {.name = "large", .start = large_start, .halt = large_halt};

static void start(int size, int wires)
{
    memset(&rank, 0, sizeof rank);
    world_size = size;
    link_count = wires;
    shut = -1;
    notes = 0;
    assert_int_equal(mpico_rank_init(&rank, &machine, NULL, NULL), 0);
}

static int setup(void **state)
{
    (void)state;
    arena = aligned_alloc(64, ARENA);
    return !arena;
}

static int teardown(void **state)
{
    (void)state;
    free(arena);
    return 0;
}

/* The formula in rank.h. */
static void memory_of_a_rank(void **state)
{
    (void)state;
    assert_true(sizeof rank < 3 * 1024);
    start(4, 1);
    size_t small = rank.heap.used;
    start(WORLD, 1);
    assert_int_equal(rank.heap.used, small);
    assert_int_equal(small + 64, 576); /* 64 of src/api */
    assert_null(rank.route);
    assert_int_equal(comm_world(rank.world, 9999), 9999);
    assert_int_equal(comm_world(rank.self, 0), SELF);
    assert_true(rank.world->whole && rank.world->in_order);
    assert_false(rank.self->whole || rank.self->in_order);
}

static const struct type ints = {.magic = TYPE_MAGIC,
                                 .predefined = 1,
                                 .committed = 1,
                                 .contiguous = 1,
                                 .class = TYPE_INTEGER,
                                 .width = 4,
                                 .size = 4,
                                 .extent = 4,
                                 .elements = 1,
                                 .true_extent = 4};

static void sum(void *in, void *inout, int *len, uintptr_t *type)
{
    (void)in;
    (void)inout;
    (void)len;
    (void)type;
}

/* Steps, requests and what is sent at first: logarithmic in the number of ranks. */
static void memory_of_a_collective(void **state)
{
    (void)state;
    static struct op op = {.commutative = 1, .refs = 1, .user = sum};
    static int one, two;
    static const enum coll which[] = {COLL_BARRIER, COLL_BCAST, COLL_REDUCE, COLL_ALLREDUCE, COLL_SCAN};
    for (size_t i = 0; i < sizeof which / sizeof which[0]; i++) {
        struct request q = {0};
        start(WORLD, 1);
        size_t before = rank.heap.used;
        struct coll_call x = {.what = which[i],
                              .op = which[i] >= COLL_REDUCE ? &op : NULL,
                              .send = {.buf = &one, .count = 1, .type = &ints},
                              .recv = {.buf = &two, .count = 1, .type = &ints}};
        assert_int_equal(mpico_coll_start(&rank, rank.world, &x, &q), 0);
        assert_true(rank.heap.used - before <= 16 * 1024);
        assert_true(notes <= 14);
    }
}

static void ways_over_two_links(void **state)
{
    (void)state;
    start(WORLD, 2);
    assert_non_null(rank.route);
    assert_ptr_equal(rank_link(&rank, 0), &links[0]);
    assert_ptr_equal(rank_link(&rank, 99), &links[0]);
    assert_ptr_equal(rank_link(&rank, 100), &links[1]);
    assert_ptr_equal(rank_link(&rank, WORLD - 1), &links[1]);
    assert_int_equal(mpico_send_short(&rank, "", 1, 50, 7, rank.world, 0), 0);
    assert_int_equal(mpico_send_short(&rank, "", 1, 5000, 7, rank.world, 0), 0);
    assert_ptr_equal(noted[0].link, &links[0]);
    assert_ptr_equal(noted[1].link, &links[1]);
}

/* ---- Lines ---- */

enum { PEERS = 300, EACH = 3 };
static struct request waiting[PEERS * EACH];

static void all_wait(void)
{
    shut = ALL_PEERS;
    for (int i = 0; i < PEERS * EACH; i++) {
        struct request *q = &waiting[i];
        memset(q, 0, sizeof *q);
        mpico_send_init(q, "", 1, &ints, i % PEERS * 7, i / PEERS, rank.world, 0, SEND_STANDARD);
        mpico_send_start(&rank, q);
        assert_true(q->flags & REQUEST_QUEUED);
    }
    assert_int_equal(rank.unsent_count, PEERS * EACH);
    assert_int_equal(notes, 0);
}

static void lines_keep_their_order(void **state)
{
    (void)state;
    int next[PEERS] = {0};
    start(WORLD, 1);
    all_wait();
    assert_int_equal(mpico_progress(&rank), 0);
    assert_int_equal(rank.unsent_count, PEERS * EACH);
    assert_true(line_waits(&rank, 7) && !line_waits(&rank, 8));
    shut = -1;
    assert_int_equal(mpico_send_short(&rank, "", 1, 14, EACH, rank.world, 0), MPICO_AGAIN); /* it would overtake */
    assert_int_equal(mpico_send_short(&rank, "", 1, 8, 0, rank.world, 0), 0);
    notes = 0;
    assert_int_equal(mpico_progress(&rank), PEERS * EACH);
    assert_int_equal(rank.unsent_count, 0);
    assert_int_equal(notes, PEERS * EACH);
    for (int i = 0; i < notes; i++)
        assert_int_equal(noted[i].tag, next[noted[i].dest / 7]++);
}

/* No room to one peer: the others of its bucket go on, and what comes for it meanwhile stays behind. */
static void a_stuck_line_holds_no_other(void **state)
{
    (void)state;
    struct request late = {0};
    start(WORLD, 1);
    all_wait();
    shut = 7;
    assert_int_equal(mpico_progress(&rank), (PEERS - 1) * EACH);
    assert_int_equal(rank.unsent_count, EACH);
    mpico_send_init(&late, "", 1, &ints, 7, EACH, rank.world, 0, SEND_STANDARD);
    mpico_send_start(&rank, &late);
    assert_int_equal(mpico_progress(&rank), 0);
    shut = -1;
    notes = 0;
    assert_int_equal(mpico_progress(&rank), EACH + 1);
    for (int i = 0; i <= EACH; i++)
        assert_true(noted[i].dest == 7 && noted[i].tag == i);
}

/* ---- Groups ---- */

static void consecutive_ranks_take_no_list(void **state)
{
    (void)state;
    start(WORLD, 1);
    size_t before = rank.heap.used;
    struct group *g = mpico_group_alloc(&rank, 5000), *all = mpico_group_range(&rank, 0, WORLD);
    for (int i = 0; i < 5000; i++)
        g->list[i] = 2000 + i;
    g = mpico_group_seal(&rank, g);
    assert_null(g->list);
    assert_int_equal(rank.heap.used - before, 2 * 64);
    assert_int_equal(g->self, SELF - 2000);
    assert_int_equal(group_world(g, 4999), 6999);
    assert_int_equal(mpico_group_find(g, 6999), 4999);
    assert_int_equal(mpico_group_find(g, 7000), -1);
    assert_int_equal(mpico_group_find(g, 1999), -1);
    struct group *odd = mpico_group_alloc(&rank, 3);
    odd->list[0] = 5, odd->list[1] = 6, odd->list[2] = 8;
    odd = mpico_group_seal(&rank, odd);
    assert_non_null(odd->list);
    assert_int_equal(odd->self, -1);
    assert_int_equal(mpico_group_find(odd, 8), 2);
    struct group *run = mpico_group_range(&rank, 5, 3);
    assert_false(mpico_group_same(odd, run));
    assert_true(mpico_group_same(run, run));
    assert_false(mpico_group_same(all, run));
    mpico_group_release(&rank, all);
    mpico_group_release(&rank, odd);
    mpico_group_release(&rank, run);
    mpico_group_release(&rank, g);
    assert_int_equal(rank.heap.used, before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_of_a_rank),
        cmocka_unit_test(memory_of_a_collective),
        cmocka_unit_test(ways_over_two_links),
        cmocka_unit_test(lines_keep_their_order),
        cmocka_unit_test(a_stuck_line_holds_no_other),
        cmocka_unit_test(consecutive_ranks_take_no_list),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
