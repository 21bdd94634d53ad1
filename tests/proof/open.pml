/* open.pml: how two ends of a link agree on a session (src/net/hop_rx.c: greet, accept), though hellos are lost, doubled and
 * late, hellos and data of former lives are on the cable, and an end starts again at any moment.
 *
 * A nonce names a life of an end. A check sum that starts from both nonces is a tag (from, to) here; a frame with another tag is
 * noise. Each session's data are numbered from 0; the numbering stands for the whole stream (hop.pml).
 *
 * Parameters (-D): LIVES   how often each end may live (its nonces are 1..LIVES)
 *                  CABLE   frames on the cable in each direction
 *                  DELAY   a frame may be held back and come when any number of others have overtaken it
 *                  HASTY   a hello of another life cuts at once, not only when the neighbour has been silent for long
 * Mistakes (-D): M_NO_ECHO (open when a hello is heard), M_NO_TAG (check sums do not depend on the session),
 *                  M_HELLO_ONCE (an open end does not answer an end that is still opening),
 *                  M_DEAF_TO_ECHO (an open end does not answer an end that is open with a former life of it),
 *                  M_HELLO_UNTIL_OPEN (an end that is open says hello only when asked)
 */
#ifndef LIVES
#define LIVES 2
#endif
#ifndef CABLE
#define CABLE 2
#endif
#define LAST 2 /* numbers of data, and then no more */

mtype = { HELLO, DATA }
mtype = { OPENING, OPEN, CUT }

/* HELLO: nonce, echo, asks. DATA: nonce of the sender, nonce of the receiver, number. cable[x] goes from end x. */
chan cable[2] = [CABLE] of { mtype, byte, byte, byte }

mtype held_kind[2]
byte held_a[2], held_b[2], held_c[2]

mtype state[2] = OPENING
byte nonce[2] = 1
byte peer[2]                     /* nonce of the neighbour, as heard; fixed when a frame of the session has come */
bool hello_due[2]
byte number[2], wanted[2]        /* of the next data frame to send, to receive */
bool met[2]                      /* a frame of this session has come */
bool heard[2]                    /* of the proof: the neighbour's present life has heard our present nonce */
bool calm                        /* from now on nothing is lost, and nobody starts again */

#define OTHER(me) (1 - (me))
/* `peer` is a life that the neighbour has had, but it has begun another. */
#define RESTARTED(me) (nonce[OTHER(me)] != peer[me])

/* It must be found that data come when both ends have lived more than once, or the proofs would say nothing. */
#ifdef WITNESS
#define WITNESSED assert(nonce[0] < 2 || nonce[1] < 2)
#else
#define WITNESSED skip
#endif

inline send_hello(me)
{
    cable[me] ! HELLO, nonce[me], peer[me], (state[me] == OPENING -> 1 : 0);
    hello_due[me] = false
}

/* The neighbour is another than the one we are open with. */
inline stranger(me)
{
#ifdef HASTY
    assert(RESTARTED(me)); /* or a link that works would be cut */
    state[me] = CUT
#else
    /* Silence shows it: the neighbour has really begun another life. When it has not, it is heard, and the hello is late. */
    if
    :: RESTARTED(me) -> state[me] = CUT
    :: else
    fi
#endif
}

#ifdef M_HELLO_ONCE
#define ANSWERS(asks, echo) (state[me] == OPENING && asks)
#elif defined(M_DEAF_TO_ECHO)
#define ANSWERS(asks, echo) (asks)
#else
#define ANSWERS(asks, echo) (asks || echo != nonce[me])
#endif
#ifdef M_NO_ECHO
#define ECHOES(echo) true
#else
#define ECHOES(echo) (echo == nonce[me])
#endif

inline greet(me, from, echo, asks)
{
    if
    :: met[me] && from != peer[me] -> stranger(me)
    :: else ->
           hello_due[me] = hello_due[me] || ANSWERS(asks, echo);
           state[me] = (from != peer[me] -> OPENING : state[me]); /* what opened it was a late one */
           peer[me] = from;
           heard[OTHER(me)] = heard[OTHER(me)] || from == nonce[OTHER(me)];
           if
           :: state[me] == OPENING && ECHOES(echo) ->
                  assert(heard[me] || RESTARTED(me)); /* the neighbour has heard this life of ours */
                  assert(wanted[me] == 0);            /* the stream is new */
                  state[me] = OPEN; hello_due[me] = true; number[me] = 0
           :: else
           fi
    fi
}

inline receive(me, kind, a, b, c)
{
    if
    :: state[me] == CUT
    :: state[me] != CUT && kind == HELLO -> greet(me, a, b, c)
#ifdef M_NO_TAG
    :: state[me] == OPEN && kind == DATA ->
#else
    :: state[me] == OPEN && kind == DATA && a == peer[me] && b == nonce[me] ->
#endif
           /* Of this session alone. A copy, or one that is late, is the business of sequence numbers. */
           assert(a == peer[me] && b == nonce[me]);
           met[me] = true;
           if
           :: c == wanted[me] -> wanted[me]++; WITNESSED
           :: else
           fi
    :: else
    fi
}

/* Again and again until it is certain that the neighbour is open with this life of ours, and when asked. */
#ifdef M_HELLO_UNTIL_OPEN
#define SAYS_HELLO(me) (state[me] == OPENING || (state[me] == OPEN && hello_due[me]))
#else
#define SAYS_HELLO(me) (state[me] == OPENING || (state[me] == OPEN && (hello_due[me] || !met[me])))
#endif

proctype speak(byte me)
{
end:
    do
    :: atomic { nfull(cable[me]) && SAYS_HELLO(me) -> send_hello(me) }
    :: atomic { nfull(cable[me]) && state[me] == OPEN && !hello_due[me] && number[me] < LAST ->
           cable[me] ! DATA, nonce[me], peer[me], number[me];
           number[me]++
       }
    od
}

/* What end `me` hears; frames are lost and doubled here. */
proctype hear(byte me)
{
    mtype kind;
    byte a, b, c;
end:
    do
    :: atomic { nempty(cable[OTHER(me)]) ->
           if
           :: cable[OTHER(me)] ? kind, a, b, c -> receive(me, kind, a, b, c)
           :: !calm -> cable[OTHER(me)] ? <kind, a, b, c>; receive(me, kind, a, b, c)
           :: !calm -> cable[OTHER(me)] ? kind, a, b, c
#ifdef DELAY
           :: !calm && held_kind[me] == 0 ->
                  cable[OTHER(me)] ? held_kind[me], held_a[me], held_b[me], held_c[me]
#endif
           fi;
           kind = 0; a = 0; b = 0; c = 0
       }
#ifdef DELAY
    :: atomic { held_kind[me] != 0 ->
           receive(me, held_kind[me], held_a[me], held_b[me], held_c[me]);
           held_kind[me] = 0; held_a[me] = 0; held_b[me] = 0; held_c[me] = 0
       }
#endif
    od
}

/* An end starts again: all it knew is gone; what it said may still be on the cable. */
proctype restart(byte me)
{
end:
    do
    :: atomic { !calm && nonce[me] < LIVES ->
           nonce[me]++;
           state[me] = OPENING; peer[me] = 0; hello_due[me] = false; number[me] = 0; wanted[me] = 0;
           met[me] = false; heard[me] = false; heard[OTHER(me)] = false
       }
    od
}

#define together (state[0] == OPEN && state[1] == OPEN && peer[0] == nonce[1] && peer[1] == nonce[0])
#define ended (state[0] == CUT || state[1] == CUT)

active proctype weather()
{
    calm = true;
    timeout -> assert(together || ended) /* nobody has anything to say: they have found each other */
}

init {
    atomic {
        run speak(0); run speak(1); run hear(0); run hear(1); run restart(0); run restart(1)
    }
}

#ifdef PROGRESS
/* When the weather is calm, the two find each other for good, unless one was open with a former life of the other and is cut. */
ltl progress { [](calm -> <>[](together || ended)) }
#endif
