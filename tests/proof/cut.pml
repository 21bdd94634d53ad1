/* cut.pml: the ring closes over its spare direction when the cable between nodes 0 and 1 breaks (src/net/relay_rescue.c: mpico_relay_turn_round; relay.c:
 * forward, give, give_from). Hops as in ring.pml.
 *
 * The cable breaks at any moment and the two ends notice it at any later ones. What node 0 had not been acknowledged turns round, though
 * it may have crossed; all later frames that meet the cut turn behind it. The destination takes the frames of a pair by
 * their numbers: what came both ways is dropped, what came too early is kept in memory beside the slots.
 *
 * Shown: all messages come, each once, those of a pair in order (an assertion on what the program gets); no standing still.
 *
 * Parameters (-D): NODES, SLOTS (1 or 2), COUNT (messages from each node to its left neighbour, the longest way; with EVERY, to all)
 *                  MEMORY  frames that a node can keep beside its slots
 * Mistakes (-D): M_NO_NUMBERS (turn what the other end has not got, which it has told exactly, and give to the program what comes:
 *                  overtakes), M_TRUST (what was sent and not acknowledged is taken for received: loses), MEMORY 0 (stands still)
 */
#ifndef NODES
#define NODES 3
#endif
#ifndef SLOTS
#define SLOTS 1
#endif
#ifndef COUNT
#define COUNT 2
#endif
#ifndef MEMORY
#define MEMORY 6
#endif
#define NEXT(n) (((n) + 1) % NODES)
#define PREVIOUS(n) (((n) + NODES - 1) % NODES)
#define PAIRS (NODES * NODES)

/* A frame is a byte: 0 none, or 1 + (source * NODES + dest) * COUNT + number. */
#define FRAME(pair, number) (1 + (pair) * COUNT + (number))
#define PAIR(f) (((f) - 1) / COUNT)
#define DEST(f) (PAIR(f) % NODES)
#define NUMBER(f) (((f) - 1) % COUNT)

/* Two places a node, SLOTS of them used; 0: free, or taken behind one that is not. Frames to the right: outgoing slots of n, and
 * how many of them have come and are not acknowledged; incoming slots of n, from its left. Then the same to the left. */
byte right_out[NODES * 2], right_outs[NODES], come[NODES]
byte right_in[NODES * 2], right_ins[NODES]
byte left_out[NODES * 2], left_outs[NODES]
byte left_in[NODES * 2], left_ins[NODES]

bool broken, cut_0, cut_1 /* the cable; node 0 knows; node 1 knows */
byte sent[PAIRS], got[PAIRS]
bit kept[1 + PAIRS * COUNT]
byte keeps[NODES]
byte delivered

#ifdef EVERY
#define TOTAL (NODES * (NODES - 1) * COUNT)
#define WANTS(d) (sent[TO(d)] < COUNT)
#else
#define TOTAL (NODES * COUNT)
#define WANTS(d) ((d) == NODES - 1 && sent[TO(d)] < COUNT)
#endif
#define TO(d) (n * NODES + (n + d) % NODES)
#define TURNS(n) ((n) == 0 && cut_0)
#ifdef M_NO_NUMBERS
#define TOLD cut_1 /* what it has got */
#else
#define TOLD true
#endif
#define LINK_RIGHT(n) ((n) > 0 || !broken)

#define IS_MINE(f) ((f) != 0 && DEST(f) == n)
#define IS_TRANSIT(f) ((f) != 0 && DEST(f) != n)
#ifdef M_NO_NUMBERS
#define CAN_TAKE(f) IS_MINE(f)
#else
#define CAN_TAKE(f) (IS_MINE(f) && (NUMBER(f) <= got[PAIR(f)] || keeps[n] < MEMORY))
#endif
#define ANY(test, slots) (test(slots[n * 2]) || test(slots[n * 2 + 1]))
#define FIRST(test, slots) (test(slots[n * 2]) -> 0 : 1)

/* Room for a frame to the right of here: to the right, or round. */
#define ROOM_ON (TURNS(n) -> (right_outs[n] == 0 -> SLOTS - left_outs[n] : 0) : SLOTS - right_outs[n])
#define MAY_ENTER (ROOM_ON > 1 || (ROOM_ON == 1 && right_ins[n] == 0))

#define PUT(slots, used, n, f) \
    slots[(n) * 2 + used[n]] = f; \
    used[n] = used[n] + 1

inline put_on(f)
{
    if
    :: TURNS(n) -> PUT(left_out, left_outs, n, f)
    :: else -> PUT(right_out, right_outs, n, f)
    fi
}

#define POP(slots, used, n) \
    slots[(n) * 2] = slots[(n) * 2 + 1]; \
    slots[(n) * 2 + 1] = 0; \
    used[n] = used[n] - 1

/* Room comes back with the oldest. */
#define TAKE(slots, used, i) \
    slots[n * 2 + i] = 0; \
    do \
    :: used[n] > 0 && slots[n * 2] == 0 -> POP(slots, used, n) \
    :: else -> break \
    od

/* It must be found that a frame overtakes. */
#ifdef WITNESS
#define WITNESSED assert(false)
#else
#define WITNESSED skip
#endif

inline deliver(f)
{
    assert(NUMBER(f) == got[PAIR(f)]);
    got[PAIR(f)]++;
    delivered++
}

inline give(f)
{
    if
#ifdef M_NO_NUMBERS
    :: true -> deliver(f)
#else
    :: NUMBER(f) < got[PAIR(f)] /* it came the other way */
    :: NUMBER(f) == got[PAIR(f)] -> deliver(f)
    :: NUMBER(f) > got[PAIR(f)] ->
           assert(kept[f] == 0);
           kept[f] = 1;
           keeps[n]++;
           WITNESSED
#endif
    fi
}

inline give_kept(pair)
{
    do
    :: got[pair] < COUNT && kept[FRAME(pair, got[pair])] ->
           kept[FRAME(pair, got[pair])] = 0;
           keeps[n]--;
           got[pair]++;
           delivered++
    :: else -> break
    od
}

#define POLL(slots, used) \
    atomic { ANY(CAN_TAKE, slots) -> \
        i = FIRST(CAN_TAKE, slots); \
        f = slots[n * 2 + i]; \
        give(f); \
        give_kept(PAIR(f)); \
        TAKE(slots, used, i); \
        i = 0; f = 0 \
    }

#define ENTER(d) \
    atomic { MAY_ENTER && WANTS(d) -> \
        put_on(FRAME(TO(d), sent[TO(d)])); \
        sent[TO(d)]++ \
    }

proctype node(byte n)
{
    byte i, f;
    do
    :: ENTER(1)
    :: ENTER(2)
#if NODES > 3
    :: ENTER(3)
#endif
    /* Forward to the right, or round. */
    :: atomic { ROOM_ON > 0 && ANY(IS_TRANSIT, right_in) ->
           i = FIRST(IS_TRANSIT, right_in);
           f = right_in[n * 2 + i];
           put_on(f);
           TAKE(right_in, right_ins, i);
           i = 0; f = 0
       }
    /* Forward to the left. */
    :: atomic { left_outs[n] < SLOTS && ANY(IS_TRANSIT, left_in) ->
           assert(n != 1); /* the way ends here: whatever turned was for a node before */
           i = FIRST(IS_TRANSIT, left_in);
           f = left_in[n * 2 + i];
           PUT(left_out, left_outs, n, f);
           TAKE(left_in, left_ins, i);
           i = 0; f = 0
       }
    :: POLL(right_in, right_ins)
    :: POLL(left_in, left_ins)
    /* The wires. */
    :: atomic { LINK_RIGHT(n) && come[n] < right_outs[n] && right_ins[(n + 1) % NODES] < SLOTS ->
           PUT(right_in, right_ins, NEXT(n), right_out[n * 2 + come[n]]);
           come[n]++
       }
    :: atomic { LINK_RIGHT(n) && come[n] > 0 -> POP(right_out, right_outs, n); come[n]-- }
    :: atomic { left_outs[n] > 0 && left_ins[(n + NODES - 1) % NODES] < SLOTS ->
           assert(n != 1);
           PUT(left_in, left_ins, PREVIOUS(n), left_out[n * 2]);
           POP(left_out, left_outs, n)
       }
    /* What the cut link has left turns round, oldest first. */
    :: atomic { TURNS(n) && right_outs[n] > 0 && left_outs[n] < SLOTS && TOLD ->
           if
#ifdef M_NO_NUMBERS
           :: come[n] > 0 -> come[n]--
           :: come[n] == 0 -> PUT(left_out, left_outs, n, right_out[0])
#elif defined(M_TRUST)
           :: come[n] == 0 -> come[n] = 9 /* once */
           :: come[n] > 0 -> PUT(left_out, left_outs, n, right_out[0])
#else
           :: PUT(left_out, left_outs, n, right_out[0])
#endif
           fi;
           POP(right_out, right_outs, n)
       }
    :: atomic { delivered == TOTAL -> break }
    od
}

proctype cable()
{
    broken = true;
    if
    :: cut_0 = true; cut_1 = true
    :: cut_1 = true; cut_0 = true
    fi
}

init {
    byte n;
    atomic {
        for (n : 0 .. NODES - 1) {
            run node(n)
        }
        n = 0;
        run cable()
    }
}
