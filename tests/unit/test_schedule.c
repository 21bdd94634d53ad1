/* test_schedule.c: every algorithm of every collective on 1 to 17 ranks, over a wire that is no more than a
 * list of messages: some sends are done at once, others when they are taken, and which receive is served
 * next is drawn at random (by a fixed seed). A schedule that depends on luck or waits in a circle shows.
 *
 * The operation is the composition of affine maps over 64-bit numbers: associative to the bit and not
 * commutative, so that a result says in which order the ranks were taken.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../src/coll/coll.h"
#include "../../src/coll/op.h"
#include "../../src/coll/select.h"
#include "fake_wire.h"
#include "type/layout.h"

enum { ITEMS_MAX = 4096, BLANK = 77 };

static struct said {
    const char *what, *algorithm, *type, *op;
    int size, count, root, in_place;
} last;

static int setup(void **state)
{
    (void)state;
    wire_clear();
    last = (struct said){.what = NULL};
    w = calloc(1, sizeof *w);
    w->random = 1;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    if (last.what && last.size)
        print_message("last: %s %s, %s, %s, %d ranks, count %d, root %d, in place %d\n", last.what, last.algorithm,
                      last.type, last.op, last.size, last.count, last.root, last.in_place);
    free(w);
    return 0;
}

/* ---- Data: pairs of numbers, dense or with a gap between them ---- */

struct pair {
    uint64_t a, b;
};

/* "Predefined": nobody counts who uses them. */
static const struct type dense = {.magic = TYPE_MAGIC,
                                  .predefined = 1,
                                  .committed = 1,
                                  .contiguous = 1,
                                  .width = 8,
                                  .size = 16,
                                  .extent = 16,
                                  .true_extent = 16,
                                  .elements = 2,
                                  .handle = (uintptr_t)&dense,
                                  .name = "dense"};
static const struct layout gaps = {.kind = LAYOUT_REPEAT, .size = 16, .count = 2, .offset = 8, .stride = 16, .len = 8};
static const struct type gap = {.magic = TYPE_MAGIC,
                                .predefined = 1,
                                .committed = 1,
                                .width = 8,
                                .size = 16,
                                .extent = 40,
                                .true_lower = 8,
                                .true_extent = 24,
                                .elements = 2,
                                .layout = &gaps,
                                .handle = (uintptr_t)&gap,
                                .name = "gap"};

static uint64_t *half(const struct type *t, const void *buf, size_t i, int second)
{
    return (uint64_t *)(void *)(element(buf, i, t) + (t == &dense ? 8 * second : 8 + 16 * second));
}

static struct pair get(const struct type *t, const void *buf, size_t i)
{
    return (struct pair){*half(t, buf, i, 0), *half(t, buf, i, 1)};
}

static void put(const struct type *t, void *buf, size_t i, struct pair p)
{
    *half(t, buf, i, 0) = p.a;
    *half(t, buf, i, 1) = p.b;
}

/* First the left map, then the right: x -> a x + b. */
static struct pair compose(struct pair left, struct pair right)
{
    return (struct pair){left.a * right.a, right.a * left.b + right.b};
}

static void compose_all(void *in, void *inout, int *len, uintptr_t *type)
{
    const struct type *t = (const struct type *)*type;
    for (int i = 0; i < *len; i++)
        put(t, inout, (size_t)i, compose(get(t, in, (size_t)i), get(t, inout, (size_t)i)));
}

static void add_all(void *in, void *inout, int *len, uintptr_t *type)
{
    const struct type *t = (const struct type *)*type;
    for (int i = 0; i < *len; i++) {
        struct pair x = get(t, in, (size_t)i), y = get(t, inout, (size_t)i);
        put(t, inout, (size_t)i, (struct pair){x.a + y.a, x.b + y.b});
    }
}

static struct op ordered = {.magic = OP_MAGIC, .refs = 1, .user = compose_all, .name = "compose"};
static struct op commuting = {.magic = OP_MAGIC, .commutative = 1, .refs = 1, .user = add_all, .name = "add"};

static struct pair value(int rank, size_t i)
{
    uint64_t x = ((uint64_t)rank * 1000003 + i) * 0x9e3779b97f4a7c15u;
    return (struct pair){(x ^ x >> 31) | 1, x * 31 + 7};
}

static struct pair sum_of(const struct op *op, int first, int end, size_t i)
{
    struct pair s = value(first, i);
    for (int k = first + 1; k < end; k++) {
        struct pair v = value(k, i);
        s = op == &ordered ? compose(s, v) : (struct pair){s.a + v.a, s.b + v.b};
    }
    return s;
}

static int same(struct pair x, struct pair y) { return x.a == y.a && x.b == y.b; }

/* ---- One case: an algorithm, ranks, a length, a type, an operation, a root, in place or not ---- */

struct test {
    const struct algorithm *a;
    enum coll what;
    size_t count;
    const struct type *type;
    const struct op *op;
    int root, in_place;
    int counts[RANKS_MAX], displs[RANKS_MAX];
};

static size_t item_bytes(void) { return ITEMS_MAX * gap.extent; }

static size_t part_start(const struct test *t, int i)
{
    return t->displs[0] >= 0 ? (size_t)t->displs[i] : (size_t)i * t->count;
}

static size_t part_count(const struct test *t, int i) { return t->displs[0] >= 0 ? (size_t)t->counts[i] : t->count; }

static size_t whole_count(const struct test *t)
{
    size_t n = 0;
    for (int i = 0; i < w->size; i++)
        n += part_count(t, i);
    return n;
}

/* Who must have sent item `i` of part `p` to rank `me`, under which number. */
static struct pair travelled(int from, int to, size_t i) { return value(from * 64 + to, i); }

static int reduces(enum coll c) { return c >= COLL_REDUCE; }
static int has_parts_out(enum coll c)
{
    return c == COLL_SCATTER || c == COLL_SCATTERV || (c >= COLL_ALLTOALL && c <= COLL_ALLTOALLW);
}
static int vector(enum coll c)
{
    return c == COLL_GATHERV || c == COLL_SCATTERV || c == COLL_ALLGATHERV || c == COLL_ALLTOALLV ||
           c == COLL_REDUCE_SCATTER;
}

/* What rank `me` gives, laid out at `buf`. */
static void give(const struct test *t, int me, void *buf, int in_parts)
{
    if (reduces(t->what)) {
        size_t n = t->what == COLL_REDUCE_SCATTER || t->what == COLL_REDUCE_SCATTER_BLOCK ? whole_count(t) : t->count;
        for (size_t i = 0; i < n; i++)
            put(t->type, buf, i, value(me, i));
    } else if (has_parts_out(t->what)) {
        for (int p = 0; p < w->size; p++)
            for (size_t i = 0; i < part_count(t, p); i++)
                put(t->type, buf, part_start(t, p) + i, travelled(me, p, i));
    } else {
        size_t at = in_parts ? part_start(t, me) : 0, n = t->what == COLL_BCAST ? t->count : part_count(t, me);
        for (size_t i = 0; i < n; i++)
            put(t->type, buf, at + i, travelled(me, 0, i));
    }
}

static void check_parts(const struct test *t, int me, const void *out)
{
    for (int p = 0; p < w->size; p++)
        for (size_t i = 0; i < part_count(t, t->what >= COLL_ALLTOALL ? me : p); i++)
            assert_true(
                same(get(t->type, out, part_start(t, p) + i), travelled(p, t->what >= COLL_ALLTOALL ? me : 0, i)));
}

static void check_range(const struct test *t, const void *out, int first, int end, size_t from, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_true(same(get(t->type, out, i), sum_of(t->op, first, end, from + i)));
}

static void check_result(const struct test *t, int me, const void *out)
{
    size_t before = 0;
    switch (t->what) {
    case COLL_BCAST:
        for (size_t i = 0; i < t->count; i++)
            assert_true(same(get(t->type, out, i), travelled(t->root, 0, i)));
        break;
    case COLL_GATHER:
    case COLL_GATHERV:
        if (me == t->root)
            check_parts(t, me, out);
        break;
    case COLL_SCATTER:
    case COLL_SCATTERV:
        for (size_t i = 0; i < part_count(t, me) && !(t->in_place && me == t->root); i++)
            assert_true(same(get(t->type, out, i), travelled(t->root, me, i)));
        break;
    case COLL_ALLGATHER:
    case COLL_ALLGATHERV:
    case COLL_ALLTOALL:
    case COLL_ALLTOALLV:
        check_parts(t, me, out);
        break;
    case COLL_REDUCE:
        if (me == t->root)
            check_range(t, out, 0, w->size, 0, t->count);
        break;
    case COLL_ALLREDUCE:
        check_range(t, out, 0, w->size, 0, t->count);
        break;
    case COLL_REDUCE_SCATTER:
    case COLL_REDUCE_SCATTER_BLOCK:
        for (int i = 0; i < me; i++)
            before += part_count(t, i);
        check_range(t, out, 0, w->size, before, part_count(t, me));
        break;
    case COLL_SCAN:
        check_range(t, out, 0, me + 1, 0, t->count);
        break;
    case COLL_EXSCAN:
        if (me)
            check_range(t, out, 0, me, 0, t->count);
        break;
    default:
        break;
    }
}

enum { SPREAD_BYTES = 4000 /* a longest message to all: short enough that a broadcast takes several */ };

static struct coll_call call_of(const struct test *t, int me, void *in, void *out)
{
    int is_root = me == t->root, v = vector(t->what);
    int rooted = t->what >= COLL_GATHER && t->what <= COLL_SCATTERV;
    struct coll_call x = {.what = t->what, .root = t->root, .op = t->op, .spread_bytes = SPREAD_BYTES};
    size_t one = v ? part_count(t, me) : t->count;
    x.send = (struct side){.buf = in, .count = one, .type = t->type};
    x.recv = (struct side){.buf = out, .count = one, .type = t->type};
    x.in_place = t->in_place && t->what != COLL_BCAST && ((!rooted && t->what != COLL_REDUCE) || is_root);
    if (v) { /* in an all-to-all, part p of rank r holds counts[r] where it comes from and counts[p] where it goes */
        struct side *many = t->what == COLL_SCATTERV ? &x.send : &x.recv;
        many->counts = t->counts;
        many->displs = t->what == COLL_REDUCE_SCATTER ? NULL : t->displs;
    }
    return x;
}

/* All-to-all's parts differ by receiver: rank p gets counts[p] from everyone. */
static void alltoallv_sides(const struct test *t, int me, struct coll_call *x, int *mine)
{
    for (int i = 0; i < w->size; i++)
        mine[i] = t->counts[me];
    x->send.counts = t->counts;
    x->send.displs = t->displs;
    x->recv.counts = mine;
    x->recv.displs = t->displs;
}

static void run_case(const struct test *t)
{
    /* Shown only when an assertion of this case fails. */
    last = (struct said){mpico_coll_name(t->what),
                         t->a->name,
                         t->type->name,
                         t->op ? t->op->name : "-",
                         w->size,
                         (int)t->count,
                         t->root,
                         t->in_place};
    static char *in[RANKS_MAX], *out[RANKS_MAX];
    static int mine[RANKS_MAX][RANKS_MAX];
    int offset = (int)draw((uint32_t)w->size);
    for (int k = 0; k < w->size; k++) {
        int me = (k + offset) % w->size;
        in[me] = malloc(item_bytes());
        out[me] = malloc(item_bytes());
        memset(in[me], BLANK, item_bytes());
        memset(out[me], BLANK, item_bytes());
        struct coll_call x = call_of(t, me, in[me], out[me]);
        if (t->what == COLL_ALLTOALLV)
            alltoallv_sides(t, me, &x, mine[me]);
        int scatters = t->what == COLL_SCATTER || t->what == COLL_SCATTERV;
        give(t, me, (x.in_place && !scatters) || t->what == COLL_BCAST ? out[me] : in[me], (x.in_place && !scatters));
        struct rank *r = &w->rank[me];
        w->request[me].flags = 0;
        struct schedule *s = mpico_schedule_alloc(r, &w->comm[me]);
        s->op = t->op;
        t->a->build(s, &x);
        assert_int_equal(s->error, 0);
        mpico_schedule_start(s, &w->request[me]);
    }
    run_all();
    for (int me = 0; me < w->size; me++) {
        assert_int_equal(w->request[me].error, 0);
        check_result(t, me, out[me]);
    }
    for (int me = 0; me < w->size; me++) {
        free(in[me]);
        free(out[me]);
    }
}

static void make_counts(struct test *t)
{
    int at = 3;
    t->displs[0] = -1;
    if (!vector(t->what))
        return;
    for (int i = 0; i < w->size; i++) {
        t->counts[i] = (int)((size_t)i * 7 % 4 * (t->count ? 1 : 0) + (i % 3 ? t->count : 0));
        t->displs[i] = at;
        at += t->counts[i] + i % 2;
    }
    /* All-to-all: room for parts of another rank's length, and in place what goes is as long as what comes. */
    for (int i = 0; t->what == COLL_ALLTOALLV && i < w->size; i++) {
        t->displs[i] = i * ((int)t->count + 12);
        if (t->in_place)
            t->counts[i] = (int)t->count;
    }
}

static void run_algorithm(enum coll what, const struct algorithm *a, int size)
{
    static const size_t counts[] = {0, 1, 5, 33, 200, 4000 /* several segments; broadcast only */};
    const struct op *ops[] = {&ordered, &commuting};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0] - (what != COLL_BCAST); c++)
        for (int k = 0; k < 8; k++) {
            struct test t = {.a = a,
                             .what = what,
                             .count = counts[c],
                             .type = k & 1 ? &gap : &dense,
                             .op = reduces(what) ? ops[k >> 1 & 1] : NULL,
                             .root = (int)draw((uint32_t)size),
                             .in_place = k >> 2 & 1};
            struct coll_call x = {.what = what, .op = t.op, .spread_bytes = SPREAD_BYTES};
            x.recv = (struct side){.count = t.count, .type = t.type};
            make_counts(&t);
            if (mpico_coll_fits(a, &x, size))
                run_case(&t);
        }
}

static void run_collective(enum coll what)
{
    for (int size = 1; size <= RANKS_MAX; size++) {
        world_start(size);
        int rows;
        const struct algorithm *a = mpico_coll_algorithms(what, &rows);
        for (int i = 0; i < rows; i++)
            run_algorithm(what, &a[i], size);
        for (int i = 0; i < size; i++) /* all memory but the spare blocks came back */
            assert_true(w->rank[i].heap.used <= 6 * 4096);
        world_stop();
    }
    last.what = NULL;
}

#define COLLECTIVE(name, what)                                                                                         \
    static void name(void **state)                                                                                     \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        run_collective(what);                                                                                          \
    }
COLLECTIVE(barrier, COLL_BARRIER)
COLLECTIVE(bcast, COLL_BCAST)
COLLECTIVE(gather, COLL_GATHER)
COLLECTIVE(gatherv, COLL_GATHERV)
COLLECTIVE(scatter, COLL_SCATTER)
COLLECTIVE(scatterv, COLL_SCATTERV)
COLLECTIVE(allgather, COLL_ALLGATHER)
COLLECTIVE(allgatherv, COLL_ALLGATHERV)
COLLECTIVE(alltoall, COLL_ALLTOALL)
COLLECTIVE(alltoallv, COLL_ALLTOALLV)
COLLECTIVE(reduce, COLL_REDUCE)
COLLECTIVE(allreduce, COLL_ALLREDUCE)
COLLECTIVE(reduce_scatter, COLL_REDUCE_SCATTER)
COLLECTIVE(reduce_scatter_block, COLL_REDUCE_SCATTER_BLOCK)
COLLECTIVE(scan, COLL_SCAN)
COLLECTIVE(exscan, COLL_EXSCAN)

/* Checking mode: ranks that disagree all hear of it, with the ranks and the values. */
static void checking_names_the_ranks(void **state)
{
    (void)state;
    static char data[3][64];
    world_start(3);
    for (int i = 0; i < 3; i++) {
        w->rank[i].settings.checking = 1;
        struct coll_call x = {.what = COLL_BCAST, .root = i == 2, .recv = {.buf = data[i], .count = 4, .type = &dense}};
        assert_int_equal(mpico_coll_start(&w->rank[i], &w->comm[i], &x, &w->request[i]), 0);
    }
    run_all();
    for (int i = 0; i < 3; i++) {
        assert_int_equal(w->request[i].error, 8); /* MPI_ERR_ROOT */
        assert_string_equal(w->rank[i].fault, "root differs: rank 0 says 0, rank 2 says 1");
    }
    world_stop();
}

static void truncation_reaches_the_collective(void **state)
{
    (void)state;
    static char data[2][64];
    world_start(2);
    for (int i = 0; i < 2; i++) {
        struct coll_call x = {.what = COLL_BCAST, .recv = {.buf = data[i], .count = i ? 1 : 4, .type = &dense}};
        assert_int_equal(mpico_coll_start(&w->rank[i], &w->comm[i], &x, &w->request[i]), 0);
    }
    run_all();
    assert_int_equal(w->request[0].error, 0);
    assert_int_equal(w->request[1].error, 15);
    assert_string_equal(w->rank[1].fault, "data truncated: rank 0 sent 64 bytes, the buffer holds 16");
    world_stop();
}

static void settings_name_algorithms(void **state)
{
    (void)state;
    const struct algorithm *forced[COLLS] = {NULL};
    world_start(1);
    assert_int_equal(mpico_coll_parse(&w->rank[0], "allreduce=ring,bcast=binomial", forced), 0);
    assert_string_equal(forced[COLL_ALLREDUCE]->name, "ring");
    assert_string_equal(forced[COLL_BCAST]->name, "binomial");
    assert_int_not_equal(mpico_coll_parse(&w->rank[0], "barrier=fast", forced), 0);
    assert_string_equal(w->rank[0].fault,
                        "MPICO_COLL: no barrier 'fast' to choose; there are: tree, dissemination, central");
    assert_int_not_equal(mpico_coll_parse(&w->rank[0], "brodcast=binomial", forced), 0);
    world_stop();
}

/* Two collectives of one communicator under way at once, started in the same order everywhere. */
static void outstanding_collectives_do_not_mix(void **state)
{
    (void)state;
    static struct pair data[2][5];
    static struct request second[5];
    world_start(5);
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 2; k++) {
            struct request *q = k ? &second[i] : &w->request[i];
            memset(q, 0, sizeof *q);
            data[k][i] = (struct pair){i == k ? (uint64_t)k + 10 : 0, 0};
            struct coll_call x = {
                .what = COLL_BCAST, .root = k, .recv = {.buf = &data[k][i], .count = 1, .type = &dense}};
            assert_int_equal(mpico_coll_start(&w->rank[i], &w->comm[i], &x, q), 0);
        }
    while (wire_letters())
        deliver_one();
    assert_true(all_done());
    for (int i = 0; i < 5; i++) {
        assert_true(second[i].flags & REQUEST_DONE);
        assert_int_equal(data[0][i].a, 10);
        assert_int_equal(data[1][i].a, 11);
    }
    world_stop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(barrier, setup, teardown),
        cmocka_unit_test_setup_teardown(bcast, setup, teardown),
        cmocka_unit_test_setup_teardown(gather, setup, teardown),
        cmocka_unit_test_setup_teardown(gatherv, setup, teardown),
        cmocka_unit_test_setup_teardown(scatter, setup, teardown),
        cmocka_unit_test_setup_teardown(scatterv, setup, teardown),
        cmocka_unit_test_setup_teardown(allgather, setup, teardown),
        cmocka_unit_test_setup_teardown(allgatherv, setup, teardown),
        cmocka_unit_test_setup_teardown(alltoall, setup, teardown),
        cmocka_unit_test_setup_teardown(alltoallv, setup, teardown),
        cmocka_unit_test_setup_teardown(reduce, setup, teardown),
        cmocka_unit_test_setup_teardown(allreduce, setup, teardown),
        cmocka_unit_test_setup_teardown(reduce_scatter, setup, teardown),
        cmocka_unit_test_setup_teardown(reduce_scatter_block, setup, teardown),
        cmocka_unit_test_setup_teardown(scan, setup, teardown),
        cmocka_unit_test_setup_teardown(exscan, setup, teardown),
        cmocka_unit_test_setup_teardown(checking_names_the_ranks, setup, teardown),
        cmocka_unit_test_setup_teardown(truncation_reaches_the_collective, setup, teardown),
        cmocka_unit_test_setup_teardown(settings_name_algorithms, setup, teardown),
        cmocka_unit_test_setup_teardown(outstanding_collectives_do_not_mix, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
