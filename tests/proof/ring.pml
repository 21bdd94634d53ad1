/* ring.pml: store and forward round a ring of hops (src/net/relay.c: forward, relay_send, give_from), no link cut.
 *
 * A hop is what hop.pml shows it to be: slots at the sender that are free again when the frame is acknowledged, slots at
 * the receiver where frames come in order, may be taken in any order, and give room back with the oldest. Every node sends
 * COUNT messages to every other, the destinations in any order, and polls when it likes.
 *
 * Shown: all messages come, each once, those of a pair in order; the ring never stands still before (no invalid end state).
 *
 * Parameters (-D): NODES, SLOTS (of a hop, at either end), COUNT
 *                  FAR      every node sends to its left neighbour alone, the longest way
 *                  PROMPT   acknowledgements do not tarry: for larger rings
 *                  POLLED   a node whose slots are empty takes its frames as they come: the same
 *                  STRICT   the stricter rule: always leave a slot, not only where frames wait that may need it
 *                  ENDLESS  node 0 sends to node 2 for ever, node 1 once: for the question whether it ever gets in
 * Mistakes (-D): M_NO_BUBBLE (own frames enter when any slot is free), M_OVERTAKE (of the frames that are to go on, the last
 *                  goes first)
 */
#ifndef NODES
#define NODES 3
#endif
#ifndef SLOTS
#define SLOTS 1
#endif
#ifndef COUNT
#define COUNT 1
#endif
#define PAIRS (NODES * NODES)
#define LEFT(n) (((n) + NODES - 1) % NODES)

/* A frame is a byte: 0 none, or 1 + (source * NODES + dest) * COUNT + number. */
#define FRAME(pair, number) (1 + (pair) * COUNT + (number))
#define PAIR(f) (((f) - 1) / COUNT)
#define DEST(f) (PAIR(f) % NODES)
#define NUMBER(f) (((f) - 1) % COUNT)

#define OUT(n, i) out[(n) * SLOTS + (i)]
#define IN(n, i) in[(n) * SLOTS + (i)]

/* Of node n: the outgoing slots to its right neighbour, oldest first; of them, so many have come there and are not
 * acknowledged; the incoming slots from its left neighbour, 0 where a frame behind the oldest has been taken. */
byte out[NODES * SLOTS], outs[NODES], come[NODES]
byte in[NODES * SLOTS], ins[NODES]
byte mine[NODES], transit[NODES] /* how many of them are for this node, are to go on */
byte sent[PAIRS], got[PAIRS]
byte delivered
bool entered /* node 1 has got in */

#ifdef FAR
#define TOTAL (NODES * COUNT)
#else
#define TOTAL (NODES * (NODES - 1) * COUNT)
#endif
#define ROOM(n) (SLOTS - outs[n])
#ifdef M_NO_BUBBLE
#define MAY_ENTER(n) (ROOM(n) > 0)
#elif defined(STRICT)
#define MAY_ENTER(n) (ROOM(n) > 1)
#else
#define MAY_ENTER(n) (ROOM(n) > 1 || (ROOM(n) == 1 && ins[n] == 0))
#endif

inline send(n, f)
{
    OUT(n, outs[n]) = f;
    outs[n]++
}

/* Take the i-th; the slots of the oldest come back. */
inline take(n, i)
{
    IN(n, i) = 0;
    do
    :: ins[n] > 0 && IN(n, 0) == 0 ->
           for (k : 1 .. SLOTS - 1) {
               IN(n, k - 1) = IN(n, k)
           }
           IN(n, SLOTS - 1) = 0;
           ins[n]--
    :: else -> break
    od;
    k = 0
}

inline acknowledge(n)
{
    for (k : 1 .. SLOTS - 1) {
        OUT(n, k - 1) = OUT(n, k)
    }
    OUT(n, SLOTS - 1) = 0;
    outs[n]--;
    come[n]--;
    k = 0
}

inline deliver()
{
#ifndef ENDLESS
    assert(NUMBER(f) == got[PAIR(f)]); /* once, and in order */
    got[PAIR(f)]++;
    delivered++
#else
    skip
#endif
}

/* At node i, its slots are not full. */
inline into_slot()
{
    IN(i, ins[i]) = f;
    ins[i]++;
    if
    :: DEST(f) == i -> mine[i]++
    :: else -> transit[i]++
    fi
}
#ifdef POLLED
#define ARRIVE if :: DEST(f) == i && ins[i] == 0 -> deliver() :: else -> into_slot() fi
#else
#define ARRIVE into_slot()
#endif

#ifdef PROMPT
#define ACKNOWLEDGE acknowledge(n)
#else
#define ACKNOWLEDGE skip
#endif

/* The first frame that is to go on. i: where. */
inline find_transit(n)
{
#ifdef M_OVERTAKE
    i = ins[n] - 1;
    do
    :: IN(n, i) == 0 || DEST(IN(n, i)) == n -> i--
    :: else -> break
    od
#else
    i = 0;
    do
    :: IN(n, i) == 0 || DEST(IN(n, i)) == n -> i++
    :: else -> break
    od
#endif
}

/* To the node `d` to the right. Guards are exact, so that a ring that stands still is an invalid end state. */
#define TO(d) (n * NODES + (n + d) % NODES)
#ifdef ENDLESS
#define WANTS(d) (n < 2 && (n + d) % NODES == 2 && sent[TO(d)] == 0)
#define COUNTED (n > 0) /* node 0 sends the same for ever */
#define ENTERED entered = entered || n == 1
#else
#ifdef FAR
#define WANTS(d) ((d) == NODES - 1 && sent[TO(d)] < COUNT)
#else
#define WANTS(d) (sent[TO(d)] < COUNT)
#endif
#define COUNTED true
#define ENTERED skip
#endif
#define ENTER(d) \
    atomic { MAY_ENTER(n) && WANTS(d) -> \
        send(n, FRAME(TO(d), sent[TO(d)])); \
        sent[TO(d)] = sent[TO(d)] + (COUNTED -> 1 : 0); \
        ENTERED \
    }

proctype node(byte n)
{
    byte i, k, f;
    do
    /* Begin to send. */
    :: ENTER(1)
    :: ENTER(2)
#if NODES > 3
    :: ENTER(3)
#endif
    /* Forward. */
    :: atomic { ROOM(n) > 0 && transit[n] > 0 ->
           find_transit(n);
           f = IN(n, i); send(n, f); take(n, i);
           transit[n]--;
           i = 0; f = 0
       }
    /* Poll: the first frame for this node. */
    :: atomic { mine[n] > 0 ->
           i = 0;
           do
           :: IN(n, i) == 0 || DEST(IN(n, i)) != n -> i++
           :: else -> break
           od;
           f = IN(n, i);
           deliver();
           take(n, i);
           mine[n]--;
           i = 0; f = 0
       }
    /* The wire to the right carries the next frame; its acknowledgement comes some time later. */
    :: atomic { come[n] < outs[n] && ins[(n + 1) % NODES] < SLOTS ->
           i = (n + 1) % NODES;
           f = OUT(n, come[n]);
           ARRIVE;
           f = 0;
           come[n]++;
           ACKNOWLEDGE;
           i = 0
       }
    :: atomic { come[n] > 0 -> acknowledge(n) } /* with PROMPT never later */
    :: atomic { delivered == TOTAL -> break }
    od
}

init {
    byte n;
    atomic {
        for (n : 0 .. NODES - 1) {
            run node(n)
        }
        n = 0
    }
}

#ifdef ENDLESS
ltl gets_in { <>entered }
#endif
