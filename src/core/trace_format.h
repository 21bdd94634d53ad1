/* trace_format.h: the memory of a trace, as mpiexec makes it, the ranks fill it and mpiexec reads it when they are gone:
 * plain data of fixed width, so that the reader needs nothing of a process that may have been killed.
 *
 *   struct trace_file | a region for each rank | the region of the links
 *   region: struct trace_region | records | tables of peers; a page costs memory when first touched
 *
 * Invariant: a region has one writer. A record is complete before `count` says that it is there; a full region stays
 * full, so that what it keeps is the beginning.
 */
#ifndef MPICO_TRACE_FORMAT_H
#define MPICO_TRACE_FORMAT_H

#include <assert.h>
#include <stdint.h>

#define TRACE_VARIABLE "MPICO_TRACE"
enum {
    TRACE_MAGIC = 0x6d706974,
    TRACE_VERSION = 1,
    TRACE_NAMES = 192, /* functions of the standard that one rank calls, or none for a name */
    TRACE_NAME_BYTES = 32,
    TRACE_PEERS_MIN = 16,
    TRACE_LINKS_MIN = 65536, /* links that can have a track: a machine may be larger than the job */
    TRACE_LINKS_A_RANK = 16,
    TRACE_PAGE = 4096
};
#define TRACE_REGION_BYTES ((uint64_t)64 << 20) /* of a region's records, at most */
#define TRACE_NS ((uint64_t)1000000000)         /* ticks a second of a real clock */
#define TRACE_PS ((uint64_t)1000000000000)      /* and of a virtual one, which starts at 0 */

enum trace_kind {
    TRACE_CALL = 1, /* a function of the standard; `bytes`: calls of it one right after the other */
    TRACE_WAIT,     /* nothing to do within a call; peer: whom for, or -1 */
    TRACE_COMPUTE,  /* what the program has declared */
    TRACE_SENT,     /* a packet, to `peer`: the number-th */
    TRACE_RECEIVED, /* from `peer`: the number-th */
    TRACE_LINK      /* link `peer` was busy */
};

struct trace_record {
    uint64_t at;
    uint64_t until; /* packets: their number among those of this pair and direction */
    uint8_t kind;
    uint8_t detail; /* packets: enum packet_kind; calls: 1, nothing happened in it that has a record */
    uint16_t name;
    int32_t peer, tag;
    uint32_t bytes; /* of the whole message; UINT32_MAX: as many or more */
};
static_assert(sizeof(struct trace_record) == 32, "a record is half a cache line");

/* Packets between this rank and another. Those with a record are the first `_kept` ones. */
struct trace_peer {
    uint32_t rank_1; /* world rank + 1; 0: free */
    uint32_t sent, sent_kept, received, received_kept;
};

struct trace_region {
    uint32_t claimed; /* 1: has its writer */
    uint32_t names;   /* in use; 0 is the unknown one */
    uint64_t count;   /* records, complete */
    uint64_t dropped; /* that found no room */
    uint64_t ticks_per_second;
    uint64_t last; /* the latest time in any record */
    /* Under way. */
    uint64_t call_from, wait_from;
    uint8_t in_call, in_wait, computes; /* computes: the call is a declared computation */
    uint16_t call_name;
    int32_t wait_peer, wait_tag;
    /* The table of peers: open addressing, at most half full. */
    uint32_t peers, peers_used; /* entries, a power of two */
    uint64_t peers_at;          /* offset in the region */
    char name[TRACE_NAMES][TRACE_NAME_BYTES];
};

struct trace_file {
    uint32_t magic, version;
    uint32_t ranks, links; /* links: that may have a name */
    uint64_t bytes;
    uint64_t region_at, region_bytes; /* of each rank */
    uint64_t links_at;                /* a region, then link_names_at names */
    uint64_t link_names_at;
    uint64_t records, link_records; /* room in the regions */
    uint64_t peers_at, peers_bytes; /* offset in a rank's region */
    uint64_t start_ns;              /* the real clock when the job began */
};

static inline struct trace_region *trace_region_of(struct trace_file *f, uint32_t rank)
{
    return (struct trace_region *)(void *)((char *)f + f->region_at + rank * f->region_bytes);
}
static inline struct trace_region *trace_links_of(struct trace_file *f)
{
    return (struct trace_region *)(void *)((char *)f + f->links_at);
}
static inline char *trace_link_name_of(struct trace_file *f, uint32_t link)
{
    return (char *)f + f->link_names_at + (uint64_t)link * TRACE_NAME_BYTES;
}
static inline struct trace_record *trace_records_of(struct trace_region *r)
{
    return (struct trace_record *)(void *)(r + 1);
}

/* Add a record; 0 when there is no room. */
static inline int trace_append(struct trace_region *g, uint64_t room, const struct trace_record *record)
{
    uint64_t n = g->count,
             end = record->kind == TRACE_SENT || record->kind == TRACE_RECEIVED ? record->at : record->until;
    if (end > g->last)
        g->last = end;
    if (n >= room) {
        g->dropped++;
        return 0;
    }
    trace_records_of(g)[n] = *record;
    __atomic_store_n(&g->count, n + 1, __ATOMIC_RELEASE);
    return 1;
}

static inline uint32_t trace_peer_hash(uint32_t rank) { return rank * 0x9e3779b1u >> 7; }

/* The entry of `rank`, or the free one where it would stand. `mask`: entries - 1. */
static inline struct trace_peer *trace_peer_in(struct trace_peer *table, uint32_t mask, uint32_t rank)
{
    uint32_t i = trace_peer_hash(rank) & mask;
    for (uint32_t tries = 0; tries < mask && table[i].rank_1 && table[i].rank_1 != rank + 1; tries++)
        i = (i + 1) & mask;
    return &table[i];
}

#endif
