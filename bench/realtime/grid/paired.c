/* paired.c: the corner turn's exchange by swaps and quads (section 6.3 of the report).
 *
 * A line of n places is two halves. Pairs of neighbours (i, i+1) of the lower half meet pairs (j, j+1) of the upper one in
 * quads, which move all eight messages between them in four stages; steps go through all such meetings; then each half does
 * the same by itself. The last two neighbours swap. Each place sends or receives exactly one message in each stage.
 */
#include "grid.h"

/* The four stages of a quad by role: i, i+1, j, j+1; whom it sends to, or receives from, by role. */
static const struct exchange quad[4][4] = {
    {{3, false}, {3, true}, {2, false}, {2, true}},
    {{2, true}, {2, false}, {3, true}, {3, false}},
    {{1, false}, {1, true}, {0, true}, {0, false}},
    {{0, true}, {0, false}, {1, false}, {1, true}},
};

/* The quad of roles' places in which local place `me` takes part at this step. */
static int meet(int half, int skip, int me, int role_place[4])
{
    int even = me & ~1;
    int low = me < half ? even : ((even - half - skip) % half + half) % half;
    int high = half + (skip + low) % half;
    role_place[0] = low;
    role_place[1] = low + 1;
    role_place[2] = high;
    role_place[3] = high + 1;
    return (me < half ? 0 : 2) + (me & 1);
}

int paired_exchanges(int n, int me, struct exchange *list)
{
    int count = 0, base = 0;
    for (; n > 2; n /= 2) {
        int half = n / 2, local = me - base;
        for (int skip = half - 2; skip >= 0; skip -= 2) {
            int places[4], role = meet(half, skip, local, places);
            for (int stage = 0; stage < 4; stage++) {
                struct exchange e = quad[role][stage];
                list[count++] = (struct exchange){base + places[e.peer], e.sends};
            }
        }
        base += local < half ? 0 : half;
    }
    if (n == 2) {
        bool low = me == base;
        list[count++] = (struct exchange){low ? base + 1 : base, low};
        list[count++] = (struct exchange){low ? base + 1 : base, !low};
    }
    return count;
}
