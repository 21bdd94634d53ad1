/* coll.c: from a call to a running schedule, and the comparison of the call across ranks. */
#include "coll.h"

#include <string.h>

#include "../core/progress.h"
#include "../core/protocol.h"
#include "mpi.h"
#include "op.h"
#include "priced.h"
#include "select.h"
#include "state.h"

/* What all ranks must agree on. Fixed width, the same on every machine of one job. */
struct fingerprint {
    int32_t what, root;
    int64_t bytes;
    uint64_t op;
};

static struct fingerprint fingerprint_of(const struct schedule *s, const struct coll_call *call)
{
    struct fingerprint f = {.what = (int32_t)call->what, .root = -1};
    if (call->what == COLL_BCAST || call->what == COLL_REDUCE ||
        (call->what >= COLL_GATHER && call->what <= COLL_SCATTERV))
        f.root = call->root;
    f.bytes = (int64_t)mpico_coll_bytes(call, s->rank, s->size);
    if (call->op) /* the addresses of user operations differ between ranks; whether they commute must not */
        f.op = call->op->predefined ? (uint64_t)call->op->handle : (uint64_t)call->op->commutative << 62 | 1;
    return f;
}

static int differ(struct rank *r, const struct fingerprint *a, const struct fingerprint *b, int i)
{
    if (a->what != b->what)
        return mpico_fault(r, MPI_ERR_OTHER, "collectives differ: rank 0 calls %s, rank %d calls %s",
                           mpico_coll_name((enum coll)a->what), i, mpico_coll_name((enum coll)b->what));
    if (a->root != b->root)
        return mpico_fault(r, MPI_ERR_ROOT, "root differs: rank 0 says %d, rank %d says %d", a->root, i, b->root);
    if (a->bytes != b->bytes)
        return mpico_fault(r, MPI_ERR_COUNT, "length differs: rank 0 says %l bytes, rank %d says %l",
                           (long long)a->bytes, i, (long long)b->bytes);
    return mpico_fault(r, MPI_ERR_OP, "the operation differs between rank 0 and rank %d", i);
}

static int compare(struct schedule *s)
{
    const struct fingerprint *f = s->checked;
    for (int i = 1; i < s->size; i++)
        if (memcmp(&f[0], &f[i], sizeof f[0]) != 0)
            return differ(s->owner, &f[0], &f[i], i);
    return 0;
}

void mpico_coll_check(struct schedule *s, const struct coll_call *call)
{
    if (s->size == 1)
        return;
    struct fingerprint *f = mpico_schedule_temp(s, (size_t)s->size * sizeof *f);
    if (!f)
        return;
    f[s->rank] = fingerprint_of(s, call);
    struct coll_call exchange = {
        .what = COLL_ALLGATHER, .in_place = 1, .recv = {.buf = f, .count = sizeof *f, .type = &mpico_type_byte}};
    mpico_allgather_bruck(s, &exchange);
    mpico_schedule_round(s);
    mpico_schedule_check(s, compare, f);
    mpico_schedule_round(s);
}

/* No data and nothing to wait for: all ranks know it alike. */
static int empty(const struct coll_call *call, const struct schedule *s)
{
    switch (call->what) {
    case COLL_BARRIER:
    case COLL_GATHERV:
    case COLL_SCATTERV:
    case COLL_ALLTOALLV:
    case COLL_ALLTOALLW:
        return 0;
    default:
        return mpico_coll_bytes(call, s->rank, s->size) == 0;
    }
}

int mpico_coll_settings(struct rank *r, struct coll_state **state)
{
    *state = mpico_coll_state(r);
    if (SMALL || !*state || (*state)->parsed)
        return 0;
    int e = mpico_coll_parse(r, r->settings.coll, (*state)->forced);
    if (!e)
        e = mpico_coll_read_model(r, &(*state)->pricing);
    (*state)->parsed = e == 0;
    return e;
}

static size_t spread_bytes(const struct rank *r, const struct comm *c)
{
    const struct link *link = r->route ? NULL : r->links;
    return link && link->broadcast && c->whole && c->size > 1 ? mpico_send_eager_max(r, link) : 0;
}

static void check(struct schedule *s, const struct coll_call *call)
{
    if (s->comm->local)
        mpico_inter_check(s, call);
    else
        mpico_coll_check(s, call);
}

static void build(struct schedule *s, const struct coll_call *call, const struct algorithm *forced)
{
    struct coll_call here = *call;
    here.crowded = s->owner->crowded;
    here.spread_bytes = spread_bytes(s->owner, s->comm);
    if (!SMALL && s->comm->local)
        mpico_inter_build(s, &here);
    else if (!empty(call, s))
        mpico_coll_builder(s, &here, forced)(s, &here);
}

int mpico_coll_build(struct rank *r, struct comm *comm, const struct coll_call *call, struct schedule **built)
{
    struct coll_state *state;
    int e = mpico_coll_settings(r, &state);
    if (e)
        return e;
    struct schedule *s = state ? mpico_schedule_alloc(r, comm) : NULL;
    if (s) {
        s->op = call->op;
        if (!SMALL && r->settings.checking)
            check(s, call);
        build(s, call, state->forced[call->what]);
    }
    if (s && !s->error) {
        *built = s;
        return 0;
    }
    if (s)
        mpico_schedule_free(s);
    return mpico_fault(r, MPI_ERR_NO_MEM, "no memory for the steps of %s", mpico_coll_name(call->what));
}

int mpico_coll_start(struct rank *r, struct comm *comm, const struct coll_call *call, struct request *q)
{
    struct schedule *s;
    int e = mpico_coll_build(r, comm, call, &s);
    if (!e)
        mpico_schedule_start(s, q);
    return e;
}

int mpico_coll_steps(struct rank *r, struct comm *comm, const struct coll_call *call, struct request *q)
{
    memset(q, 0, sizeof *q);
    int e = mpico_coll_start(r, comm, call, q);
    if (e)
        return e;
    if (!(q->flags & REQUEST_DONE))
        mpico_wait(r, q);
    return q->error;
}
