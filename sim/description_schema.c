/* description_schema.c: the keys of machine files, their ranges and what they mean.
 *
 * Invariant: the keys of a table are unique for one kind of network; a row's target in struct description has the type
 * that enum row_type says.
 */
#include "description_schema.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum {
    RING = 1 << NETWORK_RING,
    MESH = 1 << NETWORK_MESH,
    CROSSBAR = 1 << NETWORK_CROSSBAR,
    LOGGP = 1 << NETWORK_LOGGP
};

/* Where a field is; a macro, as offsetof needs the name. */
#define AT(field) .offset = offsetof(struct description, field)
#define TEXT_AT(field) AT(field), .room = sizeof((struct description *)0)->field

const char *const schema_kinds[SCHEMA_KINDS + 1] = {"ring", "mesh", "crossbar", "loggp", NULL};
static const char *const progress_words[] = {"calls", "interrupts", "processor", NULL};
static const char *const delivery_words[] = {"buffered", "direct", NULL};
static const char *const discipline_words[] = {"windowed", "stop-and-wait", NULL};

static const struct row before_costs[] = {
    {"", "name", ROW_TEXT, TEXT_AT(name), .meaning = "what reports and traces call the machine"},
    {"", "about", ROW_TEXT, .optional = 1, TEXT_AT(about), .meaning = "one sentence about it"},
    {"", "source", ROW_TEXT, TEXT_AT(source), .meaning = "where its numbers come from"},
    {"", "nodes_max", ROW_WHOLE, .optional = 1, .most = 1000000, AT(nodes_max),
     .pity = "a machine is of at most a million nodes", .meaning = "nodes it can have; 0: as many as are asked for"},

    {"processor", "clock_hz", ROW_NUMBER, .least = 1e3, .most = 1e12, .unit = "Hz", AT(clock_hz),
     .pity = "costs are in cycles of this clock",
     .meaning = "the processor's clock: the unit of all cycles but a network's own"},
    {"processor", "flops_per_cycle", ROW_NUMBER, .above = 1, .most = 1e6, .unit = "flop/cycle", AT(flops_per_cycle),
     .pity = "arithmetic would never end, or cost nothing",
     .meaning = "rate of the arithmetic that a program declares"},
    {"processor", "compute_bytes_per_cycle", ROW_NUMBER, .above = 1, .most = 1e6, .unit = "B/cycle",
     AT(compute_bytes_per_cycle), .pity = "memory traffic would never end, or cost nothing",
     .meaning = "rate of the memory traffic that it declares"},
    {"processor", "progress", ROW_CHOICE, AT(progress), .words = progress_words,
     .meaning = "who handles messages while the program computes: nobody, only its calls do; interrupts, which take "
                "their time from it; a second processor beside it"},
    {"processor", "dma_channels", ROW_WHOLE, .optional = 1, .most = 64, AT(dma_channels), .pity = "no node has so many",
     .meaning = "channels that copy within memory beside the processor; 0: none"},
    {"processor", "dma_copy_cycles", ROW_NUMBER, .optional = 1, .most = SCHEMA_COST_MAX, .unit = "cycles/B",
     AT(dma_copy_cycles), .pity = "a copy takes time forward, and not for ever",
     .meaning = "what such a copy takes; needed where there are channels"},
    {"processor", "dma_copy_min_bytes", ROW_WHOLE, .optional = 1, .most = 1 << 30, .unit = "B", AT(dma_copy_min_bytes),
     .pity = "no copy is so long", .meaning = "shorter copies the processor does itself"},
    {"processor", "delivery", ROW_CHOICE, .optional = 1, AT(delivery), .words = delivery_words,
     .meaning =
         "where messages of several packets go: through a buffer of the library, or straight to the receive that "
         "their first packet finds, or else to a buffer of the system, where the sender waits to be told"},
    {"processor", "eager_bytes", ROW_WHOLE, .optional = 1, .most = 1 << 30, .unit = "B", AT(eager_bytes),
     .pity = "no message is so long",
     .meaning = "up to here a message travels with its header; 0: the library's choice"},
};

static const struct row network[] = {
    {"network", "kind", ROW_CHOICE, AT(network), .words = schema_kinds, .meaning = "what the network is"},

    {"network", "bytes_per_second", ROW_NUMBER, RING, .above = 1, .most = 1e15, .unit = "B/s",
     AT(ring.bytes_per_second), .pity = "a link that carries nothing connects nobody", .meaning = "of one link"},
    {"network", "full_duplex", ROW_FLAG, RING, AT(ring.full_duplex), .meaning = "a node receives and sends at once"},
    {"network", "reliable", ROW_FLAG, RING, AT(ring.reliable),
     .meaning = "no byte is ever damaged: no check sums are needed"},
    {"network", "error_rate", ROW_NUMBER, RING, .optional = 1, .most = 0.1, AT(ring.error_rate),
     .pity = "a probability; above one in ten hardly a packet would arrive",
     .meaning = "probability that a byte on a wire is damaged; only where reliable = false"},
    {"network", "discipline", ROW_WORD, RING, .optional = 1, TEXT_AT(ring.discipline), .words = discipline_words,
     .meaning = "how the ring carries packets, unless `mpiexec --discipline` says so"},

    {"network", "extent", ROW_EXTENTS, MESH, .least = 1, .most = 1000000, AT(mesh.extent),
     .room = offsetof(struct description, mesh.axes), .pity = "an axis without routers leads nowhere",
     .meaning = "routers along each axis, as in [8, 8]; node n is at n modulo the first, and so on"},
    {"network", "torus", ROW_FLAG, MESH, .optional = 1, AT(mesh.torus), .meaning = "each axis is closed to a ring"},
    {"network", "wormhole", ROW_FLAG, MESH, AT(mesh.wormhole),
     .meaning = "flits follow their head through the routers; else a router keeps whole packets and merges its inputs "
                "in turn"},
    {"network", "cycle_hz", ROW_NUMBER, MESH, .least = 1e3, .most = 1e12, .unit = "Hz", AT(mesh.cycle_hz),
     .pity = "a router without a clock moves nothing", .meaning = "the routers' clock"},
    {"network", "flit_bytes", ROW_WHOLE, MESH, .least = 1, .most = 65536, .unit = "B", AT(mesh.flit_bytes),
     .pity = "a channel moves one flit a cycle", .meaning = "moved over a channel in one cycle of the routers"},
    {"network", "virtual_channels", ROW_WHOLE, MESH, .optional = 1, .otherwise = 1, .least = 1, .most = 21,
     AT(mesh.virtual_channels), .pity = "each physical channel needs one, and a router keeps no more",
     .meaning = "of each physical channel; only where wormhole = true. A torus needs two"},
    {"network", "buffer_flits", ROW_WHOLE, MESH, .least = 1, .most = 65536, AT(mesh.buffer_flits),
     .pity = "a router without buffers takes nothing",
     .meaning = "flits that a virtual channel keeps; packet-switched: packets an input keeps"},
    {"network", "inject_flits", ROW_WHOLE, MESH, .optional = 1, .otherwise = 1, .least = 1, .most = 64,
     .unit = "flit/cycle", AT(mesh.inject_flits), .pity = "a node that injects nothing never sends",
     .meaning = "from a node into its router"},
    {"network", "router_cycles", ROW_WHOLE, MESH, .most = 1 << 20, .unit = "cycles", AT(mesh.router_cycles),
     .pity = "no router looks so long", .meaning = "delay of a head through one router"},
    {"network", "packet_max_bytes", ROW_WHOLE, MESH, .optional = 1, .most = 1 << 30, .unit = "B",
     AT(mesh.packet_max_bytes), .pity = "no packet is so long",
     .meaning = "the interface cuts what is longer; 0: nothing is cut"},

    {"network", "ports", ROW_WHOLE, CROSSBAR, .least = 1, .most = 65536, AT(crossbar.ports),
     .pity = "a crossbar without ports connects nobody", .meaning = "nodes of one crossbar"},
    {"network", "cube_dimensions", ROW_WHOLE, CROSSBAR, .optional = 1, .most = 16, AT(crossbar.cube_dimensions),
     .pity = "2 to this power crossbars are joined",
     .meaning = "2^d crossbars are joined as a hypercube; 0: one crossbar"},
    {"network", "cycle_hz", ROW_NUMBER, CROSSBAR, .least = 234, .most = 1e12, .unit = "Hz", AT(crossbar.cycle_hz),
     .pity = "the simulator's clock is that slow at least, and no faster",
     .meaning = "fixed cycles of the crossbar in a second"},
    {"network", "cycle_words", ROW_WHOLE, CROSSBAR, .least = 1, .most = 1 << 30, .unit = "words",
     AT(crossbar.cycle_words), .pity = "a circuit that carries nothing connects nobody",
     .meaning = "moved through a circuit in one fixed cycle"},
    {"network", "word_bytes", ROW_WHOLE, CROSSBAR, .least = 1, .most = 4096, .unit = "B", AT(crossbar.word_bytes),
     .pity = "a word is of some bytes", .meaning = "of one word"},
    {"network", "arbiter_cycles", ROW_WHOLE, CROSSBAR, .least = 1, .most = 1 << 20, .unit = "cycles",
     AT(crossbar.arbiter_cycles), .pity = "what is asked for in one cycle is granted for a later one",
     .meaning = "from a message's request to its first circuit"},
    {"network", "hop_cycles", ROW_WHOLE, CROSSBAR, .optional = 1, .most = 1 << 20, .unit = "cycles",
     AT(crossbar.hop_cycles), .pity = "no link is so long", .meaning = "extra delay of each hop between crossbars"},

    {"network", "latency_ns", ROW_NUMBER, LOGGP, .most = 1e9, .unit = "ns", AT(loggp.latency_ns),
     .pity = "a message takes time forward, and not longer than a second",
     .meaning = "L: from one interface to the other"},
    {"network", "gap_ns", ROW_NUMBER, LOGGP, .most = 1e9, .unit = "ns", AT(loggp.gap_ns),
     .pity = "an interface is busy forward, and not longer than a second",
     .meaning = "g: between two messages at one interface"},
    {"network", "gap_ns_per_byte", ROW_NUMBER, LOGGP, .most = 1e6, .unit = "ns/B", AT(loggp.gap_ns_per_byte),
     .pity = "a byte takes time forward, and not longer than a millisecond",
     .meaning = "G: of a long message, each byte; the inverse of the bandwidth"},

    {"pauses", "period_us", ROW_EXTENTS, .optional = 1, .least = 1, .most = 1e9, .unit = "us", AT(pauses.period_us),
     .room = offsetof(struct description, pauses.kinds),
     .pity = "a pause comes again after a while, within a quarter of an hour",
     .meaning = "how often the operating system takes the processor; several kinds of pauses, as in [10000, 1000000]"},
    {"pauses", "length_us", ROW_EXTENTS, .optional = 1, .least = 1, .most = 1e6, .unit = "us", AT(pauses.length_us),
     .room = offsetof(struct description, pauses.lengths),
     .pity = "a pause takes a while, and not longer than a second",
     .meaning = "for how long, of each kind; shorter than its period"},
};
enum { BEFORE = sizeof before_costs / sizeof before_costs[0], AFTER = sizeof network / sizeof network[0] };
_Static_assert(BEFORE + DESCRIPTION_COSTS + AFTER <= SCHEMA_ROWS_MAX, "tables of rows are of SCHEMA_ROWS_MAX");

/* What the library's costs mean, for the documentation, in the words of src/cost.h. */
static const char *const cost_meaning[][2] = {
    {"call", "enter a function of the standard: find the objects, check the arguments"},
    {"match", "look for, or post, one message or receive"},
    {"step", "one step of a schedule: choose it, start it"},
    {"copy", "the processor moves one byte"},
    {"reduce", "combine one byte of two operands"},
    {"header", "build a packet's header"},
    {"decode", "read one and decide"},
    {"route", "queue a packet on the outgoing link"},
    {"buffer", "find a packet buffer for a payload that comes, give it back"},
    {"interrupt", "enter and leave an interrupt"},
    {"dma", "program and start one DMA transfer"},
    {"segment", "cut the next packet from a message"},
    {"join", "put a packet from its buffer in its place in the message"},
    {"token", "act on the token of a barrier"},
    {"blocks", "work out where the blocks of an allgather between the wires go"},
    {"wake", "notice that a wait is over"},
    {"crc", "the check sum of one byte"},
    {"send", "give one packet to a network interface that does the rest: LogP's o, sending"},
    {"recv", "take one from it: LogP's o, receiving"},
    {"packet", "software below the library puts a packet into the network, or takes one out"},
    {"packet_byte", "and each byte of it"},
    {"packet_unaligned", "and one that it puts in, of a message whose memory does not begin at a page"},
};

/* They came later than the others, and most machines do without. */
static int is_optional(const char *cost) { return !strncmp(cost, "packet", strlen("packet")); }

static struct row cost_row(const char *name, int i)
{
    struct row r = {.table = "cost",
                    .key = name,
                    .type = ROW_NUMBER,
                    .optional = is_optional(name),
                    .most = SCHEMA_COST_MAX,
                    .offset = offsetof(struct description, cost) + (size_t)i * sizeof(double),
                    .unit = "cycles",
                    .pity = "work takes time forward, and not for ever",
                    .meaning = "one such operation"};
    for (size_t m = 0; m < sizeof cost_meaning / sizeof cost_meaning[0]; m++)
        if (!strcmp(cost_meaning[m][0], name))
            r.meaning = cost_meaning[m][1];
    return r;
}

int schema_rows(int costs)
{
    assert(costs >= 0 && costs <= DESCRIPTION_COSTS);
    return BEFORE + costs + AFTER;
}

struct row schema_row(const char *const *cost_names, int costs, int i)
{
    if (i < BEFORE)
        return before_costs[i];
    return i < BEFORE + costs ? cost_row(cost_names[i - BEFORE], i - BEFORE) : network[i - BEFORE - costs];
}

int schema_has(const struct row *r, int kind) { return !r->kinds || kind < 0 || (r->kinds >> kind & 1); }

void schema_name(const struct row *r, char *text, size_t room)
{
    snprintf(text, room, "%s%s%s", r->table, *r->table ? "." : "", r->key);
}

static void words_range(const struct row *r, char *text, size_t room)
{
    size_t used = 0;
    for (int i = 0; r->words[i] && used < room; i++) {
        const char *between = i == 0 ? "" : r->words[i + 1] ? ", " : " or ";
        used += (size_t)snprintf(text + used, room - used, "%s\"%s\"", between, r->words[i]);
    }
}

void schema_range(const struct row *r, char *text, size_t room)
{
    switch (r->type) {
    case ROW_TEXT:
        snprintf(text, room, "a text of up to %zu bytes", r->room - 1);
        return;
    case ROW_FLAG:
        snprintf(text, room, "true or false");
        return;
    case ROW_CHOICE:
    case ROW_WORD:
        words_range(r, text, room);
        return;
    case ROW_WHOLE:
    case ROW_NUMBER:
        snprintf(text, room, r->above ? "above %.10g, up to %.10g" : "%.10g to %.10g", r->least, r->most);
        return;
    case ROW_EXTENTS:
        snprintf(text, room, "1 to %d numbers of %.10g to %.10g", DESCRIPTION_AXES, r->least, r->most);
    }
}
