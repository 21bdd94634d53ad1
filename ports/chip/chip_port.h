/* chip_port.h: the parts of ports/chip that know each other, and what the chip's folder calls. */
#ifndef MPICO_CHIP_PORT_H
#define MPICO_CHIP_PORT_H

#include "port.h"
#include "shared.h"

/* The ends of a ring: counts of bytes so far. The size is a power of 2, so that an index becomes an address in one step. */
struct way_out {
    _Alignas(LINE_BYTES) unsigned char *ring;
    uint64_t *sent;  /* where the receiver reads how far we are, */
    uint64_t *ready; /* and that somebody has rung */
    uint64_t at;
    uint64_t taken; /* what the receiver had read when we last looked */
};
struct way_in {
    const unsigned char *ring;
    const uint64_t *sent; /* where the sender says how far it is, */
    uint64_t *taken;      /* and where it reads how far we are */
    uint64_t at;
};

struct chip_link {
    struct link link;    /* first: a struct link * of this port is a struct chip_link * */
    uint64_t mask;       /* bytes of a ring - 1 */
    struct inbox *inbox; /* own */
    uint64_t mine, all;  /* the bit of this rank, and those of all */
    uint64_t pending;    /* ranks that have rung and may have more */
    uint64_t start;      /* of the record that is reserved, between reserve() and commit() */
    uint32_t idle;       /* polls that found nothing, since the last sleep */
    struct way_out out[HARTS_MAX];
    struct way_in in[HARTS_MAX];
};

/* link.c */
extern const struct link_ops mpico_chip_link_ops;
extern struct chip_link mpico_chip_link;
void mpico_chip_link_start(struct chip_link *, int me, int size);
/* Say that there is something for `who`: set our bit, and wake it if it sleeps. */
void mpico_chip_ring(int who);

/* collective.c: the operations direct and direct_state of the link. */
int mpico_chip_direct(struct link *, enum direct, void *buf, size_t bytes, int root, int quiet);
int mpico_chip_direct_state(struct link *);

/* sleep.c. Until somebody rings; ends the job when all sleep and nothing is under way. */
void mpico_chip_sleep(void);
/* End that of `who`, if it sleeps or naps. Its bit is set already. */
void mpico_chip_wake(int who);
/* The same for a short while: for one that asks again and again. */
void mpico_chip_nap(void);
/* The bits of all ranks. */
uint64_t mpico_chip_all(void);
/* This rank has ended with `code`. The last one ends the machine. */
_Noreturn void mpico_chip_leave(int code);

/* report.c: say what each rank waits for, and end the job. */
_Noreturn void mpico_chip_stuck(void);

/* print.c: a line on the console, whole. May sleep until the console is free. */
void mpico_chip_print(const char *line, size_t len);

/* The chip's folder: print what the program has written and not ended with a newline. */
void mpico_chip_flush(void);

#endif
