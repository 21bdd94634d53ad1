/* note.c: what a rank waits for, written into its note while it waits. */
#include "note.h"

#include "../port.h"
#include "rank.h"

static struct note_wait wait_of(const struct request *q)
{
    struct note_wait w = {.peer = q->peer_world, .tag = q->tag, .context = q->context, .bytes = q->bytes};
    if (q->kind == REQUEST_COLL)
        w.what = NOTE_FOR_COLL;
    else if (q->kind == REQUEST_RECV) /* a probe waits as a receive that is never started */
        w.what = SMALL || q->flags & REQUEST_ACTIVE ? NOTE_FOR_RECV : NOTE_FOR_PROBE;
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

void mpico_note_fill(struct rank *r, struct request *const *list, int requests)
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
