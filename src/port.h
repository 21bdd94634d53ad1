/* port.h: the contract between the library and the place it runs in.
 *
 * A port is a machine (time, waiting, the end of the job) and the links that
 * leave it. Nothing above this header knows an operating system; a port calls
 * up through the functions at its end alone, of which every port needs
 * mpico_rank_place(), mpico_rank_attach() and mpico_arrive().
 */
#ifndef MPICO_PORT_H
#define MPICO_PORT_H

#include <stddef.h>
#include <stdint.h>

#include "core/packet.h"

struct rank;
struct settings;
struct link;
struct request;

/* Results inside the library: 0, a negative code, or this positive "again". */
enum { MPICO_AGAIN = 1, MPICO_LENT = 2 };

/* Collectives that a network does by itself. */
enum direct { DIRECT_BARRIER = 1, DIRECT_BCAST, DIRECT_ALLGATHER };

/* What a place with threads can do for a rank whose program has several. Words are futexes: sleep() returns once *word is not
 * `seen`, or is woken, or for no reason; `bell` says that it is the word of bell(). The first three may come before start(). */
struct thread_ops {
    void (*yield)(void);
    void (*sleep)(uint32_t *word, uint32_t seen, int bell);
    void (*wake)(uint32_t *word);
    /* The calling thread is about to sleep for the rank: the word that changes when a packet comes or room for one, and its
     * value; NULL: there is something already. The rank's lock is held, and is given up before sleep(). */
    uint32_t *(*bell)(struct rank *, uint32_t *seen);
    /* It sleeps no more; and: make it do so. The lock is held. */
    void (*awake)(struct rank *);
    void (*ring)(struct rank *);
};

/* One const instance a port. */
struct machine {
    const char *name;
    const char *arch; /* the processor, for MPI_INFO_ENV; NULL or empty: not known */
    /* Learn rank and size, give the arena and the note, add links with
     * mpico_rank_attach(). 0, or negative with the reason already printed. */
    int (*start)(struct rank *, int *argc, char ***argv);
    /* Change the settings that the place has something to say about. May be called before start(). 0, or negative with the reason
     * already printed. Optional. */
    int (*settings)(struct settings *);
    /* The program has closed its last session, without the other ranks (1): it may end now, or (0) go on with another one, also
     * after stop(). NULL: here a rank that has left does not come back. */
    void (*away)(struct rank *, int);
    /* Leave. MPI_Finalize has synchronised all ranks: nobody sends to this one any more. Never blocks. */
    void (*stop)(struct rank *);
    /* Nanoseconds since an arbitrary start; virtual in a simulation. Never blocks. */
    uint64_t (*now)(void);
    /* Nothing to do: pause, yield or sleep. `idle` counts the fruitless calls since
     * the last packet, so that the port can escalate. May return at any time. See mpico_note_fill(). */
    void (*wait)(struct rank *, uint32_t idle);
    /* MPI_THREAD_MULTIPLE: then wait() is not called. NULL: not here. */
    const struct thread_ops *threads;
    /* 1: wait() returns at once while a packet waits to be polled, so that nobody needs to look before. */
    uint8_t wait_looks;
    /* End the whole job: print `why`, do not return. Any context. */
    __attribute__((noreturn)) void (*halt)(struct rank *, int code, const char *why);
    /* One line for the user (warnings, leaks). Optional. */
    void (*say)(struct rank *, const char *line);
    /* The host's name, for MPI_Get_processor_name. Lives as long as the rank. Optional. */
    const char *(*processor)(struct rank *);
    /* Where in the program's source the code at `address` stands, as "main at ring.c:12"; 0, or negative when
     * that cannot be told. For errors that end the job: may be slow. Optional. */
    int (*where)(struct rank *, const void *address, char *text, size_t room);
    /* The program says what it computes: operations and bytes of memory traffic, finite and not negative. NULL where
     * time passes by itself. May be called before start(). */
    void (*compute)(double flops, double bytes);
    /* How many wires a message takes from one world rank to another. NULL: they are all as near to each other. Optional. */
    int (*hops)(struct rank *, int from, int to);
    /* 1: all ranks are on one host, which gives them memory in common. */
    uint8_t one_host;
    /* Memory in common, of zeros. *name 0: make it, and give it a name; else it is another rank's, of that name and so many bytes.
     * NULL: there is none, and *name is 0 still. May block for the time that the memory takes. Both optional. */
    void *(*share)(struct rank *, uint64_t *name, size_t bytes);
    /* This rank uses it no more. The `last` is told when nobody does, and gives it back. */
    void (*unshare)(struct rank *, void *memory, uint64_t name, size_t bytes, int last);
    /* What messages cost here, as mpico_model_read() takes it, by which algorithms of collectives are chosen. NULL, or a null pointer: it
     * is not known, and a table decides. Optional. */
    const char *(*model)(void);
};

/* One a kind of wire. */
struct link_ops {
    /* Send one packet with `len` bytes of payload to world rank `dest`. Copies both before it
     * returns. 0 taken; MPICO_AGAIN no room now. Never blocks. len <= link->mtu. */
    int (*send)(struct link *, int dest, const struct packet *, const void *payload, size_t len);
    /* The same without a copy: the payload is lent and stays untouched until mpico_returned(rank, token), which comes from
     * poll(). MPICO_LENT; or as send(), 0 when the link has copied it after all. Optional: then every contiguous
     * payload goes this way, and mpico_send_short() is not used. */
    int (*lend)(struct link *, int dest, const struct packet *, const void *payload, size_t len, void *token);
    /* Room for this packet, whose payload the caller writes itself (a derived datatype packs
     * straight into the wire). NULL when there is none now. Follow with commit() of the same packet before any
     * other call of this link. Optional but in small builds (sizes.h): elsewhere the core packs into memory of its own first. */
    void *(*reserve)(struct link *, int dest, const struct packet *, size_t len);
    void (*commit)(struct link *, int dest, const struct packet *, size_t len);
    /* Deliver at most `budget` packets through mpico_arrive(); how many were delivered.
     * `from` is a world rank to look at first, or -1. */
    int (*poll)(struct link *, int from, int budget);
    /* Copy `len` bytes from address `remote` of world rank `source`. 0, or negative when the
     * wire cannot (then the protocol falls back to packets). May block for the copy. Optional. */
    int (*get)(struct link *, int source, void *local, uint64_t remote, size_t len);
    /* One receive or probe more (+1) that waits for a message of world rank `source` (-1: of any), or one less (-1): it has
     * met its message, or was given up. For a link whose receivers ask for messages. May send, does not call back.
     * Optional. */
    void (*want)(struct link *, int source, int change);
    /* Bytes [from, to) of the stream that `source` calls `stream` may be written straight to base + their offset. Then
     * mpico_arrive() is called with the payload in its place, and nothing is copied. Replaces what was said of this stream
     * before; from == to: no longer. Once all bytes below `to` have come, base may be other memory. Optional. */
    void (*place)(struct link *, int source, uint64_t stream, void *base, size_t from, size_t to);
    /* A blocking collective of the whole job in rank order, without a schedule: start it (0; negative: never here). `bytes`
     * is the length of the buffer, for DIRECT_ALLGATHER of each rank's block, the own one being in its place. `quiet`
     * says that no request of this rank waits for the network. Then direct_state(): MPICO_AGAIN while it is under
     * way (poll and wait meanwhile); 0 done; negative: no rank has done anything, use a schedule. Optional. */
    int (*direct)(struct link *, enum direct, void *buf, size_t bytes, int root, int quiet);
    int (*direct_state)(struct link *);
};

/* A link reaches one neighbour or all ranks of a host; what it can do are numbers. A port embeds
 * this at the head of its own struct. */
struct link {
    const struct link_ops *ops;
    struct rank *rank;
    struct link *next;
    size_t mtu;                /* largest payload of one packet, bytes */
    size_t eager_max_bytes;    /* up to here a message travels with its header; above the mtu as a stream of packets */
    size_t stream_first_bytes; /* of which the first has so many bytes; 0: mtu */
    size_t short_max_bytes;    /* core's: up to here a message leaves without a request */
    size_t get_min_bytes;      /* from here on get() beats packets; SIZE_MAX without get */
    /* What is longer than stream_first_bytes is a stream, if it would fit in one packet too; place() is told of those that nobody
     * awaits as well, and of those that it shall write no longer. */
    uint8_t stream_early;
    uint8_t broadcast; /* send() to -1 reaches every other rank of the job, in order with what else this rank sends */
};

/* Called by a port's poll() for each packet, in the order sent by `origin` (a world rank).
 * The payload may be reused when this returns. Returns 0, or MPICO_AGAIN when the rank has no
 * memory to keep the packet now: the port must deliver the same packet again later. */
int mpico_arrive(struct rank *, int origin, const struct packet *, const void *payload, size_t len);

/* A loan is over: see link_ops.lend. */
void mpico_returned(struct rank *, void *token);

/* Called from poll(): a rank has died, or cannot be reached any more (`why`: a sentence that names it). Ends what waits for
 * it with MPI_ERR_PROC_ABORTED, and what begins later. */
void mpico_lost(struct rank *, int world_rank, const char *why);

/* The same context, and after mpico_lost(): messages between a rank and those whose bits are set in `with` were lost, and they have given
 * each other up. Ends what needs two such ranks, a collective. */
void mpico_torn(struct rank *, int world_rank, const uint8_t *with);

/* Called from wait(), before the rank sleeps: what it waits for is written into rank->note, where others can read it, until the wait is over.
 * A port whose notes nobody reads need not. */
void mpico_note_fill(struct rank *);

/* The machine linked in: each port defines it once. */
extern const struct machine mpico_machine;

/* Called by a port's start(), before any attach: who this rank is, and its memory for ever. 0, or
 * negative when the arena is too small for the tables of `world_size` ranks. */
int mpico_rank_place(struct rank *, int world_rank, int world_size, void *arena, size_t bytes);

/* Called by a port's start(): `link` carries packets to world ranks first..last. Its numbers do not change any more once
 * start() has returned. */
void mpico_rank_attach(struct rank *, struct link *, int first, int last);

#endif
