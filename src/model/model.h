/* model.h: what messages cost on a machine: the parameters of LogGP (A. Alexandrov, M. Ionescu, K. Schauser, C. Scheiman, "LogGP:
 * incorporating long messages into the LogP model", SPAA 1995), extended by what a real machine asks for: overheads that grow with the
 * message, lengths from which another protocol carries it, hops, and processors that ranks share.
 *
 * Whole numbers alone, so that all ranks of a job, whatever their processors, come to the same prices and to the same choice.
 * Times are in femtoseconds: 2^64 of them are five hours.
 */
#ifndef MPICO_MODEL_H
#define MPICO_MODEL_H

#include <stddef.h>
#include <stdint.h>

enum { MODEL_SEGMENTS = 4 };

/* Messages of at least `from` bytes, up to the next segment. A message of k bytes:
 * eager: the sender's processor for send + k send_byte, the way for latency + k way_byte, the receiver's processor for recv + k recv_byte;
 * rendezvous: the way begins when the sender has announced it and the receiver has posted, and the sender is done when the receiver is. */
struct model_segment {
    uint64_t from, rendezvous;
    uint64_t latency, send, send_byte, recv, recv_byte, way_byte;
    uint64_t
        copiers; /* of a rendezvous: 2: where the sender has nothing else to do, both copy, in half of the receiver's time */
};

struct model {
    uint64_t processors; /* which the ranks share */
    uint64_t gap;        /* least time from one send of a rank to its next */
    uint64_t step, change,
        hop; /* a step of a schedule; a processor goes from one rank to another; each hop beyond the first */
    uint64_t copy_byte, combine_byte; /* a byte copied within memory, of a vector combined */
    uint64_t segments;
    struct model_segment segment[MODEL_SEGMENTS]; /* ascending, the first from 0 */
};

/* Read "2 0 20000 ...": the members above in their order, then those of each segment, as decimal numbers. 0; -1: it is no such text. */
int mpico_model_read(struct model *, const char *text);

static inline const struct model_segment *model_segment(const struct model *m, uint64_t bytes)
{
    uint64_t i = m->segments - 1;
    while (i && bytes < m->segment[i].from)
        i--;
    return &m->segment[i];
}

#endif
