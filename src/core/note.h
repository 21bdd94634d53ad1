/* note.h: what a rank waits for, written where the launcher (or a debugger) can read it. Plain data of
 * fixed width: the reader may be another process, and may look at any time; `stamp` is odd while the
 * rank writes.
 *
 * The port has it written (mpico_note_fill()) before it lets the rank sleep; it is true until the rank says that it runs again.
 * Of a rank with several threads it shows those that sleep in MPI, and is written again whenever one goes to sleep or is woken.
 */
#ifndef MPICO_NOTE_H
#define MPICO_NOTE_H

#include <stdint.h>

#include "../sizes.h"

enum note_state { NOTE_RUNNING, NOTE_WAITING, NOTE_FINALIZED };
enum note_for { NOTE_FOR_RECV = 1, NOTE_FOR_SEND, NOTE_FOR_COLL, NOTE_FOR_PROBE, NOTE_FOR_ROOM, NOTE_FOR_PROGRAM };
enum { NOTE_WAITS = SIZE_NOTE_WAITS, NOTE_HELD = SIZE_NOTE_WAITS, NOTE_CALLS = SIZE_NOTE_WAITS };

struct note_wait {
    uint8_t what; /* enum note_for */
    uint8_t call; /* whose it is: index in note.call */
    int32_t peer; /* world rank, -1 any */
    int32_t tag;
    uint32_t context;
    uint64_t bytes;
};

struct note {
    uint32_t stamp;
    uint32_t state;            /* enum note_state */
    uint64_t progress;         /* packets moved so far: unchanged means stuck */
    uint32_t threads;          /* how many sleep in MPI, where several may call; 0: only one may */
    uint32_t calls;            /* of those that sleep: */
    char call[NOTE_CALLS][32]; /* "MPI_Recv" */
    uint32_t waits, held;
    uint32_t waits_all, held_all; /* how many there are; the arrays show the first few */
    struct note_wait wait[NOTE_WAITS];
    struct note_wait kept[NOTE_HELD]; /* unexpected messages: peer is the sender */
};

/* The owner's: a new state, and nothing else. */
static inline void note_state(struct note *n, enum note_state state)
{
    if (!SMALL) {
        __atomic_store_n(&n->stamp, n->stamp | 1, __ATOMIC_RELAXED);
        __atomic_thread_fence(__ATOMIC_RELEASE);
    }
    __atomic_store_n(&n->state, (uint32_t)state, __ATOMIC_RELAXED);
    if (!SMALL)
        __atomic_store_n(&n->stamp, n->stamp + 1, __ATOMIC_RELEASE);
}

/* Copies go word by word, since one side may write while the other reads; the stamps tell whether it did. */
typedef uint32_t __attribute__((may_alias)) note_word;
_Static_assert(sizeof(struct note) % sizeof(note_word) == 0, "a note is whole words");

static inline void note_copy_words(struct note *to, const struct note *from)
{
    note_word *out = (note_word *)to;
    const note_word *in = (const note_word *)from;
    for (unsigned i = 1; i < sizeof *to / sizeof *in; i++) /* all but the stamp */
        __atomic_store_n(&out[i], __atomic_load_n(&in[i], __ATOMIC_RELAXED), __ATOMIC_RELAXED);
}

/* Anybody's. The owner may write meanwhile: `stamp` is odd then, and different afterwards. The last try is taken as it is. */
static inline void note_read(struct note *to, const struct note *from)
{
    enum { TRIES = 8 };
    for (int i = 0; i < TRIES; i++) {
        uint32_t before = __atomic_load_n(&from->stamp, __ATOMIC_ACQUIRE);
        note_copy_words(to, from);
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (before % 2 == 0 && __atomic_load_n(&from->stamp, __ATOMIC_RELAXED) == before)
            return;
    }
}

#endif
