/* cost.h: what the library's primitive operations cost on a simulated machine. On a real one this is nothing
 * at all; the simulator loads its own build of the same sources, in which each charge moves the virtual clock
 * of the processor that pays. A charge stands where the work is done, so that a better protocol earns its
 * time by doing less.
 */
#ifndef MPICO_COST_H
#define MPICO_COST_H

#include <stddef.h>

enum cost {
    COST_CALL,             /* enter a function of the standard: find the objects, check the arguments */
    COST_MATCH,            /* look for, or post, one message or receive */
    COST_STEP,             /* one step of a schedule: choose it, start it */
    COST_COPY,             /* the processor moves one byte */
    COST_REDUCE,           /* combine one byte of two operands */
    COST_HEADER,           /* build a packet's header */
    COST_DECODE,           /* read one and decide */
    COST_ROUTE,            /* queue a packet on the outgoing link */
    COST_BUFFER,           /* find a packet buffer for a payload that comes, give it back */
    COST_INTERRUPT,        /* enter and leave an interrupt */
    COST_DMA,              /* program and start one DMA transfer */
    COST_SEGMENT,          /* cut the next packet from a message */
    COST_JOIN,             /* put a packet from its buffer in its place in the message */
    COST_TOKEN,            /* act on the token of a barrier */
    COST_BLOCKS,           /* work out where the blocks of an allgather between the wires go */
    COST_WAKE,             /* notice that a wait is over */
    COST_CRC,              /* the check sum of one byte */
    COST_SEND,             /* give one packet to a network interface that does the rest: LogP's o, sending */
    COST_RECV,             /* take one from it: LogP's o, receiving */
    COST_PACKET,           /* software below the library puts a packet into the network, or takes one out */
    COST_PACKET_BYTE,      /* and each byte of it */
    COST_PACKET_UNALIGNED, /* and one that it puts in, of a message whose memory does not begin at a page */
    COSTS
};

#if defined(MPICO_COSTS) && MPICO_COSTS
/* Charge `n` operations (COPY, REDUCE, CRC: bytes) to the processor that runs now. Any context. */
void mpico_cost(enum cost, size_t n);
static inline void cost(enum cost what, size_t n) { mpico_cost(what, n); }
/* A copy that a DMA channel does beside the processor: its start is charged now; mpico_cost_settle() lets the
 * clock wait until all such copies of this processor are finished. 0 when the machine has no such channel. */
int mpico_cost_dma_copy(size_t bytes);
void mpico_cost_settle(void);
#elif defined(MPICO_COSTS_NONE)
/* One object is for libraries with costs and without: it can have none. */
#define COSTS_NONE __attribute__((error("it charges, and src/CMakeLists.txt does not say so")))
COSTS_NONE void cost(enum cost, size_t n);
COSTS_NONE int mpico_cost_dma_copy(size_t bytes);
COSTS_NONE void mpico_cost_settle(void);
#else
static inline void cost(enum cost what, size_t n)
{
    (void)what;
    (void)n;
}
static inline int mpico_cost_dma_copy(size_t bytes)
{
    (void)bytes;
    return 0;
}
static inline void mpico_cost_settle(void) {}
#endif

#endif
