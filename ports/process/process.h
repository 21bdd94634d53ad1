/* process.h: what the files of this port share. One process is one rank; its peers are processes of the
 * same host that map the same job.
 */
#ifndef MPICO_PROCESS_H
#define MPICO_PROCESS_H

#include <assert.h>

#include "core/rank.h"
#include "job.h"
#include "lengths.h"
#include "port.h"

/* One packet in one cache line: a short message costs the receiver one miss. */
struct cell {
    _Atomic uint32_t turn; /* position in the endless sequence of cells, plus 1: written last */
    uint32_t data_at;      /* payload longer than CELL_BYTES: where in the ring's data */
    struct packet packet;
    uint32_t len;
    char bytes[JOB_LINE - 44];
};
static_assert(sizeof(struct cell) == JOB_LINE, "a cell is one cache line");
enum { CELL_BYTES = JOB_LINE - 44, CELL_NUDGE = 0 /* as packet.kind: no message, see mpico_process_nudge */ };

/* An offer of the ring's sender, who is pulling a long message, to its peer: push this part meanwhile. */
enum offer_state { OFFER_NONE, OFFER_OPEN, OFFER_TAKEN, OFFER_DONE, OFFER_FAILED };
struct offer {
    _Atomic uint32_t state;
    uint64_t from, to, len; /* addresses in the helper's and in the offering process */
};

struct ring {
    _Alignas(JOB_LINE) _Atomic uint64_t taken; /* by the receiver: cells (low half), data bytes (high half) */
    _Alignas(JOB_LINE) struct offer offer;
    _Alignas(JOB_LINE) struct cell cell[]; /* job->cells, then job->data_bytes of payload */
};

static_assert(offsetof(struct ring, cell) == 2 * JOB_LINE, "cells start on a line, where job_layout() has put them");

/* The private halves of a ring. Counters are endless; positions are taken modulo the length. */
struct ring_out {
    struct ring *ring;
    char *data;
    uint32_t cell, data_head;        /* next to write */
    uint32_t cell_taken, data_taken; /* last seen of the receiver's progress */
    uint32_t reserved_at;
};
struct ring_in {
    struct ring *ring;
    const char *data;
    uint32_t cell, data_head;      /* next to read: data_head is the end of what was read */
    uint32_t cell_told, data_told; /* what the sender has been told */
};

struct process {
    struct link link; /* first: a struct link * of this port is a struct process * */
    struct job *job;
    int job_fd;        /* -1: a job of one, which has none */
    struct slot *slot; /* our own */
    struct ring_out *out;
    struct ring_in *in;
    uint32_t mask, data_mask;
    int no_barrier;       /* no membarrier(): sleep in short naps instead */
    int refused;          /* the kernel forbids process_vm_readv(): not tried again */
    uint32_t favours;     /* polls in a row that served only the waited-for peer */
    uint32_t empty_polls; /* in a row, without a wait between */
    uint64_t spin_until;
    uint32_t spin_ns;  /* before a sleep */
    int beside_ringer; /* woken on the processor of the one who rang: it may be waiting for this very processor */
    char host[65];     /* what gethostname() says */
};

extern const struct link_ops mpico_process_link_ops;
/* One copy of a long message between two processes, shared by both CPUs (copy.c). */
int mpico_process_get(struct link *, int source, void *local, uint64_t remote, size_t len);
/* Take up the offer that stands in the ring from `source` to us, if it is still open. */
void mpico_process_help(struct process *, int source);
/* A packet without a message: the peer looks at the offer. 0, or MPICO_AGAIN. */
int mpico_process_nudge(struct process *, int dest);
/* 1 when a packet waits, or room has appeared for one of ours: do not sleep. */
int mpico_process_ready(struct process *);
/* Set up the private ends of all rings. 0 or negative. */
int mpico_process_link_start(struct process *, struct rank *);
void mpico_process_ring_bell(struct slot *);
/* From here on every packet rings the bell, even one that is being written now; look once more before sleeping. The bell's value. */
uint32_t mpico_process_lie_down(struct process *);
extern const struct thread_ops mpico_process_threads;
/* Negative when another launcher has started this process as one of several: said so. */
int mpico_process_foreign(void);
/* machine.share() and unshare(), in share.c. */
void *mpico_process_share(struct rank *, uint64_t *name, size_t bytes);
void mpico_process_unshare(struct rank *, void *memory, uint64_t name, size_t bytes, int last);
/* machine.where(), in where.c. */
int mpico_process_where(struct rank *, const void *address, char *text, size_t room);

#endif
