/* progress.c: polling in turn, and the wait loop with its published note. */
#include "progress.h"

#include <string.h>

#include "../cost.h"
#include "../trace.h"
#include "arrive.h"

enum {
    POLL_BUDGET = 16, /* packets a link may deliver before the others get their turn */
    /* Fruitless turns before a wait is published: about 2 us of spinning, or the last yields before sleep. */
    NOTE_AFTER_SPINS = 400,
    NOTE_AFTER_YIELDS = 24
};

static uint32_t note_after(const struct rank *r) { return r->crowded ? NOTE_AFTER_YIELDS : NOTE_AFTER_SPINS; }

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
    r->polling = 0;
    return moved;
}

static struct note_wait wait_of(const struct request *q)
{
    struct note_wait w = {.peer = q->peer_world, .tag = q->tag, .context = q->context, .bytes = q->bytes};
    if (q->kind == REQUEST_COLL)
        w.what = NOTE_FOR_COLL;
    else if (q->kind == REQUEST_RECV)
        w.what = NOTE_FOR_RECV;
    else
        w.what = q->flags & REQUEST_QUEUED ? NOTE_FOR_ROOM : NOTE_FOR_SEND;
    return w;
}

static void note_waits(const struct rank *r, struct request *const *list, int requests)
{
    struct note *n = r->note;
    n->waits = n->waits_all = 0;
    for (int i = 0; i < requests; i++) {
        const struct request *q = list[i];
        if (!q || q->flags & REQUEST_DONE)
            continue;
        n->waits_all++;
        if (q->kind == REQUEST_COLL) {
            const struct request *step = r->upper ? r->upper->waiting(q) : NULL;
            if (n->waits < NOTE_WAITS && step) {
                n->wait[n->waits] = wait_of(step);
                n->wait[n->waits++].what = NOTE_FOR_COLL;
            }
        } else if (n->waits < NOTE_WAITS) {
            n->wait[n->waits++] = wait_of(q);
        }
    }
}

static void note_held(struct note *n, const struct match *m)
{
    n->held = 0;
    n->held_all = m->unexpected_count;
    for (const struct list *l = m->arrived.next; l != &m->arrived && n->held < NOTE_HELD; l = l->next) {
        const struct message *msg = list_entry(l, const struct message, all);
        n->kept[n->held++] = (struct note_wait){.what = NOTE_FOR_RECV,
                                                .peer = msg->origin,
                                                .tag = msg->packet.tag,
                                                .context = msg->packet.context,
                                                .bytes = msg->packet.length};
    }
}

static void note_fill(struct rank *r, struct request *const *list, int requests)
{
    struct note *n = r->note;
    __atomic_store_n(&n->stamp, n->stamp | 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    size_t len = 0;
    for (const char *c = r->call ? r->call : ""; *c && len < sizeof n->call - 1; c++)
        n->call[len++] = *c;
    n->call[len] = 0;
    note_waits(r, list, requests);
    note_held(n, &r->match);
    n->progress = r->arrivals;
    n->state = NOTE_WAITING;
    __atomic_store_n(&n->stamp, (n->stamp | 1) + 1, __ATOMIC_RELEASE);
}

int mpico_wait_turn(struct rank *r, uint32_t *idle, struct request *const *list, int requests)
{
    int moved = mpico_progress(r);
    if (moved) {
        trace_moved(r);
        if (*idle >= note_after(r))
            r->note->state = NOTE_RUNNING;
        *idle = 0;
        return moved;
    }
    trace_wait(r, list, requests);
    if (++*idle == note_after(r))
        note_fill(r, list, requests);
    r->waited = 1;
    r->machine->wait(r, *idle);
    return 0;
}

void mpico_wait_over(struct rank *r, uint32_t idle)
{
    cost(COST_WAKE, r->waited);
    r->waited = 0;
    mpico_cost_settle();
    if (idle >= note_after(r))
        r->note->state = NOTE_RUNNING;
}

void mpico_wait(struct rank *r, struct request *q)
{
    uint32_t idle = 0;
    struct request *const list[1] = {q};
    if (q->flags & REQUEST_DONE) {
        mpico_cost_settle();
        return;
    }
    r->busy_with = q->kind == REQUEST_COLL ? -1 : q->peer_world;
    do
        mpico_wait_turn(r, &idle, list, 1);
    while (!(q->flags & REQUEST_DONE));
    r->busy_with = -1;
    mpico_wait_over(r, idle);
}
