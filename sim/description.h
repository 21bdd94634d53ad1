/* description.h: a machine as its file (machines/<name>.toml) describes it. The file is a subset of TOML: tables,
 * strings, numbers, booleans, arrays of integers, comments. One table of rows (key, type, range, default, what it means)
 * is the schema: it checks, fills this struct, and prints the documentation.
 */
#ifndef MPICO_SIM_DESCRIPTION_H
#define MPICO_SIM_DESCRIPTION_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { DESCRIPTION_COSTS = 32, DESCRIPTION_AXES = 4, DESCRIPTION_TEXT = 512 };

enum progress_kind {
    PROGRESS_CALLS,      /* only while the program is inside a call of the library */
    PROGRESS_INTERRUPTS, /* interrupts take their time from the program */
    PROGRESS_PROCESSOR   /* a second processor handles them beside the program */
};
enum delivery_kind {
    DELIVERY_BUFFERED, /* every message comes through a buffer of the library */
    DELIVERY_DIRECT    /* its first packet finds where the others go, and the sender waits to be told */
};
enum network_kind { NETWORK_RING, NETWORK_MESH, NETWORK_CROSSBAR, NETWORK_LOGGP };

struct ring_description {
    double bytes_per_second; /* of one link */
    int full_duplex;         /* a node receives and sends at once */
    int reliable;            /* no check sums needed */
    double error_rate;       /* probability that a byte on a wire is damaged; only when not reliable */
    char discipline[32];     /* "windowed" or "stop-and-wait" */
};

struct mesh_description {
    int axes, extent[DESCRIPTION_AXES]; /* 8 x 8: axes 2, extent {8, 8} */
    int torus;
    int wormhole;         /* else packet-switched: a router keeps a whole packet, merges its inputs round-robin */
    double cycle_hz;      /* of the routers */
    int flit_bytes;       /* moved over a channel in one cycle */
    int virtual_channels; /* per physical channel (wormhole) */
    int buffer_flits;     /* per virtual channel (wormhole); packets per input (packet-switched) */
    int inject_flits;     /* 1 or 2 flits a cycle from the node into its router */
    int router_cycles;    /* delay of the head through one router */
    int packet_max_bytes; /* the interface cuts what is longer */
};

struct crossbar_description {
    int ports;           /* nodes of one crossbar */
    int cube_dimensions; /* 2^d crossbars joined as a hypercube; 0: one crossbar */
    double cycle_hz;
    int cycle_words; /* words moved through a circuit in one fixed cycle of the crossbar */
    int word_bytes;
    int arbiter_cycles; /* from a request to the circuit */
    int hop_cycles;     /* extra delay of each hop between crossbars */
};

struct loggp_description {
    double latency_ns, gap_ns, gap_ns_per_byte; /* L, g, G; o is cost.send and cost.recv */
};

/* Moments at which the operating system takes the processor, again and again, on each node at moments of its own. */
struct pauses_description {
    int kinds, lengths; /* of both lists: alike */
    int period_us[DESCRIPTION_AXES], length_us[DESCRIPTION_AXES];
};

struct description {
    char path[DESCRIPTION_TEXT];
    char name[64], about[DESCRIPTION_TEXT], source[DESCRIPTION_TEXT];
    int nodes_max; /* 0: as many as are asked for */
    /* The processor of a node. */
    double clock_hz;
    double flops_per_cycle;         /* of the arithmetic a program declares */
    double compute_bytes_per_cycle; /* of the memory traffic it declares */
    enum progress_kind progress;
    int dma_channels;       /* for copies within memory beside the processor; 0: none */
    double dma_copy_cycles; /* a byte */
    int dma_copy_min_bytes; /* shorter ones the processor does itself */
    enum delivery_kind delivery;
    int eager_bytes;                /* up to here a message travels with its header; 0: the port's choice */
    double cost[DESCRIPTION_COSTS]; /* cycles of each primitive operation, in the order of the names */
    enum network_kind network;
    struct ring_description ring;
    struct mesh_description mesh;
    struct crossbar_description crossbar;
    struct loggp_description loggp;
    struct pauses_description pauses;
};

/* Read and check. `cost_names` are the keys of table [cost], `costs` of them. 0; or negative with a sentence in `why` that
 * begins "file:line: " and says what to write instead. */
int description_read(struct description *, const char *path, const char *const *cost_names, int costs, char *why,
                     size_t room);
/* The same from text in memory (tests, fuzzing). `path` only names it. */
int description_parse(struct description *, const char *path, const char *text, size_t len,
                      const char *const *cost_names, int costs, char *why, size_t room);
/* Can so many ranks run on it? 0, or negative with the reason in `why`. */
int description_fits(const struct description *, int ranks, char *why, size_t room);
/* All that was read, with units, one line a key, for people; or as one JSON object. */
void description_show(const struct description *, const char *const *cost_names, int costs, FILE *);
void description_json(const struct description *, const char *const *cost_names, int costs, FILE *);
/* The schema as a Markdown table: key, type, range, default, meaning. */
void description_schema(const char *const *cost_names, int costs, FILE *);

#endif
