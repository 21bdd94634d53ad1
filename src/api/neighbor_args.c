/* neighbor_args.c: see neighbor.h. Everything the schedule needs is cut from its own memory. */
#include "neighbor.h"

#include "../coll/neighbor.h"
#include "../coll/state.h"
#include "topo.h"

/* ---- Who the neighbours are ---- */

static void count_edges(const struct topology *t, int rank, struct neighbors *n)
{
    switch (t->kind) {
    case MPI_CART:
        n->in = n->out = 2 * t->n;
        n->mirrored = 1;
        break;
    case MPI_GRAPH:
        n->in = n->out = t->list[rank] - (rank ? t->list[rank - 1] : 0);
        break;
    default:
        n->in = t->n;
        n->out = t->m;
    }
}

static int edges(struct schedule *s, const struct topology *t, struct neighbors *n)
{
    *n = (struct neighbors){0};
    count_edges(t, s->rank, n);
    int *list = mpico_schedule_temp(s, ((size_t)n->in + 1) * sizeof *list);
    if (!list)
        return -1;
    n->source = n->destination = list;
    if (t->kind == MPI_CART) {
        for (int i = 0; i < n->in; i++)
            list[i] = api_cart_step(t, s->rank, i / 2, i % 2 ? 1 : -1);
    } else if (t->kind == MPI_GRAPH) {
        n->source = n->destination = t->list + t->n + (s->rank ? t->list[s->rank - 1] : 0);
    } else {
        n->source = t->list;
        n->destination = t->list + t->n;
    }
    return 0;
}

/* ---- What they get ---- */

static MPI_Count count_of(const struct neighbor_side *b, int i)
{
    if (!b->vector)
        return b->count;
    return b->wide_counts ? ((const MPI_Count *)b->counts)[i] : ((const int *)b->counts)[i];
}

static MPI_Aint displ_of(const struct neighbor_side *b, int i)
{
    if (!b->vector)
        return b->one ? 0 : (MPI_Aint)((uintptr_t)i * (uintptr_t)b->count);
    return b->wide_displs ? ((const MPI_Aint *)b->displs)[i] : ((const int *)b->displs)[i];
}

static int check_side(struct rank *r, const struct neighbor_side *b, int parts, const char *name)
{
    int e;
    if (b->buf == MPI_IN_PLACE)
        return mpico_fault(r, MPI_ERR_BUFFER, "%s: MPI_IN_PLACE is not allowed here", name);
    if (!b->vector || parts == 0)
        return MPI_SUCCESS;
    if ((e = check_pointer(r, b->counts, "counts")) || (e = check_pointer(r, b->displs, "displs")))
        return e;
    return b->types || b->type ? MPI_SUCCESS : check_pointer(r, b->types, "types");
}

/* One part. The address is a number: with MPI_BOTTOM the displacement alone is one. */
static int part_of(struct rank *r, const struct neighbor_side *b, int i, const char *name, struct part *part)
{
    MPI_Count count = count_of(b, i);
    MPI_Datatype type = b->types ? b->types[i] : b->type;
    int e = check_count(r, count, "count");
    if (!e && api_is_nothing(r, count, type))
        type = MPI_BYTE;
    if (e || (e = check_type(r, type, &part->type)))
        return e;
    uintptr_t unit = b->types ? 1 : (uintptr_t)part->type->extent;
    part->buf = (char *)((uintptr_t)b->buf + (uintptr_t)displ_of(b, i) * unit);
    part->count = (size_t)count;
    return check_buffer(r, part->buf, part->count, part->type, name);
}

static int parts_of(struct schedule *s, const struct neighbor_side *b, int parts, const char *name, struct part **list)
{
    struct rank *r = s->owner;
    int e = check_side(r, b, parts, name);
    if (e)
        return e;
    struct part *p = *list = mpico_schedule_temp(s, (size_t)parts * sizeof *p + 1);
    if (!p)
        return mpico_fault(r, MPI_ERR_NO_MEM, "no memory for %d neighbours", parts);
    for (int i = 0; i < parts && !e; i++)
        e = part_of(r, b, i, name, &p[i]);
    if (parts == 0 && !b->vector) { /* there need be no buffer, the rest is checked all the same */
        const struct neighbor_side empty = {.type = b->type};
        struct part unused;
        e = check_count(r, b->count, "count");
        e = e ? e : part_of(r, &empty, 0, name, &unused);
    }
    return e;
}

/* ---- The call ---- */

static int build(struct schedule *s, const struct topology *t, const struct neighbor_side *send,
                 const struct neighbor_side *recv)
{
    struct neighbors n;
    struct part *out, *in;
    int e;
    if (edges(s, t, &n))
        return mpico_fault(s->owner, MPI_ERR_NO_MEM, "no memory for the neighbours");
    if ((e = parts_of(s, send, n.out, "sendbuf", &out)) || (e = parts_of(s, recv, n.in, "recvbuf", &in)))
        return e;
    mpico_neighbor_build(s, &n, out, in);
    return s->error ? mpico_fault(s->owner, MPI_ERR_NO_MEM, "no memory for the steps of the collective") : MPI_SUCCESS;
}

int api_neighbor(struct rank *r, const struct neighbor_side *send, const struct neighbor_side *recv, MPI_Comm comm,
                 coll_launch *launch, MPI_Request *request)
{
    struct comm *c = NULL;
    const struct topology *t;
    struct coll_state *state;
    int e;
    if ((e = check_topo(r, comm, 0, &c, &t)) || (e = mpico_coll_settings(r, &state)))
        return api_error(r, c, e);
    struct schedule *s = state ? mpico_schedule_alloc(r, c) : NULL;
    if (!s)
        return api_error(r, c, mpico_fault(r, MPI_ERR_NO_MEM, "no memory for the steps of the collective"));
    e = build(s, t, send, recv);
    if (e)
        mpico_schedule_free(s);
    else
        e = launch(r, s, request);
    return e ? api_error(r, c, e) : MPI_SUCCESS;
}
