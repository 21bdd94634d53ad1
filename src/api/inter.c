/* inter.c: intercommunicators made of two groups (MPI 5.0, section 7.6.2). The leaders exchange their groups' world ranks and hand
 * them to their own sides; then all members of both sides agree on an identifier, without the leaders.
 */
#include "inter.h"

#include "../coll/inner.h"
#include "finish.h"
#include "state.h"

static int leads(const struct bridge *b) { return b->inside->rank == b->leader; }

/* Between the leaders. As a collective's messages, which no receive of the program meets. */
static int swap(struct rank *r, const struct bridge *b, const void *out, size_t out_bytes, void *in, size_t in_bytes)
{
    struct request q, s;
    uint32_t context = comm_coll_context(b->over);
    q.flags = s.flags = 0;
    mpico_recv_init(&q, in, in_bytes, &mpico_type_byte, b->peer, b->tag, b->over, context);
    mpico_recv_start(r, &q);
    mpico_send_init(&s, out, out_bytes, &mpico_type_byte, b->peer, b->tag, b->over, context, SEND_STANDARD);
    mpico_send_start(r, &s);
    mpico_wait(r, &s);
    mpico_wait(r, &q);
    const struct request *failed = s.error ? &s : &q;
    return failed->error ? api_request_fault(r, failed) : MPI_SUCCESS;
}

int inter_exchange(struct rank *r, const struct bridge *b, const void *out, size_t out_bytes, void *in, size_t in_bytes)
{
    int e = leads(b) ? swap(r, b, out, out_bytes, in, in_bytes) : MPI_SUCCESS;
    return e ? e : mpico_inner_bcast(r, b->inside, in, in_bytes, b->leader);
}

struct bridge inter_bridge(struct comm *c)
{
    return (struct bridge){.inside = c->local, .leader = 0, .over = c, .peer = 0, .tag = comm_coll_tag(c)};
}

static int *world_ranks(struct rank *r, const struct group *g)
{
    int *list = mpico_heap_alloc(&r->heap, (size_t)g->size * sizeof *list + 1);
    for (int i = 0; list && i < g->size; i++)
        list[i] = group_world(g, i);
    return list;
}

int inter_exchange_group(struct rank *r, const struct bridge *b, const struct group *mine, struct group **theirs)
{
    int size = 0, e = inter_exchange(r, b, &mine->size, sizeof size, &size, sizeof size);
    if (e)
        return e;
    int *out = world_ranks(r, mine);
    struct group *in = out ? mpico_group_alloc(r, size) : NULL;
    if (in)
        e = inter_exchange(r, b, out, (size_t)mine->size * sizeof *out, in->list, (size_t)size * sizeof *in->list);
    else
        e = mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a group of %d ranks", size);
    mpico_heap_free(&r->heap, out);
    if (e && in)
        mpico_group_release(r, in);
    if (!e)
        *theirs = mpico_group_seal(r, in);
    return e;
}

/* ---- MPI_Intercomm_create ---- */

static int check_disjoint(struct rank *r, const struct group *local, const struct group *remote)
{
    for (int i = 0; i < local->size; i++)
        if (mpico_group_find(remote, group_world(local, i)) >= 0)
            return mpico_fault(r, MPI_ERR_COMM, "the groups have a member in common: rank %d of local_comm", i);
    return MPI_SUCCESS;
}

/* The tag with which both sides agree on an identifier. The program's own is of the peer communicator, and these messages are not: several
 * threads may make intercommunicators at a time with one tag, over other communicators. What the first leader counts is nobody else's. */
static int meeting_tag(struct rank *r, const struct bridge *b, int *tag)
{
    enum { COUNT_BITS = 10 }; /* more at a time than a rank has threads; the rest holds 2^18 ranks */
    int mine = r->world_rank << COUNT_BITS | (api_state(r)->meetings++ & ((1 << COUNT_BITS) - 1)), theirs = mine;
    int e = leads(b) ? swap(r, b, &mine, sizeof mine, &theirs, sizeof theirs) : MPI_SUCCESS;
    *tag = COMM_TAG_INTER | ((mine < theirs ? mine : theirs) & COMM_TAG_BITS);
    return e ? e : mpico_inner_bcast(r, b->inside, tag, sizeof *tag, b->leader);
}

static int make(struct rank *r, struct comm *local_comm, const struct bridge *b, struct comm **made)
{
    struct group *local = mpico_comm_group(r, local_comm), *remote = NULL;
    int tag = b->tag;
    uint32_t id;
    if (!local)
        return mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a group");
    int e = RANK_THREADS ? meeting_tag(r, b, &tag) : MPI_SUCCESS;
    if (e || (e = inter_exchange_group(r, b, local, &remote)))
        return e;
    if (!(e = check_disjoint(r, local, remote)) && !(e = comm_agree_groups(r, r->world, local, remote, tag, &id)))
        e = comm_make(r, local_comm, local, remote, id, made);
    mpico_group_release(r, remote);
    return e;
}

/* What counts at the leader only. */
static int check_bridge(struct rank *r, struct bridge *b, MPI_Comm peer_comm, int remote_leader)
{
    if (!leads(b))
        return MPI_SUCCESS;
    int e = check_comm(r, peer_comm, &b->over);
    if (e)
        return e;
    b->peer = remote_leader;
    if (remote_leader >= 0 && remote_leader < b->over->size)
        return MPI_SUCCESS;
    return mpico_fault(r, MPI_ERR_RANK, "remote_leader: %d is no rank of a peer_comm of %d", remote_leader,
                       b->over->size);
}

#pragma weak MPI_Intercomm_create = PMPI_Intercomm_create
int PMPI_Intercomm_create(MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader, int tag,
                          MPI_Comm *newintercomm)
{
    struct rank *r = api_enter("MPI_Intercomm_create");
    struct comm *c = NULL, *made = NULL;
    int e;
    if ((e = check_intra(r, local_comm, &c)) || (e = check_send_tag(r, tag)) ||
        (e = check_pointer(r, newintercomm, "newintercomm")))
        return api_error(r, c, e);
    if (local_leader < 0 || local_leader >= c->size)
        return api_error(
            r, c,
            mpico_fault(r, MPI_ERR_RANK, "local_leader: %d is no rank of a local_comm of %d", local_leader, c->size));
    struct bridge b = {.inside = c, .leader = local_leader, .tag = COMM_TAG_INTER | (tag & COMM_TAG_BITS)};
    if ((e = check_bridge(r, &b, peer_comm, remote_leader)) || (e = make(r, c, &b, &made)))
        return api_error(r, c, e);
    *newintercomm = api_comm_handle(made);
    return MPI_SUCCESS;
}
