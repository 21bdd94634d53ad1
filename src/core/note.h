/* note.h: what a rank waits for, written where the launcher (or a debugger) can read it. Plain data of
 * fixed width: the reader may be another process, and may look at any time; `stamp` is odd while the
 * rank writes.
 */
#ifndef MPICO_NOTE_H
#define MPICO_NOTE_H

#include <stdint.h>

#include "../sizes.h"

enum note_state { NOTE_RUNNING, NOTE_WAITING, NOTE_FINALIZED };
enum note_for { NOTE_FOR_RECV = 1, NOTE_FOR_SEND, NOTE_FOR_COLL, NOTE_FOR_PROBE, NOTE_FOR_ROOM };
enum { NOTE_WAITS = SIZE_NOTE_WAITS, NOTE_HELD = SIZE_NOTE_WAITS };

struct note_wait {
    uint8_t what; /* enum note_for */
    int32_t peer; /* world rank, -1 any */
    int32_t tag;
    uint32_t context;
    uint64_t bytes;
};

struct note {
    uint32_t stamp;
    uint32_t state;    /* enum note_state */
    uint64_t progress; /* packets moved so far: unchanged means stuck */
    char call[32];     /* "MPI_Recv" */
    uint32_t waits, held;
    uint32_t waits_all, held_all; /* how many there are; the arrays show the first few */
    struct note_wait wait[NOTE_WAITS];
    struct note_wait kept[NOTE_HELD]; /* unexpected messages: peer is the sender */
};

#endif
