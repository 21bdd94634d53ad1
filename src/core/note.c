/* note.c: what a rank waits for, written into its note while it waits. It is made aside and then copied into place, so that a reader who comes
 * between loses little.
 */
#include "note.h"

#include "../port.h"
#include "rank.h"
#include "threads.h"

static struct note_wait wait_of(const struct request *q)
{
    struct note_wait w = {.peer = q->peer_world, .tag = q->tag, .context = q->context, .bytes = q->bytes};
    if (q->kind == REQUEST_COLL)
        w.what = NOTE_FOR_COLL;
    else if (q->kind == REQUEST_RECV) /* a probe waits as a receive that is never started */
        w.what = SMALL || q->flags & REQUEST_ACTIVE ? NOTE_FOR_RECV : NOTE_FOR_PROBE;
    else if (q->kind == REQUEST_GENERAL)
        w.what = NOTE_FOR_PROGRAM;
    else
        w.what = q->flags & REQUEST_QUEUED ? NOTE_FOR_ROOM : NOTE_FOR_SEND;
    return w;
}

static void note_call(struct note *n, const char *call)
{
    size_t len = 0;
    char *to = n->call[n->calls++];
    for (const char *c = call ? call : ""; *c && len < sizeof n->call[0] - 1; c++)
        to[len++] = *c;
}

/* One wait of the program, of which up to `most` requests are shown. */
static void note_wait(const struct rank *r, struct note *n, const struct wait *wait, uint32_t most)
{
    n->threads++;
    if (n->calls == NOTE_CALLS)
        return;
    uint32_t end = most < NOTE_WAITS - n->waits ? n->waits + most : NOTE_WAITS;
    note_call(n, wait->call);
    for (int i = 0; i < wait->requests; i++) {
        const struct request *q = wait->list[i], *shown = q;
        if (!q || q->flags & REQUEST_DONE)
            continue;
        n->waits_all++;
        if (q->kind == REQUEST_COLL)
            shown = r->upper ? r->upper->waiting(q) : NULL;
        if (n->waits == end || !shown)
            continue;
        struct note_wait *w = &n->wait[n->waits++];
        *w = wait_of(shown);
        if (shown != q)
            w->what = NOTE_FOR_COLL;
        w->call = (uint8_t)(n->calls - 1);
    }
}

static void note_waiter(const struct rank *r, struct note *n, const struct waiter *w)
{
    if (!waiter_is_over(r, w))
        note_wait(r, n, &w->wait, 1);
}

static void note_threads(const struct rank *r, struct note *n)
{
    const struct threads *t = &r->threads;
    for (const struct list *l = t->waiters.next; l != &t->waiters; l = l->next)
        note_waiter(r, n, list_entry(l, const struct waiter, node));
    if (t->at_bell)
        note_waiter(r, n, t->at_bell);
}

static void note_held(struct note *n, const struct match *m)
{
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

static void publish(struct note *n, const struct note *made)
{
    __atomic_store_n(&n->stamp, n->stamp | 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    note_copy_words(n, made);
    __atomic_store_n(&n->stamp, n->stamp + 1, __ATOMIC_RELEASE);
}

void mpico_note_fill(struct rank *r)
{
    struct note n = {.progress = r->arrivals};
    if (r->noted)
        return;
    if (RANK_THREADS && r->threads.on) {
        n.progress += r->threads.turns;
        note_threads(r, &n);
        n.state = n.threads ? NOTE_WAITING : NOTE_RUNNING;
    } else {
        note_wait(r, &n, &r->wait, NOTE_WAITS);
        n.threads = 0;
        n.state = NOTE_WAITING;
        r->noted = 1;
    }
    note_held(&n, &r->match);
    publish(r->note, &n);
}
