/* lengths.h: from which lengths messages go another way. */
#ifndef MPICO_PROCESS_LENGTHS_H
#define MPICO_PROCESS_LENGTHS_H

/* Both ends copy; below, two kernel calls and the nudge cost more than half a copy. */
enum { SHARE_MIN_BYTES = 48 * 1024 };

#endif
