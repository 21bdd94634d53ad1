/* relay_bench.c: see relay_bench.h. A node that waits in start or leave is a fiber of its own. */
#include "relay_bench.h"

#include "core/lost.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include <cmocka.h>

enum { ARENA = 1 << 16, STACK = 1 << 17, PAYLOAD_MAX = 1024 };

struct bench bench;

struct bench_fiber {
    ucontext_t here, back;
    uint32_t ticks; /* 0: start; else leave */
    int over;
    char stack[STACK];
};
static struct bench_node *running; /* the node whose fiber runs; NULL: the test itself */
static int in_interrupt;
static jmp_buf halted; /* out of a poll */

uint32_t bench_chance(uint32_t below)
{
    bench.random = bench.random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(bench.random >> 33) % below;
}

static struct bench_node *of_rank(struct rank *r)
{
    return (struct bench_node *)(void *)((char *)r - offsetof(struct bench_node, rank));
}
static int number_of(const struct bench_node *n) { return (int)(n - bench.node); }

static void interrupt(struct bench_node *n)
{
    in_interrupt = 1;
    mpico_relay_turn(&n->relay, bench.now);
    in_interrupt = 0;
}

/* ---- The machine ---- */

static uint64_t machine_now(void) { return (uint64_t)bench.now << 20; }

static void machine_wait(struct rank *r, uint32_t idle)
{
    struct bench_node *n = of_rank(r);
    (void)idle;
    assert_ptr_equal(n, running);
    swapcontext(&n->fiber->here, &n->fiber->back);
}

static void machine_say(struct rank *r, const char *line)
{
    struct bench_node *n = of_rank(r);
    size_t len = strlen(n->said);
    assert_true(len + strlen(line) + 2 < sizeof n->said);
    assert_false(in_interrupt);
    strcpy(n->said + len, line);
    strcat(n->said, "\n");
}

__attribute__((noreturn)) static void machine_halt(struct rank *r, int code, const char *why)
{
    struct bench_node *n = of_rank(r);
    assert_int_equal(code, 1);
    machine_say(r, why);
    n->dead = n->halted = 1;
    longjmp(halted, 1);
}

static const struct machine machine = {
    .name = "bench", .now = machine_now, .wait = machine_wait, .halt = machine_halt, .say = machine_say};

/* ---- Core's part ---- */

int mpico_rank_place(struct rank *r, int rank, int size, void *arena, size_t bytes)
{
    r->world_rank = rank;
    r->world_size = size;
    mpico_heap_init(&r->heap, arena, bytes);
    return bytes < 512 ? -1 : 0;
}

void mpico_rank_attach(struct rank *r, struct link *link, int first, int last)
{
    assert_int_equal(first, 0);
    assert_int_equal(last, r->world_size - 1);
    r->links = link;
}

void mpico_lost(struct rank *r, int lost, const char *why)
{
    struct bench_node *n = of_rank(r);
    char name[16];
    snprintf(name, sizeof name, "rank %d ", lost);
    assert_non_null(strstr(why, name));
    assert_in_range(lost, 0, bench.nodes - 1);
    assert_false(in_interrupt);
    assert_true(strlen(why) < sizeof n->why[lost]);
    strcpy(n->why[lost], why);
    n->lost[lost]++;
    n->lost_at[lost] = bench.now;
    r->lost = n->lost_flags;
    r->lost[lost] = LOST;
}

void mpico_torn(struct rank *r, int rank, const uint8_t *with)
{
    struct bench_node *n = of_rank(r);
    assert_in_range(rank, 0, bench.nodes - 1);
    for (int k = 0; k < bench.nodes; k++)
        if (with[k / 8] >> k % 8 & 1)
            n->torn[rank][k] = 1;
}

static size_t length(int from, int to, uint32_t number, size_t mtu)
{
    uint32_t x = (number * 2654435761u + (uint32_t)(from * 31 + to * 17) * 40503u) >> 8;
    return x % 4 == 0 ? mtu : x % 4 == 1 ? 0 : x / 4 % (mtu + 1);
}

static uint8_t pattern(int from, int to, uint32_t number, size_t i)
{
    return (uint8_t)((unsigned)from * 31u + (unsigned)to * 101u + number * 7u + i);
}

int mpico_arrive(struct rank *r, int origin, const struct packet *p, const void *payload, size_t len)
{
    struct bench_node *n = of_rank(r);
    int self = number_of(n);
    assert_false(in_interrupt);
    assert_in_range(origin, 0, bench.nodes - 1);
    assert_int_equal((uintptr_t)p % _Alignof(struct packet), 0);
    if (bench.refuse && bench_chance((uint32_t)bench.refuse) == 0)
        return MPICO_AGAIN;
    assert_int_equal(p->source, origin);
    assert_int_equal(p->tag, self);
    uint32_t number = (uint32_t)p->cookie;
    if (number != n->got[origin])
        fail_msg("%d got packet %u of %d instead of %u (now %u)", self, number, origin, n->got[origin], bench.now);
    n->got[origin] = number + 1;
    assert_int_equal(len, length(origin, self, number, r->links->mtu));
    for (size_t i = 0; i < len; i++)
        assert_int_equal(((const uint8_t *)payload)[i], pattern(origin, self, number, i));
    if (bench_chance(8) == 0) /* core sends an answer, and an interrupt may come meanwhile */
        interrupt(n);
    return 0;
}

/* ---- Making and ending ---- */

void bench_make(struct bench_shape s)
{
    memset(&bench, 0, sizeof bench);
    bench.nodes = s.nodes;
    bench.random = s.seed * 977 + 5;
    bench.now = 0xffffff00u; /* it wraps */
    bench.times = (struct hop_times){.resend = 12, .heartbeat = 20, .dead = 240};
    bench.arena_bytes = ARENA;
    bench.node = calloc((size_t)s.nodes, sizeof *bench.node);
    assert_non_null(bench.node);
    for (int i = 0; i < s.nodes; i++)
        bench.cable[i] = cable_alloc(s.capacity, s.seed * 16 + (uint64_t)i);
    for (int i = 0; i < s.nodes; i++) {
        struct bench_node *n = &bench.node[i];
        n->rank.machine = &machine;
        n->told = (struct relay_node){.left = cable_lane(bench.cable[(i + s.nodes - 1) % s.nodes], 1),
                                      .right = cable_lane(bench.cable[i], 0),
                                      .rank = i,
                                      .size = s.nodes,
                                      .serial = (uint32_t)i,
                                      .nonce = 1 + bench_chance(1u << 30),
                                      .slots = (uint8_t)s.slots,
                                      .spare_slots = (uint8_t)s.spare_slots,
                                      .slot_bytes = (uint16_t)s.slot_bytes,
                                      .open_ticks = 600,
                                      .times = &bench.times};
    }
}

void bench_free(void)
{
    for (int i = 0; i < bench.nodes; i++) {
        cable_free(bench.cable[i]);
        free(bench.node[i].arena);
        free(bench.node[i].fiber);
    }
    free(bench.node);
}

void bench_faults(struct cable_faults f)
{
    for (int i = 0; i < bench.nodes; i++)
        cable_faults(bench.cable[i], f);
}

void bench_kill(int node) { bench.node[node].dead = 1; }

/* ---- Fibers ---- */

static void fiber_main(void)
{
    struct bench_node *n = running;
    if (n->fiber->ticks) {
        mpico_relay_leave(&n->relay, n->fiber->ticks);
        n->left = 1;
    } else {
        n->result = mpico_relay_start(&n->relay, &n->rank, &n->told, n->arena, bench.arena_bytes);
        n->started = 1;
    }
    n->fiber->over = 1;
    swapcontext(&n->fiber->here, &n->fiber->back);
}

static void fiber_make(struct bench_node *n, uint32_t ticks)
{
    struct bench_fiber *f = n->fiber = realloc(n->fiber, sizeof *f);
    assert_non_null(f);
    memset(f, 0, offsetof(struct bench_fiber, stack));
    f->ticks = ticks;
    getcontext(&f->here);
    f->here.uc_stack.ss_sp = f->stack;
    f->here.uc_stack.ss_size = STACK;
    makecontext(&f->here, fiber_main, 0);
}

static void fiber_run(struct bench_node *n)
{
    running = n;
    swapcontext(&n->fiber->back, &n->fiber->here);
    running = NULL;
}

static void clock_on(void)
{
    bench.now++;
    for (int i = 0; i < bench.nodes; i++)
        bench.cable[i]->now = bench.now;
}

/* All fibers until they are over. */
static uint32_t fibers(uint32_t ticks)
{
    uint32_t begin = bench.now;
    for (int left = 1; left;) {
        left = 0;
        int first = (int)bench_chance((uint32_t)bench.nodes);
        for (int k = 0; k < bench.nodes; k++) {
            struct bench_node *n = &bench.node[(first + k) % bench.nodes];
            if (n->dead || !n->fiber || n->left || n->result)
                continue;
            if (bench.now - begin < n->late) {
                left++;
                continue;
            }
            if (!n->fiber->over)
                fiber_run(n);
            else if (!bench.no_interrupts)
                interrupt(n); /* the program computes */
            left += !n->fiber->over;
        }
        clock_on();
        if (bench.now - begin > ticks)
            fail_msg("%d nodes still wait after %u ticks", left, ticks);
    }
    return bench.now - begin;
}

void bench_start(uint32_t ticks)
{
    clock_on();
    for (int i = 0; i < bench.nodes; i++) {
        struct bench_node *n = &bench.node[i];
        if (n->dead)
            continue;
        n->arena = aligned_alloc(64, (bench.arena_bytes + 63) & ~(size_t)63);
        assert_non_null(n->arena);
        fiber_make(n, 0);
    }
    fibers(ticks);
}

void bench_is_up(void)
{
    for (int i = 0; i < bench.nodes; i++) {
        assert_string_equal(bench.node[i].said, "");
        assert_int_equal(bench.node[i].result, 0);
        assert_int_equal(bench.node[i].rank.world_size, bench.nodes);
        bench.node[i].late = 0;
    }
}

void bench_up(struct bench_shape s)
{
    bench_make(s);
    bench_start(2000);
    bench_is_up();
    for (int i = 0; i < s.nodes; i++)
        assert_int_equal(bench.node[i].rank.world_rank, i);
}

void bench_leave_first(int node, uint32_t ticks) { fiber_make(&bench.node[node], ticks); }

uint32_t bench_leave(uint32_t ticks)
{
    for (int i = 0; i < bench.nodes; i++)
        if (!bench.node[i].dead && bench.node[i].fiber->over)
            fiber_make(&bench.node[i], ticks);
    return fibers(ticks + 10);
}

/* ---- Traffic ---- */

/* What a node does in a tick. A poll may end it. */
static void live(struct bench_node *n)
{
    if (!n->fiber->over)
        fiber_run(n);
    else if (n->busy || bench_chance(3) == 0)
        interrupt(n);
    else if (setjmp(halted) == 0)
        n->relay.link.ops->poll(&n->relay.link, -1, 1 + (int)bench_chance(4));
}

void bench_tick(void)
{
    int first = (int)bench_chance((uint32_t)bench.nodes), step = bench_chance(2) ? 1 : bench.nodes - 1;
    for (int k = 0; k < bench.nodes; k++) {
        struct bench_node *n = &bench.node[(first + k * step) % bench.nodes];
        if (!n->dead)
            live(n);
    }
    clock_on();
}

/* Half of them are made in the wire's own memory; an interrupt that comes meanwhile must leave it alone. */
static int send_either_way(struct bench_node *n, int to, const struct packet *p, const uint8_t *payload, size_t len)
{
    struct link *l = &n->relay.link;
    if (bench_chance(2))
        return l->ops->send(l, to, p, len ? payload : NULL, len);
    uint8_t *wire = l->ops->reserve(l, to, p, len);
    if (!wire)
        return MPICO_AGAIN;
    for (size_t i = 0; i < len; i++)
        wire[i] = payload[i];
    interrupt(n);
    l->ops->commit(l, to, p, len);
    return 0;
}

int bench_send(int from, int to)
{
    struct bench_node *n = &bench.node[from];
    uint8_t payload[PAYLOAD_MAX];
    size_t len = length(from, to, n->sent[to], n->relay.link.mtu);
    for (size_t i = 0; i < len; i++)
        payload[i] = pattern(from, to, n->sent[to], i);
    struct packet p = packet_make(PACKET_EAGER, 0, 0, from, to, len, n->sent[to]);
    int e = send_either_way(n, to, &p, payload, len);
    if (e == 0)
        n->sent[to]++;
    assert_true(e == 0 || e == MPICO_AGAIN);
    return e;
}

static int may_talk(int a, int b)
{
    return !bench.node[a].dead && !bench.node[b].dead && !bench.node[a].lost[b] && !bench.node[b].lost[a];
}

int bench_traffic(uint32_t limit, uint32_t ticks)
{
    int open = 1;
    for (uint32_t begin = bench.now; open && bench.now - begin < ticks; bench_tick()) {
        open = 0;
        for (int i = 0; i < bench.nodes; i++)
            for (int k = 0; k < bench.nodes; k++) {
                int to = (int)((unsigned)(i + k) + bench.now % (unsigned)bench.nodes) % bench.nodes;
                if (!may_talk(i, to) || bench.node[i].sent[to] >= limit)
                    continue;
                open = 1;
                if (bench_chance(3) == 0)
                    bench_send(i, to);
            }
    }
    return !open;
}

static int all_come(void)
{
    for (int i = 0; i < bench.nodes; i++)
        for (int k = 0; k < bench.nodes; k++)
            if (may_talk(i, k) && bench.node[k].got[i] != bench.node[i].sent[k])
                return 0;
    return 1;
}

void bench_drain(uint32_t ticks)
{
    for (uint32_t begin = bench.now; !all_come(); bench_tick())
        if (bench.now - begin > ticks)
            fail_msg("stuck: %d nodes, tick %u", bench.nodes, bench.now);
}
