/* starved.c: see starved.h. The program waits for a message; all slots of the link where it would come from hold others, for which
 * the arena has no memory. Memory comes back only when the program receives: so nothing will ever move. A rank that also waits for
 * room to send is left alone, its neighbour may only be slow; so is one in a ring that has closed over the other direction.
 */
#include "starved.h"

#include "base/text.h"
#include "core/rank.h"
#include "net/relay_parts.h"
#include "settings.h"

/* The rank whose message is first, when all slots hold messages for this node; or -1. */
static int held_up_by(const struct relay *g)
{
    const struct relay_head *first = NULL;
    for (unsigned i = 0; i < (unsigned)(uintptr_t)mpico_slots; i++) {
        size_t len;
        const struct relay_head *h = (const void *)mpico_hop_peek(&g->left, i, &len);
        if (!h || h->dest != g->rank)
            return -1;
        first = first ? first : h;
    }
    return first ? first->source : -1;
}

void mpico_board_check_starved(struct rank *r, struct relay *g, uint32_t now)
{
    static uint32_t since;
    static uint8_t stuck;
    int source = -1;
    if (g->size > 1 && !r->unsent_count && g->left.state == HOP_OPEN && g->right.state == HOP_OPEN)
        source = held_up_by(g);
    if (source < 0 || !stuck)
        since = now;
    stuck = source >= 0;
    if (!stuck || now - since < STARVED_TICKS)
        return;
    char line[220];
    mpico_text_format(
        line, sizeof line,
        "%s waits in vain: no memory for the messages from rank %d that come first, the arena of %z bytes is "
        "full: link with a larger -Wl,--defsym=mpico_arena_bytes=...",
        r->call ? r->call : "the program", source, (size_t)mpico_arena_bytes);
    r->machine->halt(r, 1, line);
}
