/* test_mesh_flits.c: the wormhole routers against a plain simulation that moves flits one by one through queues,
 * looks at every router in every cycle, and shares no code with sim/: the instants of all messages must be equal.
 */
#include "mesh_traffic.h"
#include "sim/network.h"

enum { ROUTERS = 16, PORTS = 5, LANES = 4, PLACES = 8, MESSAGES = 600, LOCAL = 4 };

struct flit {
    int message, tail;
    uint64_t ready;
};
struct queue {
    struct flit flit[PLACES];
    int count, before; /* flits; as it was before this cycle */
    int lane;          /* of the output the packet at the front goes to; -1: not yet given */
};
struct out {
    int owner[LANES];                /* 1 + port * LANES + lane of the input; 0: none */
    int port[2], lane[2][PORTS];     /* served last: lanes given, flits moved */
    int from_port, from_lane, moves; /* in this cycle: the input, the lane it moves into or -1 */
};
struct source {
    int next, cut, left, lane; /* message, bytes of it cut, flits of the packet to go, where they go */
};
static struct mesh_description d;
static struct queue in[ROUTERS][PORTS][LANES];
static struct out out[ROUTERS][PORTS];
static struct source source[ROUTERS];
static struct message message[MESSAGES];
static struct later later[MESSAGES];
static struct {
    uint64_t begin, sent, arrived;
    int missing;
} expected[MESSAGES];
static uint64_t cycle;
static int done;

/* Where a packet at router r goes: the port, and which of its lanes it may take. */
static int way(int r, int to, int *first_lane, int *end_lane)
{
    int width = d.extent[0], at[2] = {r % width, r / width}, goal[2] = {to % width, to / width};
    *first_lane = 0;
    *end_lane = d.virtual_channels;
    for (int axis = 0; axis < 2; axis++) {
        int n = d.extent[axis], away = goal[axis] - at[axis];
        if (!away)
            continue;
        int up = d.torus ? (away > 0 ? 2 * away <= n : -2 * away >= n) : away > 0;
        if (d.torus && (away > 0) == up)
            *first_lane = d.virtual_channels / 2; /* it has not the wrap-around link before it */
        else if (d.torus)
            *end_lane = d.virtual_channels / 2;
        return 2 * axis + (up ? 0 : 1);
    }
    return LOCAL;
}

static int beside(int r, int port)
{
    int width = d.extent[0], x = r % width, y = r / width, step = port % 2 ? -1 : 1;
    if (port / 2 == 0)
        x = (x + step + width) % width;
    else
        y = (y + step + d.extent[1]) % d.extent[1];
    return y * width + x;
}

static int room(int r, int port, int lane)
{
    return port == LOCAL ? 1 : in[beside(r, port)][port][lane].before < d.buffer_flits;
}

/* The lane that input (p, l) would be given at output `port` of r; -1: none, or it does not ask. */
static int gets(int r, int port, int p, int l)
{
    const struct queue *q = &in[r][p][l];
    int lane, end_lane;
    if (!q->before || q->lane >= 0 || q->flit[0].ready > cycle ||
        way(r, message[q->flit[0].message].transfer.to, &lane, &end_lane) != port)
        return -1;
    for (; lane < end_lane; lane++)
        if (!out[r][port].owner[lane])
            return lane;
    return -1;
}

static int moves(int r, int port, int p, int l)
{
    const struct queue *q = &in[r][p][l];
    for (int lane = 0; lane < d.virtual_channels; lane++)
        if (out[r][port].owner[lane] == 1 + p * LANES + l)
            return q->before && q->lane == lane && room(r, port, lane) ? lane : -1;
    return -1;
}

/* The first input in turn for which `what` finds a lane. */
static int in_turn(int r, int port, int kind, int (*what)(int, int, int, int), int *p, int *l)
{
    struct out *o = &out[r][port];
    for (int i = 1; i <= PORTS; i++)
        for (int j = 1; j <= d.virtual_channels; j++) {
            *p = (o->port[kind] + i) % PORTS;
            *l = (o->lane[kind][*p] + j) % d.virtual_channels;
            int lane = what(r, port, *p, *l);
            if (lane < 0)
                continue;
            o->port[kind] = *p;
            o->lane[kind][*p] = *l;
            return lane;
        }
    return -1;
}

static void decide(int r, int port)
{
    int p, l, lane;
    struct out *o = &out[r][port];
    while ((lane = in_turn(r, port, 0, gets, &p, &l)) >= 0) {
        o->owner[lane] = 1 + p * LANES + l;
        in[r][p][l].lane = lane;
    }
    o->moves = in_turn(r, port, 1, moves, &o->from_port, &o->from_lane);
}

static void append(struct queue *q, struct flit f)
{
    f.ready = cycle + 1 + (uint64_t)d.router_cycles;
    assert_true(q->count < d.buffer_flits);
    q->flit[q->count++] = f;
}

static void move(int r, int port)
{
    struct out *o = &out[r][port];
    if (o->moves < 0)
        return;
    struct queue *q = &in[r][o->from_port][o->from_lane];
    struct flit f = q->flit[0];
    memmove(q->flit, q->flit + 1, (size_t)--q->count * sizeof q->flit[0]);
    if (f.tail) {
        q->lane = -1;
        o->owner[o->moves] = 0;
    }
    if (port != LOCAL)
        append(&in[beside(r, port)][port][o->moves], f);
    else if (f.tail && --expected[f.message].missing == 0) {
        expected[f.message].arrived = cycle + 1;
        done++;
    }
}

static int bytes_of(int i) { return (int)message[i].transfer.bytes; }

static int begin_packet(struct source *s, int node)
{
    int best = 0;
    for (int l = 1; l < d.virtual_channels; l++)
        if (in[node][LOCAL][l].before < in[node][LOCAL][best].before)
            best = l;
    if (in[node][LOCAL][best].before == d.buffer_flits)
        return 0;
    int rest = bytes_of(s->next) - s->cut, part = rest < d.packet_max_bytes ? rest : d.packet_max_bytes;
    s->cut += part;
    s->left = 1 + (part + d.flit_bytes - 1) / d.flit_bytes;
    s->lane = best;
    return 1;
}

static int next_of(int node, int i)
{
    while (i < MESSAGES && message[i].transfer.from != node)
        i++;
    return i;
}

static void inject(int node)
{
    struct source *s = &source[node];
    s->next = next_of(node, s->next);
    if (s->next == MESSAGES || expected[s->next].begin > cycle || (!s->left && !begin_packet(s, node)))
        return;
    struct queue *q = &in[node][LOCAL][s->lane];
    for (int i = 0, places = d.buffer_flits - q->before; i < d.inject_flits && i < places && s->left; i++) {
        s->left--;
        append(q, (struct flit){.message = s->next, .tail = !s->left});
    }
    if (s->left || s->cut < bytes_of(s->next))
        return;
    expected[s->next++].sent = cycle + 1;
    s->cut = 0;
}

static void plain_cycle(void)
{
    for (int r = 0; r < ROUTERS; r++)
        for (int p = 0; p < PORTS; p++)
            for (int l = 0; l < LANES; l++)
                in[r][p][l].before = in[r][p][l].count;
    for (int r = 0; r < ROUTERS; r++)
        for (int p = 0; p < PORTS; p++)
            decide(r, p);
    for (int r = 0; r < ROUTERS; r++)
        for (int p = 0; p < PORTS; p++)
            move(r, p);
    for (int node = 0; node < ROUTERS; node++)
        inject(node);
    cycle++;
}

static void plain_run(void)
{
    memset(in, 0, sizeof in);
    memset(out, 0, sizeof out);
    memset(source, 0, sizeof source);
    for (int r = 0; r < ROUTERS; r++)
        for (int p = 0; p < PORTS; p++)
            for (int l = 0; l < LANES; l++)
                in[r][p][l].lane = -1;
    for (int i = 0; i < MESSAGES; i++)
        expected[i].missing = bytes_of(i) ? (bytes_of(i) + d.packet_max_bytes - 1) / d.packet_max_bytes : 1;
    for (cycle = 0, done = 0; done < MESSAGES;) {
        plain_cycle();
        assert_true(cycle < 1000000);
    }
}

static void random_traffic(uint32_t seed, int sinks, int most_bytes, int pace)
{
    uint64_t begin_cycle = 0;
    for (int i = 0; i < MESSAGES; i++) {
        seed = seed * 1664525u + 1013904223u;
        int to = (int)(seed >> 16) % sinks, from = (to + 1 + (int)(seed >> 20) % (ROUTERS - 1)) % ROUTERS;
        begin_cycle += pace ? (seed >> 10) % (uint32_t)pace : 0;
        later[i] = (struct later){.event.run = send_later, .message = &message[i], .from = from, .to = to};
        later[i].bytes = (seed >> 6) % (uint32_t)most_bytes;
        engine_schedule(&engine, &later[i].event, begin_cycle * CYCLE);
        expected[i].begin = begin_cycle;
    }
}

/* Messages of a pair wait for each other. */
static uint64_t in_order(int i)
{
    uint64_t arrived = expected[i].arrived;
    for (int j = 0; j < i; j++)
        if (message[j].transfer.from == message[i].transfer.from && message[j].transfer.to == message[i].transfer.to &&
            expected[j].arrived > arrived)
            arrived = expected[j].arrived;
    return arrived;
}

static void compare(uint32_t seed, int sinks, int most_bytes, int pace)
{
    begin(&d, ROUTERS);
    random_traffic(seed, sinks, most_bytes, pace);
    end();
    assert_int_equal(arrivals, MESSAGES);
    plain_run();
    for (int i = 0; i < MESSAGES; i++) {
        assert_int_equal(message[i].sent, expected[i].sent);
        assert_int_equal(message[i].arrived, in_order(i));
    }
}

static void compare_all(int torus, int lanes)
{
    static const int buffers[] = {1, 3, 8}, delays[] = {0, 1, 4};
    d = (struct mesh_description){.axes = 2,
                                  .extent = {4, 4},
                                  .torus = torus,
                                  .wormhole = 1,
                                  .cycle_hz = 1e8,
                                  .flit_bytes = 4,
                                  .virtual_channels = lanes,
                                  .packet_max_bytes = 40};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            d.buffer_flits = buffers[i];
            d.router_cycles = delays[j];
            d.inject_flits = 1 + (i + j) % 2;
            compare((uint32_t)(i + 10 * j), ROUTERS, 100, 0);
            compare((uint32_t)(i + 20 * j), ROUTERS, 30, 9);
            compare((uint32_t)(i + 30 * j), 2, 60, 40);
        }
    d.extent[0] = 8;
    d.extent[1] = 2;
    if (!torus)
        compare(77, ROUTERS, 100, 3);
}

static void as_a_mesh(void **unused)
{
    (void)unused;
    for (int lanes = 1; lanes <= LANES; lanes++)
        compare_all(0, lanes);
}

static void as_a_torus(void **unused)
{
    (void)unused;
    for (int lanes = 2; lanes <= LANES; lanes++)
        compare_all(1, lanes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_a_mesh),
        cmocka_unit_test(as_a_torus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
