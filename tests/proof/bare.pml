/* bare.pml: messages that are announced and asked for, on a ring of hops that turns one way (src/bare/bare_ring.c: put, pass, take,
 * mpico_bare_send, mpico_bare_recv).
 *
 * A hop is what hop.pml shows it to be: slots at the sender that are free again when the frame is acknowledged, slots at the receiver,
 * which are looked at from the oldest on. A node takes what is for it at once, whatever its program does, and passes the rest on
 * when there is room. Programs block: a rank sends or receives one message at a time. Receives take a message of any source.
 *
 * Shown: all programs end (no invalid end state before); what comes is waited for; no announcement meets one that is still open; the frames of a pair
 * come each once and in order.
 *
 * Parameters (-D): NODES, SLOTS (of a hop, at either end), PARTS (frames of a message's data), COUNT (messages)
 *                  FAR      not each to each, but every second node to its left neighbour, the longest way; then the others. NODES is even
 *                  PROMPT   acknowledgements do not tarry: for larger rings
 * Mistakes (-D): M_NO_BUBBLE (own frames enter when any slot is free), M_UNASKED (data follow their announcement without being asked for)
 */
#ifndef NODES
#define NODES 3
#endif
#ifndef SLOTS
#define SLOTS 1
#endif
#ifndef PARTS
#define PARTS 2
#endif
#ifndef COUNT
#define COUNT 1
#endif
#define PAIRS (NODES * NODES)
#define LEFT(n) (((n) + NODES - 1) % NODES)

/* A frame is a byte: 0 none; data, pair by pair and numbered; announcements; requests, whose source is the receiver. */
#define EACH (PARTS * COUNT)
#define PAIR(source, dest) ((source) * NODES + (dest))
#define DATA(pair, number) (1 + (pair) * EACH + (number))
#define ANNOUNCE(pair) (1 + PAIRS * EACH + (pair))
#define ASK(pair) (1 + PAIRS * (EACH + 1) + (pair))
#define IS_DATA(f) ((f) <= PAIRS * EACH)
#define IS_ASK(f) ((f) > PAIRS * (EACH + 1))
#define PAIR_OF(f) (IS_DATA(f) -> ((f) - 1) / EACH : ((f) - 1 - PAIRS * EACH) % PAIRS)
#define SOURCE(f) (PAIR_OF(f) / NODES)
#define DEST(f) (PAIR_OF(f) % NODES)
#define NUMBER(f) (((f) - 1) % EACH)

#define OUT(n, i) out[(n) * SLOTS + (i)]
#define IN(n, i) in[(n) * SLOTS + (i)]

/* Of node n: the outgoing slots to its right neighbour, oldest first; of them, so many have come there and are not acknowledged; the incoming
 * slots from its left neighbour, oldest first. */
byte out[NODES * SLOTS], outs[NODES], come[NODES]
byte in[NODES * SLOTS], ins[NODES]
byte ended

/* The program of a rank, step by step: to whom it sends, or how many messages it receives. */
#ifdef FAR
#define STEPS (2 * COUNT)
#define SENDS (step % 2 == n % 2)
#define TO LEFT(n)
#define RECEIVES 1
#else
#define STEPS (NODES * COUNT)
#define SENDS (step % NODES != n)
#define TO (step % NODES)
#define RECEIVES (NODES - 1)
#endif
#define ROUND (step / (STEPS / COUNT))

#define ROOM (SLOTS - outs[n])
#ifdef M_NO_BUBBLE
#define MAY_PUT (ROOM > 0)
#else
#define MAY_PUT (ROOM > 1 || (ROOM == 1 && ins[n] == 0))
#endif
#ifdef M_UNASKED
#define ASKED true
#else
#define ASKED (to == 0)
#endif
#ifdef PROMPT
#define ACKNOWLEDGE acknowledge()
#else
#define ACKNOWLEDGE skip
#endif

inline put(f)
{
    OUT(n, outs[n]) = f;
    outs[n]++
}

inline acknowledge()
{
    for (k : 1 .. SLOTS - 1) {
        OUT(n, k - 1) = OUT(n, k)
    }
    OUT(n, SLOTS - 1) = 0;
    outs[n]--;
    come[n]--;
    k = 0
}

/* The oldest frame leaves its slot. */
inline leave_slot()
{
    for (k : 1 .. SLOTS - 1) {
        IN(n, k - 1) = IN(n, k)
    }
    IN(n, SLOTS - 1) = 0;
    ins[n]--;
    k = 0
}

/* Where the code drops what nobody waits for, the model says that it never comes. */
inline deliver()
{
    if
    :: IS_DATA(f) ->
           assert(from == SOURCE(f) + 1 && missing > 0);
           assert(NUMBER(f) == got[SOURCE(f)]); /* once, and in order */
           got[SOURCE(f)]++;
           missing--
    :: IS_ASK(f) ->
           assert(to == SOURCE(f) + 1);
           to = 0
    :: else ->
           assert(!here[SOURCE(f)]);
           here[SOURCE(f)] = 1
    fi
}

#define AT_STEP (state == 0 && step < STEPS)
#define SENDING (state == 1)
#define RECEIVING (state == 2)

/* A receive meets the message that rank `source` has announced. */
#define MEET(source) \
    atomic { AT_STEP && !SENDS && here[source] && MAY_PUT -> \
        here[source] = 0; \
        from = source + 1; \
        missing = PARTS; \
        put(ASK(PAIR(n, source))); \
        state = 2 \
    }

proctype node(byte n)
{
    byte k, f, step, state, part, received;
    byte to, from, missing; /* ranks + 1; 0: none */
    bit here[NODES];
    byte got[NODES];
    do
    :: atomic { AT_STEP && SENDS && MAY_PUT ->
           put(ANNOUNCE(PAIR(n, TO)));
           to = TO + 1;
           state = 1
       }
    :: atomic { SENDING && ASKED && MAY_PUT ->
           put(DATA(PAIR(n, TO), ROUND * PARTS + part));
           part++;
           if
           :: part == PARTS ->
                  part = 0;
                  state = 0;
                  step++;
                  ended = ended + (step == STEPS -> 1 : 0)
           :: else -> skip
           fi
       }
    :: MEET(0)
    :: MEET(1)
    :: MEET(2)
#if NODES > 3
    :: MEET(3)
#endif
    :: atomic { RECEIVING && missing == 0 ->
           from = 0;
           state = 0;
           received++;
           if
           :: received == RECEIVES ->
                  received = 0;
                  step++;
                  ended = ended + (step == STEPS -> 1 : 0)
           :: else -> skip
           fi
       }
    /* A turn, which an interrupt makes too: the oldest frame is taken, or passed on. */
    :: atomic { ins[n] > 0 && DEST(IN(n, 0)) == n ->
           f = IN(n, 0);
           leave_slot();
           deliver();
           f = 0
       }
    :: atomic { ins[n] > 0 && DEST(IN(n, 0)) != n && ROOM > 0 ->
           f = IN(n, 0);
           leave_slot();
           put(f);
           f = 0
       }
    /* The wire to the right carries the next frame; its acknowledgement comes some time later. */
    :: atomic { come[n] < outs[n] && ins[(n + 1) % NODES] < SLOTS ->
           k = (n + 1) % NODES;
           IN(k, ins[k]) = OUT(n, come[n]);
           ins[k]++;
           come[n]++;
           k = 0;
           ACKNOWLEDGE
       }
    :: atomic { come[n] > 0 -> acknowledge() } /* with PROMPT never later */
    :: atomic { ended == NODES && ins[n] == 0 && outs[n] == 0 -> break }
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
