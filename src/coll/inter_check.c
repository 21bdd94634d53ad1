/* inter_check.c: comparing a collective on an intercommunicator across both groups (checking mode). Each rank tells all others what
 * it calls: in one group all name the same root by its rank, in the root's group one says MPI_ROOT and the others MPI_PROC_NULL.
 */
#include <string.h>

#include "../core/rank.h"
#include "coll.h"
#include "mpi.h"
#include "op.h"
#include "select.h"

/* What a rank says. Fixed width, the same on every machine of one job. */
struct said {
    int32_t what, root;
    int64_t bytes; /* -1: is not compared */
    uint64_t op;
};

struct both {
    int own, other;
    struct said *said; /* the own group's, then the other's */
};

static int is_rooted(enum coll what) { return what == COLL_REDUCE || (what >= COLL_BCAST && what <= COLL_SCATTERV); }

/* Lengths are alike where one vector goes through all hands. */
static struct said said_of(const struct coll_call *call)
{
    struct said s = {.what = (int32_t)call->what, .root = is_rooted(call->what) ? call->root : 0, .bytes = -1};
    if ((call->what == COLL_BCAST || call->what == COLL_REDUCE) && call->root != MPI_PROC_NULL)
        s.bytes = (int64_t)(call->recv.count * call->recv.type->size);
    if (call->op)
        s.op = call->op->predefined ? (uint64_t)call->op->handle : (uint64_t)call->op->commutative << 62 | 1;
    return s;
}

static int differ(struct rank *r, const struct said *a, const struct said *b)
{
    if (a->what != b->what)
        return mpico_fault(r, MPI_ERR_OTHER, "collectives differ: one rank calls %s, another calls %s",
                           mpico_coll_name((enum coll)a->what), mpico_coll_name((enum coll)b->what));
    if (a->bytes >= 0 && b->bytes >= 0 && a->bytes != b->bytes)
        return mpico_fault(r, MPI_ERR_COUNT, "length differs: one rank says %l bytes, another says %l",
                           (long long)a->bytes, (long long)b->bytes);
    if (a->op && b->op && a->op != b->op)
        return mpico_fault(r, MPI_ERR_OP, "the operation differs between two ranks");
    return 0;
}

/* The root in a group that has it; -1: all say the other one has it, at `theirs`; -2: they contradict each other. */
static int root_in(const struct said *s, int size, int *theirs)
{
    int here = -1, silent = 0, named = 0;
    *theirs = -1;
    for (int i = 0; i < size; i++) {
        if (s[i].root == MPI_ROOT && here >= 0)
            return -2;
        if (s[i].root == MPI_ROOT)
            here = i;
        silent += s[i].root == MPI_PROC_NULL;
        named += s[i].root >= 0;
        if (s[i].root >= 0 && *theirs >= 0 && s[i].root != *theirs)
            return -2;
        *theirs = s[i].root >= 0 ? s[i].root : *theirs;
    }
    return (here >= 0 ? named == 0 : silent == 0) ? here : -2;
}

static int check_roots(struct rank *r, const struct both *b)
{
    int in_other, in_own, own = root_in(b->said, b->own, &in_other);
    int other = root_in(b->said + b->own, b->other, &in_own);
    if ((own >= 0 && other == -1 && own == in_own) || (other >= 0 && own == -1 && other == in_other))
        return 0;
    return mpico_fault(r, MPI_ERR_ROOT,
                       "the roots differ: one rank of one group says MPI_ROOT, its others MPI_PROC_NULL, and "
                       "all of the other group its rank");
}

static int compare(struct schedule *s)
{
    const struct both *b = s->checked;
    int e = 0;
    for (int i = 0; i < b->own + b->other && !e; i++)
        for (int k = 0; k < i && !e; k++)
            e = differ(s->owner, &b->said[k], &b->said[i]);
    return e || !is_rooted((enum coll)b->said[0].what) ? e : check_roots(s->owner, b);
}

/* To all of a group and from all of it. */
static void tell(struct schedule *s, const struct said *mine, struct said *theirs, int size, int except)
{
    for (int i = 0; i < size; i++)
        if (i != except) {
            mpico_schedule_recv(s, &theirs[i], sizeof *theirs, &mpico_type_byte, i);
            mpico_schedule_send(s, mine, sizeof *mine, &mpico_type_byte, i);
        }
}

void mpico_inter_check(struct schedule *s, const struct coll_call *call)
{
    struct both *b = mpico_schedule_temp(s, sizeof *b);
    int own = s->comm->local->size, rank = s->comm->rank;
    struct said *said = mpico_schedule_temp(s, (size_t)(own + s->size) * sizeof *said);
    if (!b || !said)
        return;
    *b = (struct both){.own = own, .other = s->size, .said = said};
    said[rank] = said_of(call);
    s->local = 1;
    tell(s, &said[rank], said, own, rank);
    s->local = 0;
    tell(s, &said[rank], said + own, s->size, -1);
    mpico_schedule_round(s);
    mpico_schedule_check(s, compare, b);
    mpico_schedule_round(s);
}
