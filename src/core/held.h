/* held.h: what the program has a handle of, in checking mode: of each object the call that made it, so that a leak can be named. A
 * handle that is given out twice stands here twice. Nothing happens, and nothing is kept, in other modes and in small builds.
 */
#ifndef MPICO_HELD_H
#define MPICO_HELD_H

#include "rank.h"

enum held_kind {
    HELD_REQUEST,
    HELD_COMM,
    HELD_GROUP,
    HELD_TYPE,
    HELD_WIN,
    HELD_INFO,
    HELD_KEYVAL,
    HELD_ERRHANDLER,
    HELD_OP,
    HELD_MESSAGE,
    HELD_KINDS
};

struct held {
    struct held *next;
    const void *object;
    const char *call;
    const void *site; /* of the call, in the program */
    uint8_t kind, told;
};
enum { HELD_BUCKETS = 256 };
struct held_table {
    struct held *bucket[HELD_BUCKETS];
};

/* The call under way gives the object out. Without memory it is not noted. */
SELDOM void mpico_held_add(struct rank *, enum held_kind, const void *object);
/* One of its handles is gone; of what is not noted: nothing. */
SELDOM void mpico_held_drop(struct rank *, const void *object);

/* The youngest note of the object; NULL: there is none. */
SELDOM const struct held *mpico_held_find(const struct rank *, const void *object);

static inline void held_add(struct rank *r, enum held_kind kind, const void *object)
{
    if (!SMALL && __builtin_expect(r->settings.checking, 0))
        mpico_held_add(r, kind, object);
}
static inline void held_drop(struct rank *r, const void *object)
{
    if (!SMALL && __builtin_expect(r->held != NULL, 0))
        mpico_held_drop(r, object);
}

#endif
