/* report.c: a job in which all ranks sleep for ever says what each waits for. The others do not move any more, so
 * their memory is read where it lies. */
#include <stdarg.h>

#include "base/text.h"
#include "chip_port.h"
#include "core/rank.h"

enum { CODE_STUCK = 124, LINE_MAX = 200, WORDS_MAX = 24 };

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    char line[LINE_MAX];
    va_list args;
    va_start(args, format);
    size_t len = mpico_text_vformat(line, sizeof line, format, args);
    va_end(args);
    mpico_chip_print(line, len);
}

static const char *numbered(char text[WORDS_MAX], const char *what, int number)
{
    mpico_text_format(text, WORDS_MAX, number < 0 ? "any %s" : "%s %d", what, number);
    return text;
}

/* Where `p`, an address of rank `i`, can be read here. */
static const void *there(int i, const void *p, size_t len) { return mpico_hart_reach(i, (uintptr_t)p, len); }

static void say_waiting(int i, const struct rank *r)
{
    char peer[WORDS_MAX], tag[WORDS_MAX];
    const struct request *q = r->match.sole ? there(i, r->match.sole, sizeof *q) : NULL;
    const char *call = r->call ? r->call : "a call";
    if (q)
        say("rank %d: %s: a receive from %s, %s, waits; %d messages are kept\n", i, call,
            numbered(peer, "rank", q->peer_world), numbered(tag, "tag", q->tag), (int)r->match.unexpected_count);
    else if (r->busy_with >= 0)
        say("rank %d: %s waits for rank %d; %d sends wait for room, %d receives are posted\n", i, call, r->busy_with,
            (int)r->unsent_count, (int)r->match.posted_count);
    else
        say("rank %d: %s; %d sends wait for room, %d receives are posted\n", i, call, (int)r->unsent_count,
            (int)r->match.posted_count);
}

static void say_rank(int i)
{
    const struct rank *r = there(i, &mpico_the_rank, sizeof *r);
    const struct chip_link *c = there(i, &mpico_chip_link, sizeof *c);
    if (shared()->inbox[i].ended)
        say("rank %d has ended\n", i);
    else if (r && r->state == RANK_RUNNING)
        say_waiting(i, r);
    if (c && c->pending)
        say("rank %d: its arena is full, so that messages wait in front of it\n", i);
}

_Noreturn void mpico_chip_stuck(void)
{
    say("mpico: deadlock: every rank waits for another\n");
    for (int i = 0; i < (int)mpico_chip.harts; i++)
        say_rank(i);
    mpico_machine.halt(&mpico_the_rank, CODE_STUCK, NULL);
}
