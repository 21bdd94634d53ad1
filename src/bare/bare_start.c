/* bare_start.c: a node joins the ring and leaves it. */
#include "bare.h"

#include <string.h>

/* What neighbours tell each other with every control frame (hop.news). */
enum { NEWS_RANK, NEWS_SIZE, NEWS_LEAVING };

static void open_hop(struct bare *b, struct hop *h, struct lane *lane, uint8_t *memory, unsigned out, unsigned in,
                     const struct bare_node *n)
{
    mpico_hop_open(h, lane, memory, out, in, n->slot_bytes, n->nonce, n->times, mpico_bare_ticks());
    h->news[NEWS_RANK] = (uint8_t)b->world.rank;
    h->news[NEWS_SIZE] = (uint8_t)b->world.size;
    h->news_due = 1;
}

/* The arena: slots of the right link, as many as frames go that way and one for what comes back; of the left link, the other way round; the
 * table of messages. */
static void open_ring(struct bare *b, const struct bare_node *n)
{
    size_t side = mpico_hop_bytes(n->slots, 1, n->slot_bytes);
    size_t needed = 2 * side + (size_t)n->size * sizeof *b->messages;
    uint8_t *memory = n->arena;
    if (n->arena_bytes < needed || n->size > BARE_NODES)
        mpico_bare_die(MPI_ERR_NO_MEM,
                       "the arena of %z bytes is too small for %d ranks: links and tables need %z; link with "
                       "-Wl,--defsym=mpico_arena_bytes=",
                       n->arena_bytes, n->size, needed);
    b->messages = (struct bare_announced *)(void *)(memory + 2 * side);
    memset(b->messages, 0, (size_t)n->size * sizeof *b->messages);
    b->part_bytes = n->slot_bytes - BARE_HEAD;
    b->open_until = mpico_bare_ticks() + n->open_ticks;
    open_hop(b, &b->right, n->right, memory, n->slots, 1, n);
    open_hop(b, &b->left, n->left, memory + side, 1, n->slots, n);
}

/* Each node looks at its left neighbour: so every wrong order, and every rank that two nodes claim, is seen by somebody. */
static void meet(struct bare *b)
{
    const uint8_t *news = b->left.peer_news;
    int left = (b->world.rank ? b->world.rank : b->world.size) - 1;
    while (b->right.state != HOP_OPEN || !news[NEWS_SIZE])
        mpico_bare_wait();
    if (news[NEWS_RANK] != left || news[NEWS_SIZE] != b->world.size)
        mpico_bare_die(MPI_ERR_OTHER, "the left neighbour is rank %d of %d, not %d of %d", news[NEWS_RANK],
                       news[NEWS_SIZE], left, b->world.size);
}

#pragma weak MPI_Init = PMPI_Init
int PMPI_Init(int *argc, char ***argv)
{
    struct bare *b = &mpico_bare;
    struct bare_node node;
    (void)argc, (void)argv;
    b->call = "MPI_Init";
    if (b->state != BARE_BEFORE)
        mpico_bare_die(MPI_ERR_OTHER, "called twice");
    if (mpico_bare_identify(&node))
        mpico_bare_halt(MPI_ERR_OTHER, NULL);
    b->world = (struct bare_comm){node.rank, node.size};
    b->self.size = 1;
    b->to = -1;
    if (node.size > 1) {
        mpico_bare_hold(b);
        open_ring(b, &node);
        meet(b);
        mpico_bare_release(b);
    }
    b->state = BARE_RUNNING;
    return MPI_SUCCESS;
}

static int done_with(const struct hop *h) { return h->state == HOP_CUT || h->peer_news[NEWS_LEAVING]; }

/* All ranks have come here. Forward until the neighbours know, and a little longer, for what they have not heard. */
static void leave(struct bare *b)
{
    mpico_bare_hold(b);
    b->left.news[NEWS_LEAVING] = b->right.news[NEWS_LEAVING] = 1;
    b->left.news_due = b->right.news_due = 1;
    while (!done_with(&b->left) || !done_with(&b->right))
        mpico_bare_wait();
    for (uint32_t since = mpico_bare_ticks(); mpico_bare_ticks() - since < b->left.times->heartbeat;)
        mpico_bare_wait();
    b->right.lane = NULL;
    mpico_bare_release(b);
}

#pragma weak MPI_Finalize = PMPI_Finalize
int PMPI_Finalize(void)
{
    struct bare *b = mpico_bare_enter("MPI_Finalize");
    PMPI_Barrier(MPI_COMM_WORLD);
    b->state = BARE_LEAVING;
    if (b->world.size > 1)
        leave(b);
    b->state = BARE_FINALIZED;
    return MPI_SUCCESS;
}
