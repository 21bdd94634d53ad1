/* progress.c: polling in turn, and the wait loop. */
#include "progress.h"

#include "../base/optional.h"
#include "../cost.h"
#include "../trace.h"
#include "arrive.h"
#include "lost.h"
#include "threads.h"

enum {
    POLL_BUDGET = 16, /* packets a link may deliver before the others get their turn */
    POLL_EVERY = 16   /* calls that had nothing to wait for */
};

int mpico_progress(struct rank *r)
{
    if (r->polling)
        return 0;
    r->polling = 1;
    int moved = 0;
    for (struct link *l = r->links; l; l = l->next)
        moved += l->ops->poll(l, r->busy_with, POLL_BUDGET);
    if (r->unsent_count)
        moved += mpico_protocol_push(r);
    if (!list_empty(&r->schedules))
        moved += r->upper->progress(r);
    if (__builtin_expect(r->lost != NULL, 0)) /* also for who tests and never waits */
        moved += mpico_lost_end(r, NULL, 0);
    r->polling = 0;
    if (RANK_THREADS && moved)
        r->threads.turns += (uint32_t)moved;
    return moved;
}

void mpico_poll_rarely(struct rank *r, int done)
{
    if (!done || ++r->spared % POLL_EVERY == 0)
        mpico_progress(r);
}

/* The note is true no more. */
static inline void unnote(struct rank *r)
{
    if (__builtin_expect(!r->noted, 1))
        return;
    r->noted = 0;
    note_state(r->note, NOTE_RUNNING);
}

/* `q`: what alone ends the wait, if that is known. */
static void pause(struct rank *r, uint32_t idle, const struct request *q)
{
    if (RANK_THREADS && r->threads.on)
        mpico_threads_wait(r, idle, q);
    else
        r->machine->wait(r, idle);
}

static int turn(struct rank *r, uint32_t *idle, struct request *const *list, int requests, const struct request *q)
{
    int moved = mpico_progress(r);
    if (__builtin_expect(r->lost != NULL, 0))
        moved += mpico_lost_end(r, list, requests);
    if (moved) {
        trace_moved(r);
        unnote(r);
        *idle = 0;
        return moved;
    }
    trace_wait(r, list, requests);
    if (*idle == 0 || (RANK_THREADS && r->threads.on)) /* what runs inside progress does not wait */
        r->wait = (struct wait){r->call, list, requests};
    r->waited = 1;
    pause(r, ++*idle, q);
    return 0;
}

int mpico_wait_turn(struct rank *r, uint32_t *idle, struct request *const *list, int requests)
{
    return turn(r, idle, list, requests, NULL);
}

void mpico_wait_over(struct rank *r)
{
    cost(COST_WAKE, r->waited);
    r->waited = 0;
    mpico_cost_settle();
    unnote(r);
}

APART static void turn_until_done(struct rank *r, struct request *q)
{
    uint32_t idle = 0;
    struct request *const list[1] = {q};
    while (!(q->flags & REQUEST_DONE))
        turn(r, &idle, list, 1, q);
    mpico_wait_over(r);
}

/* Sleep first where that is safe, then look: most messages are there then. */
static inline void look(struct rank *r)
{
    if (r->machine->wait_looks && !r->unsent_count && list_empty(&r->schedules) && !r->lost) {
        r->waited = 1;
        r->machine->wait(r, 0);
    }
    if (mpico_progress(r))
        trace_moved(r);
}

void mpico_wait(struct rank *r, struct request *q)
{
    if (q->flags & REQUEST_DONE) {
        mpico_cost_settle();
        return;
    }
    r->busy_with = SMALL || q->kind == REQUEST_COLL ? -1 : q->peer_world;
    if (!SMALL)
        look(r);
    if (!SMALL && q->flags & REQUEST_DONE)
        mpico_wait_over(r);
    else
        turn_until_done(r, q);
    r->busy_with = -1;
}
