/* agree.c: see agree.h. Every stage is a schedule: the AND of some words over all, and a step that looks at the result. All
 * stages of an agreement have one tag: between two processes their messages keep their order.
 */
#include "agree.h"

#include <string.h>

#include "../core/progress.h"
#include "mpi.h"
#include "select.h"
#include "state.h"

enum stage { FIRST, OTHERS, CONFIRM, AGREED };
enum { WORDS = COMM_IDS / 64, TURNS_MAX = 1000 };

/* The first word; where there is but one, most of it. */
static const uint64_t first_ids = COMM_IDS > 64 ? UINT64_MAX : 0xffffffffffff;

static void both_bits(void *in, void *inout, int *len, uintptr_t *type)
{
    const unsigned char *from = in;
    unsigned char *to = inout;
    (void)type;
    for (int i = 0; i < *len; i++)
        to[i] &= from[i];
}

/* Where to look in this turn: two agreements that met at one identifier, and both failed, do not meet again. (The finaliser of
 * A. Appleby's MurmurHash3.) */
static uint32_t place(const struct agreement *a)
{
    uint32_t h = a->comm->id * 0x9e3779b1u + (uint32_t)a->tag * 0xc2b2ae3du + a->turn * 0x27d4eb2fu;
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return h ^ h >> 16;
}

/* The next free one from there. -1: none. */
static int pick(const struct agreement *a)
{
    uint32_t from = place(a);
    for (uint32_t i = 0; i < COMM_IDS; i++) {
        uint32_t id = (from + i) % COMM_IDS;
        if (a->word[id / 64] >> id % 64 & 1)
            return (int)id;
    }
    return -1;
}

/* ---- What a process says, and what it makes of the answer ---- */

static int words_of(const struct agreement *a) { return a->stage == FIRST ? 2 : a->stage == OTHERS ? WORDS : 1; }

static void say_first(struct agreement *a, struct coll_state *state)
{
    uint64_t free_ids[WORDS];
    a->withheld = state->first_ids_in != NULL;
    if (!a->withheld)
        state->first_ids_in = a;
    mpico_comm_ids_free(a->rank, free_ids);
    a->word[0] = a->withheld ? 0 : free_ids[0] & first_ids;
    a->word[1] = a->withheld ? 0 : UINT64_MAX;
}

static void say_others(struct agreement *a)
{
    mpico_comm_ids_free(a->rank, a->word);
    a->word[0] &= ~first_ids;
}

static void say_taken(struct agreement *a)
{
    uint64_t free_ids[WORDS];
    mpico_comm_ids_free(a->rank, free_ids);
    a->taken = free_ids[a->id / 64] >> a->id % 64 & 1;
    if (a->taken)
        mpico_comm_id_take(a->rank, a->id);
    a->word[0] = a->taken ? UINT64_MAX : 0;
}

static void look_first(struct agreement *a)
{
    a->stage = OTHERS;
    a->withheld = a->word[1] != UINT64_MAX;
    if (!a->word[0])
        return;
    a->id = (uint32_t)__builtin_ctzll(a->word[0]);
    mpico_comm_id_take(a->rank, a->id);
    a->stage = AGREED;
}

static int look_others(struct agreement *a)
{
    int id = pick(a);
    a->turn++;
    a->stage = id >= 0 ? CONFIRM : FIRST;
    a->id = id >= 0 ? (uint32_t)id : 0;
    if (a->turn <= TURNS_MAX && (id >= 0 || a->withheld))
        return 0;
    return mpico_fault(a->rank, MPI_ERR_OTHER,
                       "no identifier is free at all members: %d communicators may live at once", COMM_IDS);
}

static void look_taken(struct agreement *a)
{
    if (!a->word[0] && a->taken)
        mpico_comm_id_give(a->rank, a->id);
    a->taken = 0;
    a->stage = a->word[0] ? AGREED : OTHERS;
}

static int look(struct schedule *s)
{
    struct agreement *a = s->checked;
    if (a->stage == OTHERS)
        return look_others(a);
    if (a->stage == FIRST)
        look_first(a);
    else
        look_taken(a);
    return 0;
}

/* ---- From stage to stage ---- */

static void stage_done(struct request *);

static void leave_first_ids(struct agreement *a)
{
    struct coll_state *state = a->rank->coll;
    if (state && state->first_ids_in == a)
        state->first_ids_in = NULL;
}

static int stage_start(struct agreement *a)
{
    struct rank *r = a->rank;
    struct coll_state *state = mpico_coll_state(r);
    struct schedule *s = state ? mpico_schedule_alloc(r, a->comm) : NULL;
    size_t bytes = (size_t)words_of(a) * sizeof *a->word;
    a->word = s ? mpico_schedule_temp(s, bytes) : NULL;
    if (s && !a->word)
        mpico_schedule_free(s);
    if (!a->word)
        return mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a communicator's identifier");
    s->rank = a->self;
    s->size = a->size;
    s->peer = a->peer;
    s->tag = a->tag;
    s->op = &a->op;
    if (a->stage == FIRST)
        say_first(a, state);
    else if (a->stage == OTHERS)
        say_others(a);
    else
        say_taken(a);
    struct coll_call all = {.what = COLL_ALLREDUCE,
                            .op = &a->op,
                            .in_place = 1,
                            .recv = {.buf = a->word, .count = bytes, .type = &mpico_type_byte}};
    if (SMALL)
        mpico_coll_builder(s, &all, NULL)(s, &all);
    else /* not by price, which takes memory that one rank alone may lack */
        mpico_allreduce_doubling(s, &all);
    mpico_schedule_round(s);
    mpico_schedule_check(s, look, a);
    if (a->shown_by)
        a->shown_by->extra = s;
    mpico_schedule_start_soon(s, &a->message);
    return 0;
}

static void end(struct agreement *a)
{
    mpico_heap_free(&a->rank->heap, a->peer);
    if (a->done)
        a->done(a);
}

static void stage_done(struct request *q)
{
    struct agreement *a = q->owner;
    leave_first_ids(a);
    if (a->shown_by)
        a->shown_by->extra = NULL;
    if (!q->error && a->stage != AGREED) {
        int e = stage_start(a);
        if (!e)
            return; /* perhaps to the end already: `a` may be gone */
        q->error = e;
    }
    if (q->error && a->taken)
        mpico_comm_id_give(a->rank, a->id);
    end(a);
}

void mpico_agree_start(struct agreement *a)
{
    a->stage = FIRST;
    a->turn = 0;
    a->taken = 0;
    a->op = (struct op){.magic = OP_MAGIC, .commutative = 1, .refs = 1, .user = both_bits};
    memset(&a->message, 0, sizeof a->message);
    a->message.owner = a;
    a->message.on_done = stage_done;
    int e = stage_start(a);
    if (e) {
        a->message.error = e;
        a->message.flags = REQUEST_DONE;
        end(a);
    }
}

int mpico_agree(struct agreement *a)
{
    a->done = NULL;
    a->shown_by = NULL;
    mpico_agree_start(a);
    mpico_wait(a->rank, &a->message);
    return a->message.error;
}

/* ---- Who takes part ---- */

/* Of two disjoint groups every member knows which comes first: the one whose first member has the lower rank in the job. */
static int own_first(struct comm *c) { return comm_world(c->local, 0) < comm_world(c, 0); }

static int both_groups(struct agreement *a, struct comm *c)
{
    int own = c->local->size, other = c->size;
    a->size = own + other;
    a->peer = mpico_heap_alloc(&a->rank->heap, (size_t)a->size * sizeof *a->peer);
    if (!a->peer)
        return mpico_fault(a->rank, MPI_ERR_NO_MEM, "no memory for %d ranks", a->size);
    int own_at = own_first(c) ? 0 : other, other_at = own_at ? 0 : own;
    for (int i = 0; i < own; i++)
        a->peer[own_at + i] = ~i;
    for (int i = 0; i < other; i++)
        a->peer[other_at + i] = i;
    a->self = own_at + c->rank;
    return 0;
}

int mpico_agree_members(struct agreement *a, struct rank *r, struct comm *c)
{
    a->rank = r;
    a->comm = c;
    a->peer = NULL;
    a->self = c->rank;
    a->size = c->size;
    a->done = NULL;
    if (c->local) {
        int e = both_groups(a, c);
        if (e)
            return e;
    }
    a->tag = comm_coll_tag(c);
    return 0;
}
