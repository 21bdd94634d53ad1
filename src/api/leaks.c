/* leaks.c: what the program has left, told in MPI_Finalize. */
#include "../base/text.h"
#include "../type/make.h"
#include "finish.h"
#include "state.h"

enum { LINE_MAX = 200 };

static const char *kind_name(const struct request *q)
{
    switch (q->kind) {
    case REQUEST_RECV:
        return "receive from";
    case REQUEST_COLL:
        return "collective";
    case REQUEST_PARTS:
        return q->mode ? "receive from" : "send to";
    default:
        return "send to";
    }
}

static void say_request(struct rank *r, const struct request *q)
{
    char line[LINE_MAX];
    if (q->kind == REQUEST_COLL || q->kind == REQUEST_GENERAL)
        mpico_text_format(line, sizeof line, "leak: a %s was never completed",
                          q->kind == REQUEST_COLL ? "request of a collective" : "generalized request");
    else
        mpico_text_format(line, sizeof line, "leak: a request was never %s: %s rank %d, tag %d, %z bytes",
                          q->flags & REQUEST_PERSISTENT ? "freed" : "completed", kind_name(q), q->peer, q->tag,
                          q->bytes);
    r->machine->say(r, line);
}

/* A type that the program has no handle of is kept by something else that leaked. */
static void say_types(struct rank *r)
{
    for (const struct own_type *o = api_state(r)->types; o; o = o->next) {
        char line[LINE_MAX];
        if (!o->handles)
            continue;
        mpico_text_format(line, sizeof line, "leak: a datatype%s%s of %z bytes was never freed",
                          o->type.name ? " " : "", o->type.name ? o->type.name : "", o->type.size);
        r->machine->say(r, line);
    }
}

void api_say_leaks(struct rank *r)
{
    say_types(r);
    if (api_say_leaked_windows)
        api_say_leaked_windows(r);
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
