/* hop.pml: one direction of a hop (src/net/hop.c, hop_rx.c, hop_tx.c) when it is open: data frames from one end to the other, acknowledgements back.
 *
 * The other direction is the same protocol; the head of its frames carries what a control frame carries here. The sender may
 * send again at any moment and the receiver may acknowledge at any moment: more than any choice of timers does, so that what
 * holds here holds for all of them. A frame whose check sum fails is dropped; one whose head is right and whose payload is not
 * is dropped too (the cable delivers it as damaged, so that a receiver can be wrong about it).
 *
 * The messages have three colours: white ones for ever, among them one red and after it one blue, at any two places. The
 * protocol does not look at payloads, so if red and blue always come once and in this order, then any two messages of an
 * endless stream do (P. Wolper, "Expressing interesting properties of programs in propositional temporal logic", POPL 1986).
 *
 * Parameters (-D): OUT, IN  slots of the sender and of the receiver
 *                  MOD      sequence numbers (more than OUT and IN; the code has 65536)
 *                  CABLE    frames on the cable in each direction
 *                  DELAY    how many frames may overtake one frame (one is held back at a time)
 * Mistakes (-D), each of which must be found: M_NO_DUPLICATES, M_ACK_DAMAGED, M_IGNORE_ROOM, M_ROOM_WITH_ACK_ONLY
 *                  (for progress), and a MOD that is too small.
 */
#ifndef OUT
#define OUT 2
#endif
#ifndef IN
#define IN 2
#endif
#ifndef MOD
#define MOD 8
#endif
#ifndef CABLE
#define CABLE 2
#endif
#ifndef DELAY
#define DELAY 0
#endif

#define MINUS(a, b) (((a) + MOD - (b)) % MOD)
#define PLUS(a, b) (((a) + (b)) % MOD)

mtype = { WHITE, RED, BLUE }
mtype = { NOTHING, GOT_OLDEST, GOT_CONTROL, TAKEN } /* what happened last, for progress */
mtype happened = NOTHING

chan data = [CABLE] of { byte, mtype }          /* sequence, payload */
chan control = [CABLE] of { byte, byte, byte }  /* acknowledged, bitmap beyond it, room from it on */

/* A frame held back, and how many may still overtake it. */
byte held_seq, held_age
mtype held_colour
bool held_data
byte held_ack, held_bitmap, held_room, held_ctl_age
bool held_control

/* The sender. */
byte una, una_slot, fresh           /* oldest not acknowledged; not sent yet */
byte room = IN                      /* frames from una on that the receiver can take; the hello told the first */
byte known                          /* bit i: una + i has come, says the bitmap */
mtype out[OUT]
byte source                         /* 0: red not sent yet, 1: blue not yet, 2: both sent */

/* The receiver. */
byte base, base_slot, expected      /* oldest not taken; next in order */
bool have[IN]                       /* in this slot: came out of order, or came and not taken */
mtype in[IN]
byte seen                           /* 0: nothing, 1: red, 2: red and blue */

#define FLIGHT MINUS(fresh, una)
/* The same as seq % OUT and seq % IN where MOD is a multiple, as in the code; any MOD can be tried so. */
#define OUT_SLOT(seq) ((una_slot + MINUS(seq, una)) % OUT)
#define IN_SLOT(seq) ((base_slot + MINUS(seq, base)) % IN)
#define ON_OFFER (FLIGHT < OUT && FLIGHT < room)

inline put_new(colour)
{
    out[OUT_SLOT(fresh)] = colour;
    data ! fresh, colour;
    fresh = PLUS(fresh, 1)
}

active proctype send_new()
{
    do
#ifdef M_IGNORE_ROOM
    :: atomic { FLIGHT < OUT && nfull(data) ->
#else
    :: atomic { ON_OFFER && nfull(data) ->
#endif
           if
           :: put_new(WHITE)
           :: source == 0 -> source = 1; put_new(RED)
           :: source == 1 -> source = 2; put_new(BLUE)
           fi;
           happened = NOTHING
       }
    od
}

/* Any frame that is not known to have come, at any time: a timer, or a gap in the bitmap. */
active proctype send_again()
{
    byte i;
    do
    :: atomic { FLIGHT > 0 && nfull(data) ->
           i = 0;
           do
           :: i + 1 < FLIGHT -> i++
           :: break
           od;
           if
           :: known & (1 << i)
           :: else -> data ! PLUS(una, i), out[OUT_SLOT(PLUS(una, i))]
           fi;
           happened = NOTHING;
           i = 0
       }
    od
}

/* The head of any frame of the receiver has come. */
inline acknowledged(ack, bitmap, free)
{
    n = MINUS(ack, una);
    happened = (ack == expected && free == IN - MINUS(expected, base) -> GOT_CONTROL : NOTHING);
    if
    :: n <= FLIGHT ->
           una_slot = (una_slot + n) % OUT; una = ack;
           known = bitmap << 1; /* bit 0 is una itself: missing, or it would be below */
#ifdef M_ROOM_WITH_ACK_ONLY
           if
           :: n > 0 -> room = free
           :: else -> room = (room < free -> room : room)
           fi
#else
           room = free
#endif
    :: else
    fi
}

/* The cable from the receiver to the sender: delivers, loses, doubles, holds back. */
active proctype cable_back()
{
    byte ack, bitmap, free, n;
    do
    :: atomic { nempty(control) && !(held_control && held_ctl_age == 0) ->
           happened = NOTHING;
           if
           :: control ? ack, bitmap, free -> acknowledged(ack, bitmap, free)
           :: control ? ack, bitmap, free
#ifndef PROGRESS
           :: control ? <ack, bitmap, free> -> acknowledged(ack, bitmap, free)
#endif
#if DELAY
           :: !held_control -> control ? held_ack, held_bitmap, held_room; held_control = true; held_ctl_age = DELAY + 1
           :: !held_control -> control ? <held_ack, held_bitmap, held_room>; held_control = true; held_ctl_age = DELAY + 1
#endif
           fi;
           if
           :: held_control -> held_ctl_age--
           :: else
           fi;
           ack = 0; bitmap = 0; free = 0; n = 0
       }
    :: atomic { held_control ->
           acknowledged(held_ack, held_bitmap, held_room);
           held_control = false; held_ack = 0; held_bitmap = 0; held_room = 0; held_ctl_age = 0; n = 0
       }
    od
}

/* A search for the states that the proofs are about: it must find one, or they would say nothing. */
#ifdef WITNESS
#define WITNESSED assert(false)
#else
#define WITNESSED skip
#endif

/* The colours must come as they were sent. */
inline check(colour)
{
    if
    :: colour == RED -> assert(seen == 0); seen = 1
    :: colour == BLUE -> assert(seen == 1); seen = 2; WITNESSED
    :: else
    fi
}

inline in_order()
{
    do
    :: MINUS(expected, base) < IN && have[IN_SLOT(expected)] ->
           check(in[IN_SLOT(expected)]);
           expected = PLUS(expected, 1)
    :: else -> break
    od
}

/* A data frame has come; `good`: with the right check sum of the payload. */
inline arrived(seq, colour, good)
{
    happened = (seq == una && FLIGHT > 0 && good -> GOT_OLDEST : NOTHING);
    if
#ifdef M_NO_DUPLICATES
    :: MINUS(seq, expected) >= IN && good -> check(colour)
#else
    :: MINUS(seq, expected) >= IN /* an old one */
#endif
    :: MINUS(seq, expected) < IN && MINUS(seq, base) >= IN && good ->
           assert(false) /* no slot: the sender went beyond the room it was told */
    :: MINUS(seq, expected) < IN && !good ->
#ifdef M_ACK_DAMAGED
           have[IN_SLOT(seq)] = true;
           in_order()
#else
           skip
#endif
    :: MINUS(seq, expected) < IN && MINUS(seq, base) < IN && good ->
           if
           :: have[IN_SLOT(seq)] /* came before */
           :: else -> have[IN_SLOT(seq)] = true; in[IN_SLOT(seq)] = colour; in_order()
           fi
    :: else
    fi
}

/* The cable from the sender to the receiver. */
active proctype cable_on()
{
    byte seq;
    mtype colour;
    do
    :: atomic { nempty(data) && !(held_data && held_age == 0) ->
           happened = NOTHING;
           if
           :: data ? seq, colour -> arrived(seq, colour, true)
           :: data ? seq, colour -> arrived(seq, WHITE, false)
           :: data ? seq, colour
#ifndef PROGRESS
           :: data ? <seq, colour> -> arrived(seq, colour, true)
#endif
#if DELAY
           :: !held_data -> data ? held_seq, held_colour; held_data = true; held_age = DELAY + 1
           :: !held_data -> data ? <held_seq, held_colour>; held_data = true; held_age = DELAY + 1
#endif
           fi;
           if
           :: held_data -> held_age--
           :: else
           fi;
           seq = 0; colour = 0
       }
    :: atomic { held_data ->
           arrived(held_seq, held_colour, true);
           held_data = false; held_seq = 0; held_colour = 0; held_age = 0
       }
    od
}

/* An acknowledgement at any time: a heartbeat, the head of a data frame the other way, an answer to a duplicate. */
active proctype acknowledge()
{
    byte i, bitmap;
    do
    :: atomic { nfull(control) ->
           i = 1;
           do
           :: MINUS(expected, base) + i < IN ->
                  bitmap = bitmap | (have[IN_SLOT(PLUS(expected, i))] -> (1 << (i - 1)) : 0);
                  i++
           :: else -> break
           od;
           control ! expected, bitmap, IN - MINUS(expected, base);
           happened = NOTHING;
           i = 0; bitmap = 0
       }
    od
}

/* The layer above takes what has come in order, in any order; room comes back with the oldest. */
active proctype above()
{
    byte i;
    do
    :: atomic { base != expected ->
           i = base;
           do
           :: PLUS(i, 1) != expected -> i = PLUS(i, 1)
           :: break
           od;
           have[IN_SLOT(i)] = false; in[IN_SLOT(i)] = 0;
           happened = TAKEN;
           do
           :: base != expected && !have[base_slot] -> base = PLUS(base, 1); base_slot = (base_slot + 1) % IN
           :: else -> break
           od;
           i = 0
       }
    od
}

/* Progress: if the frame that stays the oldest is delivered again and again, and of the control frames with what is now true some are,
 * then messages are delivered for ever. (That the oldest goes again is the sender's timer, that one in so many arrives is the
 * cable's; both are what fair loss means. A cable that doubles one frame for ever lets nothing else through: it does not double here.)
 */
#ifdef PROGRESS
#define oldest_comes (happened == GOT_OLDEST || una == fresh)
#define control_comes (happened == GOT_CONTROL)
#define taken (happened == TAKEN)
ltl progress { ([]<>oldest_comes && []<>control_comes) -> []<>taken }
#endif
