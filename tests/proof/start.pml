/* start.pml: nodes become a ring (src/net/relay_start.c, relay_roll.c, relay_elect.c), over links that are open.
 *
 * Without ELECT each node believes in any rank and any size; with it, each has any serial number. Nodes start in any order, and a node
 * that has no answer says in the end that nobody is rank 0 (`timeout`: nothing else can happen).
 *
 * Shown: nobody hangs; all nodes start or none does; they start exactly when what they believe is a ring (ELECT: when all
 * serial numbers differ, and never when the smallest is there twice), with the ranks 0, 1, 2 ... to the right; the time-out is needed only where nobody is rank 0.
 *
 * Parameters (-D): NODES, ELECT
 * Mistakes (-D): M_NO_ORDER (ranks are not compared), M_NO_LAP (the roll comes back, but no start signal goes round: each starts when the
 *                  roll has passed it), M_NO_NONCE (a node takes the roll of another that claims rank 0 for its own; an equal
 *                  serial for its own)
 */
#ifndef NODES
#define NODES 3
#endif

mtype = { ELECTION, ROLL, GO }
mtype = { WAITING, STARTED, REFUSED }
mtype = { FINE, WRONG, SERIAL, NO_ZERO }

#define NOBODY 255

/* Kind, fault, count, size, who sent it first (its nonce), its serial. */
chan link[NODES] = [2 * NODES + 2] of { mtype, mtype, byte, byte, byte, byte } /* to node n */

mtype state[NODES] = WAITING
mtype fault[NODES] = FINE
byte rank[NODES], size[NODES], serial[NODES]
bool ready
bool some_zero, must_start = true, may_start = true /* what is true of the ring */

#define RIGHT(n) (((n) + 1) % NODES)
#ifdef M_NO_NONCE
#define IS_OWN true
#else
#define IS_OWN (origin == n)
#endif

#ifdef M_NO_LAP
#define NO_LAP finish()
#else
#define NO_LAP skip
#endif

inline pass() { link[RIGHT(n)] ! kind, wrong, count, believed, origin, theirs }

inline finish()
{
    fault[n] = wrong;
    size[n] = believed;
    state[n] = (wrong == FINE -> STARTED : REFUSED)
}

/* This node's word on the roll. */
inline answer()
{
    if
    :: rank[n] == NOBODY -> rank[n] = count
    :: else
    fi;
    if
#ifndef M_NO_ORDER
    :: (wrong == FINE && rank[n] != count) || rank[n] == 0 -> wrong = WRONG
#endif
    :: wrong == FINE && size[n] != believed -> wrong = WRONG
    :: else
    fi;
    count++
}

inline conclude()
{
    kind = GO;
    wrong = (wrong == FINE && size[n] != 0 && size[n] != count -> WRONG : wrong);
    believed = count
}

/* The smaller serial goes on; the own one that comes back makes this node rank 0. */
inline elect()
{
    if
    :: rank[n] != NOBODY || theirs > serial[n]
    :: rank[n] == NOBODY && theirs < serial[n] -> pass()
    :: rank[n] == NOBODY && theirs == serial[n] && IS_OWN -> rank[n] = 0; kind = ROLL; pass()
    :: rank[n] == NOBODY && theirs == serial[n] && !(IS_OWN) -> kind = GO; wrong = SERIAL; pass(); finish()
    fi
}

proctype node(byte n)
{
    mtype kind, wrong;
    byte count, believed, origin, theirs;

    ready;
    atomic {
        wrong = FINE; count = 1; believed = size[n]; origin = n; theirs = serial[n];
        kind = (rank[n] == NOBODY -> ELECTION : ROLL);
        if
        :: rank[n] == 0 || rank[n] == NOBODY -> pass()
        :: else
        fi
    }
    do
    :: atomic { state[n] == WAITING && nempty(link[n]) ->
           link[n] ? kind, wrong, count, believed, origin, theirs;
           if
           :: kind == ELECTION -> elect()
           :: kind == ROLL && rank[n] == 0 && IS_OWN -> conclude(); pass(); finish()
           :: kind == ROLL && !(rank[n] == 0 && IS_OWN) ->
                  answer();
                  pass();
                  NO_LAP
           :: kind == GO -> pass(); finish()
           fi
       }
    :: atomic { state[n] == WAITING && timeout ->
           assert(!some_zero);
           wrong = NO_ZERO; believed = 0;
           finish()
       }
    :: state[n] != WAITING -> break
    od
}

/* Two equal serials of which neither is the smallest may pass: a smaller one may stand on either way between them. */
inline lowest_is_one()
{
    for (k : 0 .. NODES - 1) {
        least = (serial[k] < least -> serial[k] : least)
    }
    for (k : 0 .. NODES - 1) {
        times = times + (serial[k] == least -> 1 : 0)
    }
    may_start = (times == 1)
}
#ifdef ELECT
#define LOWEST_IS_ONE lowest_is_one()
#else
#define LOWEST_IS_ONE may_start = must_start
#endif

/* What a user may have set: any ranks and sizes, or any serials. */
init {
    byte n, k, least = NOBODY, times;
    atomic {
        for (n : 0 .. NODES - 1) {
#ifdef ELECT
            rank[n] = NOBODY;
            select(k : 1 .. NODES);
            serial[n] = k;
            some_zero = true;
            for (k : 0 .. NODES - 1) {
                must_start = must_start && (k >= n || serial[k] != serial[n])
            }
#else
            select(k : 0 .. NODES);
            rank[n] = k;
            select(k : NODES - 1 .. NODES + 1);
            size[n] = k;
            some_zero = some_zero || rank[n] == 0;
            must_start = must_start && size[n] == NODES && (n == 0 || rank[n] == (rank[n - 1] + 1) % NODES) && rank[n] < NODES;
#endif
            run node(n)
        }
        LOWEST_IS_ONE;
        ready = true
    }
    atomic {
        _nr_pr == 1 ->
        for (n : 0 .. NODES - 1) {
            assert(state[n] == state[0] && (state[n] == STARTED) == (fault[n] == FINE));
            assert(!must_start || state[n] == STARTED);
            assert(may_start || state[n] == REFUSED);
            assert(state[n] == REFUSED || (rank[RIGHT(n)] == (rank[n] + 1) % NODES && size[n] == NODES))
        }
    }
}
