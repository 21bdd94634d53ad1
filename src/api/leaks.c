/* leaks.c: what the program has left, told in MPI_Finalize. */
#include "../base/text.h"
#include "finish.h"

enum { LINE_MAX = 200 };

static const char *kind_name(const struct request *q)
{
    switch (q->kind) {
    case REQUEST_RECV:
        return "receive from";
    case REQUEST_COLL:
        return "collective";
    default:
        return "send to";
    }
}

static void say_request(struct rank *r, const struct request *q)
{
    char line[LINE_MAX];
    if (q->kind == REQUEST_COLL)
        mpico_text_format(line, sizeof line, "leak: a request of a collective was never completed");
    else
        mpico_text_format(line, sizeof line, "leak: a request was never %s: %s rank %d, tag %d, %z bytes",
                          q->flags & REQUEST_PERSISTENT ? "freed" : "completed", kind_name(q), q->peer, q->tag,
                          q->bytes);
    r->machine->say(r, line);
}

void api_say_leaks(struct rank *r)
{
    for (struct list *l = r->requests.next; l != &r->requests; l = l->next)
        say_request(r, list_entry(l, struct request, all));
    for (struct list *l = r->comms.next; l != &r->comms; l = l->next) {
        const struct comm *c = list_entry(l, struct comm, all);
        char line[LINE_MAX];
        if (c == r->world || c == r->self)
            continue;
        mpico_text_format(line, sizeof line, "leak: a communicator of %d rank%s was never freed", c->size,
                          c->size == 1 ? "" : "s");
        r->machine->say(r, line);
    }
    for (struct list *l = r->match.arrived.next; l != &r->match.arrived; l = l->next) {
        const struct packet *p = &list_entry(l, struct message, all)->packet;
        char line[LINE_MAX];
        mpico_text_format(line, sizeof line, "leak: a message was never received: from rank %d, tag %d, %z bytes",
                          p->source, p->tag, (size_t)p->length);
        r->machine->say(r, line);
    }
}
