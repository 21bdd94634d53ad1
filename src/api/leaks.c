/* leaks.c: what the program has left, told in MPI_Finalize of checking mode: handles with the call that made them (core/held.h), one
 * line for all of one place in the program; and messages that nobody received.
 */
#include "../base/text.h"
#include "../core/held.h"
#include "../rma/rma.h"
#include "../type/make.h"
#include "finish.h"
#include "state.h"

enum { LINE_ROOM = 320, DETAIL_ROOM = 120, PLACE_ROOM = 160 };

static const char *const names[HELD_KINDS] = {
    [HELD_REQUEST] = "request",
    [HELD_COMM] = "communicator",
    [HELD_GROUP] = "group",
    [HELD_TYPE] = "datatype",
    [HELD_WIN] = "window",
    [HELD_INFO] = "info object",
    [HELD_KEYVAL] = "attribute key",
    [HELD_ERRHANDLER] = "error handler",
    [HELD_OP] = "reduction operation",
    [HELD_MESSAGE] = "matched message",
};

static const char *missing(const struct held *h)
{
    const struct request *q = h->object;
    if (h->kind == HELD_MESSAGE)
        return "received";
    return h->kind == HELD_REQUEST && !(q->flags & REQUEST_PERSISTENT) ? "completed" : "freed";
}

/* ---- Of what kinds have to tell ---- */

static void detail_request(const struct request *q, char *text, size_t room)
{
    int receives = q->kind == REQUEST_RECV || (q->kind == REQUEST_PARTS && q->mode);
    if (q->kind == REQUEST_SEND || q->kind == REQUEST_BUFFERED || q->kind == REQUEST_RECV || q->kind == REQUEST_PARTS)
        mpico_text_format(text, room, ": %s rank %d, tag %d, %z bytes", receives ? "receive from" : "send to", q->peer,
                          q->tag, q->bytes);
}

static void detail_named(const char *name, const char *what, size_t n, char *text, size_t room)
{
    mpico_text_format(text, room, ":%s%s%s of %z %s%s", name ? " \"" : "", name ? name : "", name ? "\"" : "", n, what,
                      n == 1 ? "" : "s");
}

static void detail(const struct held *h, char *text, size_t room)
{
    text[0] = '\0';
    if (h->kind == HELD_REQUEST) {
        detail_request(h->object, text, room);
    } else if (h->kind == HELD_COMM) {
        const struct comm *c = h->object;
        detail_named(c->name, "rank", (size_t)c->size, text, room);
    } else if (h->kind == HELD_GROUP) {
        detail_named(NULL, "rank", (size_t)((const struct group *)h->object)->size, text, room);
    } else if (h->kind == HELD_TYPE) {
        const struct type *t = h->object;
        detail_named(t->name, "byte", t->size, text, room);
    } else if (h->kind == HELD_WIN) {
        const struct win *w = h->object;
        detail_named(w->name, "rank", (size_t)w->comm->size, text, room);
    }
}

/* ---- Lines ---- */

static int same_place(const struct held *a, const struct held *b)
{
    return a->kind == b->kind && a->site == b->site && a->call == b->call;
}

/* All that are as this one, which from now on are told. */
static size_t count_same(const struct held_table *all, const struct held *like)
{
    size_t n = 0;
    for (size_t i = 0; i < HELD_BUCKETS; i++)
        for (struct held *h = all->bucket[i]; h; h = h->next)
            if (!h->told && same_place(h, like)) {
                h->told = 1;
                n++;
            }
    return n;
}

static int starts_with_vowel(const char *word) { return word[0] == 'a' || word[0] == 'e' || word[0] == 'i'; }

static void say(struct rank *r, const struct held *h, size_t n)
{
    enum { BEFORE = 5 };
    char line[LINE_ROOM], what[DETAIL_ROOM], place[PLACE_ROOM] = "; in ", number[24];
    detail(h, what, sizeof what);
    if (!r->machine->where || !h->site || r->machine->where(r, h->site, place + BEFORE, sizeof place - BEFORE) != 0)
        place[0] = '\0';
    mpico_text_format(number, sizeof number, "%z", n);
    mpico_text_format(line, sizeof line, "leak: %s %s%s of %s %s never %s%s%s%s",
                      n > 1                               ? number
                      : starts_with_vowel(names[h->kind]) ? "an"
                                                          : "a",
                      names[h->kind], n > 1 ? "s" : "", h->call, n > 1 ? "were" : "was", missing(h),
                      n > 1 && what[0] ? ", one of them" : "", what, place);
    r->machine->say(r, line);
}

static void say_messages(struct rank *r)
{
    for (struct list *l = r->match.arrived.next; l != &r->match.arrived; l = l->next) {
        const struct packet *p = &list_entry(l, struct message, all)->packet;
        char line[LINE_ROOM];
        mpico_text_format(line, sizeof line, "leak: a message was never received: from rank %d, tag %d, %z bytes",
                          p->source, p->tag, (size_t)p->length);
        r->machine->say(r, line);
    }
}

void api_say_leaks(struct rank *r)
{
    if (!r->settings.checking || !r->machine->say)
        return;
    for (size_t i = 0; r->held && i < HELD_BUCKETS; i++)
        for (const struct held *h = r->held->bucket[i]; h; h = h->next)
            if (!h->told)
                say(r, h, count_same(r->held, h));
    say_messages(r);
}
