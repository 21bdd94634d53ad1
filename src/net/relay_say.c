/* relay_say.c: what the user reads of a ring. The port says which rank speaks. */
#include <string.h>

#include "../base/text.h"
#include "relay_parts.h"

enum { LINE = 140, NAME = 40 };

int mpico_relay_say(const struct relay *g, const char *line)
{
    struct rank *r = g->link.rank;
    if (r->machine->say)
        r->machine->say(r, line);
    return -1;
}

/* ---- While it starts ---- */

void mpico_relay_say_fault(const struct relay *g, const struct relay_roll *m)
{
    char line[LINE];
    const char *format = "rank %d stands where rank %d should: the nodes are wired in another order";
    int a = 0, b = 0, c = 0;
    if (m) {
        a = (int)m->who;
        b = (int)m->at;
    }
    if (!m) {
        format = "no node is rank 0";
    } else if (m->fault == ROLL_SERIAL) {
        format = "two nodes have the same serial number";
    } else if (m->size > RELAY_NODES) {
        format = "this ring has %d nodes, and may have %d";
        a = (int)m->size;
        b = RELAY_NODES;
    } else if (a < b && (a || b < (int)m->size)) {
        format = "two nodes claim rank %d: each needs a rank of its own";
    } else if (m->believes != m->size) {
        format = "this ring has %d nodes, rank %d believes %d";
        a = (int)m->size;
        b = (int)m->who;
        c = (int)m->believes;
    }
    mpico_text_format(line, sizeof line, format, a, b, c);
    mpico_relay_say(g, line);
}

/* The rank so many nodes to the right (to the left: negative); -1 while the ring has not said who is who. */
static int rank_at(const struct relay *g, int distance)
{
    int rank = g->rank + distance;
    while (g->size && rank >= g->size)
        rank -= g->size;
    while (g->size && rank < 0)
        rank += g->size;
    return g->size ? rank : -1;
}

/* "rank 3", or `other` while that is not known. */
static const char *name(const struct relay *g, char *out, int distance, const char *other)
{
    int rank = rank_at(g, distance);
    if (rank < 0)
        return other;
    mpico_text_format(out, NAME, "rank %d", rank);
    return out;
}

void mpico_relay_say_unopened(const struct relay *g)
{
    static const char *const sentence[] = {
        [HOP_SILENT] = "no answer from the %s neighbour (%s): is it connected and running?",
        [HOP_BABBLES] = "the link to the %s (%s) babbles: %u bytes and no frame",
        [HOP_NEWER] = "the %s neighbour (%s) speaks version %u of the wire, this node %u",
        [HOP_RESTART] = "the %s neighbour (%s) has started again",
        [HOP_SIZES] = "the %s neighbour (%s) has slots of another length"};
    unsigned to_right = cut_right(g), to_left = cut_left(g);
    int right = to_right && (!to_left || to_right <= to_left), away = right ? (int)to_right : -(int)to_left;
    const uint8_t *news = right ? g->left.news : g->right.news;
    unsigned trouble = news[NEWS_TROUBLE];
    char line[LINE], who[NAME], whom[NAME];
    uint32_t noise;
    size_t len = 0;
    memcpy(&noise, news + NEWS_NOISE, sizeof noise);
    if (away != 1 && away != -1)
        len = mpico_text_format(line, sizeof line, "%s: ", name(g, who, right ? away - 1 : away + 1, "another node"));
    if (trouble < HOP_SILENT || trouble > HOP_SIZES)
        trouble = HOP_SILENT;
    mpico_text_format(line + len, sizeof line - len, sentence[trouble], right ? "right" : "left",
                      name(g, whom, away, "of unknown rank"),
                      trouble == HOP_NEWER ? news[NEWS_VERSION] : (unsigned)noise, (unsigned)HOP_VERSION);
    mpico_relay_say(g, line);
}

/* ---- While it runs ---- */

void mpico_relay_say_closed(const struct relay *g)
{
    char line[LINE];
    int right = cut_right(g) == 1;
    mpico_text_format(line, sizeof line, "the link to the %s (rank %d) is cut: messages go the other way round",
                      right ? "right" : "left", rank_at(g, right ? 1 : -1));
    mpico_relay_say(g, line);
}

void mpico_relay_say_lost(struct relay *g, int rank, enum relay_loss loss)
{
    char line[LINE];
    int again = g->left.news[NEWS_TROUBLE] == HOP_RESTART || g->right.news[NEWS_TROUBLE] == HOP_RESTART;
    mpico_text_format(line, sizeof line, "rank %d %s", rank,
                      loss == LOSS_GIVEN_UP  ? "is given up: messages were lost in a node that died"
                      : loss == LOSS_CUT_OFF ? "cannot be reached any more: the ring is cut in two places"
                      : again                ? "has started again"
                                             : "does not answer its neighbours any more");
    mpico_lost(g->link.rank, rank, line);
}
