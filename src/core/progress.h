/* progress.h: polling, and waiting for something. */
#ifndef MPICO_PROGRESS_H
#define MPICO_PROGRESS_H

#include "rank.h"

/* Deliver what has arrived, push what waits for room, advance schedules. How many packets moved.
 * Never blocks; does nothing when called from inside itself. */
int mpico_progress(struct rank *);

/* Until the request is done. Publishes the wait in the rank's note when it lasts. */
void mpico_wait(struct rank *, struct request *);

/* One turn of a caller's own wait loop; `idle` starts at 0 and is kept by this. The requests fill the rank's note
 * when the wait begins to last. Returns packets moved. */
int mpico_wait_turn(struct rank *, uint32_t *idle, struct request *const *, int requests);
/* After the last turn. */
void mpico_wait_over(struct rank *, uint32_t idle);

#endif
