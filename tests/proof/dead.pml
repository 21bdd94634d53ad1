/* dead.pml: what every node learns of cuts and of dead nodes (src/net/relay_news.c: tell; relay_rescue.c: report).
 *
 * Each node tells either neighbour how far away the nearest cut on its other side is: 0 none is known, 1 its own link. News are in every control
 * frame, so that one of them comes; at which moment is not known, and one may come late, by DELAY after younger ones.
 * A dead node's two links fall silent, and both neighbours notice, some time.
 *
 * Shown: a rank is reported as lost only if it cannot be reached (it is dead, or cut off), and in the end every living node has reported
 * exactly those.
 *
 * Parameters (-D): NODES, FAILURES (cables that break or nodes that die), DELAY
 * Mistakes (-D): M_ONE_SIDE (a node on the other side of the nearest cut is taken for lost before the other side is known),
 *                  M_NO_COUNT (the distance is passed on as it is)
 */
#ifndef NODES
#define NODES 4
#endif
#ifndef FAILURES
#define FAILURES 1
#endif

#define RIGHT(n) (((n) + 1) % NODES)
#define LEFT(n) (((n) + NODES - 1) % NODES)

bit dead[NODES], broken[NODES]               /* broken[n]: the cable between n and its right neighbour */
bit cut_right[NODES], cut_left[NODES]        /* what node n has noticed of its own links */
byte from_right[NODES], from_left[NODES]     /* the neighbours' last news */
byte late_right[NODES], late_left[NODES]     /* news that are still on their way */
bit lost[NODES * NODES]                      /* node n has reported rank k */
byte failures
bool over

#define GONE(n) (broken[n] || dead[n] || dead[RIGHT(n)])
#ifdef M_NO_COUNT
#define FURTHER(d) (d)
#else
#define FURTHER(d) ((d) > 0 -> (d) + 1 : 0)
#endif
/* The nearest cut on either side, in nodes. */
#define NEAR_RIGHT(n) (cut_right[n] -> 1 : FURTHER(from_right[n]))
#define NEAR_LEFT(n) (cut_left[n] -> 1 : FURTHER(from_left[n]))

/* Can node n still reach the one k to its right, either way? */
inline reach(n, k)
{
    right_ok = true;
    left_ok = true;
    for (j : 0 .. k - 1) {
        right_ok = right_ok && !GONE((n + j) % NODES)
    }
    for (j : k .. NODES - 1) {
        left_ok = left_ok && !GONE((n + j) % NODES)
    }
    reached = right_ok || left_ok;
    right_ok = false; left_ok = false; j = 0
}

#ifdef M_ONE_SIDE
#define KNOWN(n) (NEAR_RIGHT(n) > 0 || NEAR_LEFT(n) > 0)
#else
#define KNOWN(n) (NEAR_RIGHT(n) > 0 && NEAR_LEFT(n) > 0)
#endif
/* Is there something to report? */
#define NEW(n, k) (KNOWN(n) && k >= NEAR_RIGHT(n) && k + NEAR_LEFT(n) <= NODES && !lost[(n) * NODES + (n + k) % NODES])

#define REPORT(k) \
    atomic { NEW(n, k) -> \
        reach(n, k); \
        assert(!reached); \
        reached = false; \
        lost[n * NODES + (n + k) % NODES] = 1 \
    }

proctype node(byte n)
{
    byte j;
    bool right_ok, left_ok, reached;
end:
    do
    :: atomic { dead[n] -> break }
    /* Silence. */
    :: atomic { !dead[n] && GONE(n) && !cut_right[n] -> cut_right[n] = 1 }
    :: atomic { !dead[n] && GONE(LEFT(n)) && !cut_left[n] -> cut_left[n] = 1 }
    /* News of the neighbours. */
    :: atomic { !dead[n] && !cut_right[n] && !GONE(n) && from_right[n] != NEAR_RIGHT(RIGHT(n)) ->
           from_right[n] = NEAR_RIGHT(RIGHT(n)) }
    :: atomic { !dead[n] && !cut_left[n] && !GONE(LEFT(n)) && from_left[n] != NEAR_LEFT(LEFT(n)) ->
           from_left[n] = NEAR_LEFT(LEFT(n)) }
#ifdef DELAY
    :: atomic { !dead[n] && !over && !cut_right[n] && !GONE(n) && late_right[n] == 0 && NEAR_RIGHT(RIGHT(n)) > 0 ->
           late_right[n] = NEAR_RIGHT(RIGHT(n)) }
    :: atomic { !dead[n] && !over && !cut_right[n] && late_right[n] > 0 -> from_right[n] = late_right[n]; late_right[n] = 0 }
    :: atomic { !dead[n] && !over && !cut_left[n] && !GONE(LEFT(n)) && late_left[n] == 0 && NEAR_LEFT(LEFT(n)) > 0 ->
           late_left[n] = NEAR_LEFT(LEFT(n)) }
    :: atomic { !dead[n] && !over && !cut_left[n] && late_left[n] > 0 -> from_left[n] = late_left[n]; late_left[n] = 0 }
#endif
    :: REPORT(1)
    :: REPORT(2)
#if NODES > 3
    :: REPORT(3)
#endif
    od
}

/* Fails, or not, and then checks what all have learnt. */
init {
    byte n, k, j;
    bool right_ok, left_ok, reached;
    atomic {
        for (n : 0 .. NODES - 1) {
            run node(n)
        }
    }
    do
    :: atomic { failures < FAILURES -> select(n : 0 .. NODES - 1); broken[n] = 1; failures++ }
    :: atomic { failures < FAILURES -> select(n : 0 .. NODES - 1); dead[n] = 1; failures++ }
    :: break
    od;
    over = true;
    atomic {
        timeout ->
        for (n : 0 .. NODES - 1) {
            for (k : 1 .. NODES - 1) {
                if
                :: !dead[n] ->
                       reach(n, k);
                       assert(lost[n * NODES + (n + k) % NODES] == !reached)
                :: else
                fi
            }
        }
    }
}
