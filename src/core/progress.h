/* progress.h: polling, and waiting for something. */
#ifndef MPICO_PROGRESS_H
#define MPICO_PROGRESS_H

#include "rank.h"

/* Deliver what has arrived, push what waits for room, advance schedules. How many packets moved.
 * Never blocks; does nothing when called from inside itself. */
int mpico_progress(struct rank *);

/* Of a call that never waits, with which a program may poll for something else: progress. Where the call has found what it asks for (`done`)
 * only every POLL_EVERY-th time, as most programs do not poll then. */
void mpico_poll_rarely(struct rank *, int done);
static inline void mpico_poll(struct rank *r, int done)
{
    if (SMALL)
        mpico_progress(r);
    else
        mpico_poll_rarely(r, done);
}

/* Until the request is done. */
void mpico_wait(struct rank *, struct request *);

/* One turn of a caller's own wait loop; `idle` starts at 0 and is kept by this. The requests stand in the rank's note
 * when the wait lasts. Returns packets moved. */
int mpico_wait_turn(struct rank *, uint32_t *idle, struct request *const *, int requests);
/* After the last turn. */
void mpico_wait_over(struct rank *);

#endif
