/* relay_elect.c: who is rank 0 in a ring of nodes that have serial numbers and no ranks: the smallest serial (E. Chang, R. Roberts,
 * "An improved algorithm for decentralized extrema-finding in circular configurations of processes", CACM 22(5), 1979). Each
 * node sends its own to the right and passes on the smaller ones; only the smallest comes back. The roll then counts the ranks.
 */
#include "relay_parts.h"

int mpico_relay_elect(struct relay *g, const struct relay_node *node, struct relay_roll *m)
{
    if (g->rank >= 0 || m->serial > node->serial)
        return 0;
    if (m->serial < node->serial)
        return 1;
    if (m->nonce == g->nonce) {
        g->rank = 0;
        m->kind = RELAY_ROLL;
    } else {
        m->kind = RELAY_GO;
        m->fault = ROLL_SERIAL;
    }
    return 1;
}
