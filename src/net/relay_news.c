/* relay_news.c: what a ring knows of its cuts and of who leaves, passed on from neighbour to neighbour.
 *
 * Each node tells either neighbour how far away the nearest cut on its other side is. A link stays cut for ever and each is cut at
 * both ends, so distances only get shorter, and what all know soon agrees. That a node is leaving is counted in the same way.
 */
#include <string.h>

#include "relay_parts.h"

/* How many nodes in a row are leaving, from this one on away from the neighbour who is told. */
static int leaving(const struct relay *g, const struct hop *from)
{
    int others = from->peer_news[NEWS_LEAVING];
    if (g->stage < STAGE_LEAVING)
        return 0;
    if (g->stage == STAGE_LEFT)
        return g->size + 1;
    return from->state == HOP_CUT || others >= g->size ? g->size : others + 1;
}

/* Tell `to` what is known of the side of `from`. */
static void tell(struct relay *g, struct hop *to, const struct hop *from)
{
    uint8_t news[NEWS_USED];
    memcpy(news, from->peer_news, sizeof news);
    if (news[NEWS_CUT])
        news[NEWS_CUT]++;
    if (from->state == HOP_CUT || (g->late && from->state == HOP_OPENING && from->trouble)) {
        news[NEWS_CUT] = 1;
        news[NEWS_TROUBLE] = from->trouble;
        news[NEWS_VERSION] = from->peer_version;
        memcpy(news + NEWS_NOISE, &from->noise, sizeof from->noise);
    }
    news[NEWS_LEAVING] = (uint8_t)leaving(g, from);
    if (memcmp(to->news, news, sizeof news) == 0)
        return;
    memcpy(to->news, news, sizeof news);
    to->news_due = 1;
    /* All the way round: the neighbour there hears nothing from here. What it has not got must not wait for it. */
    if (g->stage == STAGE_RUNNING && news[NEWS_CUT] == g->size)
        to->state = HOP_CUT;
}

void mpico_relay_gossip(struct relay *g)
{
    tell(g, &g->left, &g->right);
    tell(g, &g->right, &g->left);
    if (g->left.news[NEWS_LEAVING] >= g->size && g->right.news[NEWS_LEAVING] >= g->size && g->stage == STAGE_LEAVING)
        g->stage = STAGE_LEFT;
}
