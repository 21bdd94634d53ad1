/* collective.c: barrier, broadcast and allgather of the whole job through shared memory, without a message.
 *
 * One counter of arrivals, which never goes back: operation k is over when it has reached k times the ranks. Data is
 * put into a shared area before its rank arrives, and copied out when all have arrived. There are two areas, used in
 * turn: who writes into one again has passed the operation between, so all others had entered that, and were done
 * with the area's last contents.
 *
 * So a broadcast waits for all ranks, as the standard allows. The last to arrive wakes the others: on a chip of P
 * harts that is P - 1 stores one after the other, where messages would take log2 P times their way from hart to hart.
 */
#include <string.h>

#include "chip_port.h"
#include "core/rank.h"

static struct {
    uint64_t goal; /* arrivals that end the operation under way, or the last one */
    void *buf;     /* where the area's contents go; NULL: nowhere */
    size_t bytes;
    unsigned turn; /* which area */
} under_way;

static int fits(enum direct what, size_t bytes, size_t ranks)
{
    return bytes <= (what == DIRECT_ALLGATHER ? AREA_BYTES / ranks : AREA_BYTES);
}

static void put(unsigned char *area, enum direct what, void *buf, size_t bytes, int root)
{
    size_t at = what == DIRECT_ALLGATHER ? (size_t)mpico_hart * bytes : 0;
    under_way.buf = what == DIRECT_BARRIER || (what == DIRECT_BCAST && mpico_hart == root) ? NULL : buf;
    under_way.bytes = what == DIRECT_ALLGATHER ? bytes * mpico_chip.harts : bytes;
    if (what == DIRECT_ALLGATHER || (what == DIRECT_BCAST && mpico_hart == root))
        memcpy(area + at, (const unsigned char *)buf + at, bytes);
}

static void ring_all(void)
{
    for (int i = 0; i < (int)mpico_chip.harts; i++)
        if (i != mpico_hart)
            mpico_chip_ring(i);
}

int mpico_chip_direct(struct link *link, enum direct what, void *buf, size_t bytes, int root, int quiet)
{
    struct shared *s = shared();
    (void)link;
    (void)quiet; /* what a rank waits for does not disturb this */
    if (!fits(what, bytes, mpico_chip.harts))
        return -1;
    under_way.turn ^= 1;
    under_way.goal += mpico_chip.harts;
    put(s->area[under_way.turn], what, buf, bytes, root);
    if (__atomic_add_fetch(&s->arrived, 1, __ATOMIC_SEQ_CST) == under_way.goal)
        ring_all();
    return 0;
}

int mpico_chip_direct_state(struct link *link)
{
    (void)link;
    if (__atomic_load_n(&shared()->arrived, __ATOMIC_ACQUIRE) < under_way.goal)
        return MPICO_AGAIN;
    if (under_way.buf)
        memcpy(under_way.buf, shared()->area[under_way.turn], under_way.bytes);
    return 0;
}
