/* share.c: from a file on rank 0 to each node's own part.
 *
 * Rank 0 finds everything that can be wrong before the first collective operation, whose value tells the others.
 */
#include "pmp/share.h"

#include "pmp/source.h"

#include <stdio.h>
#include <stdlib.h>

enum { TAG_CODE = 1, TAG_STAGES };

static void *room_of(size_t n, size_t size)
{
    void *room = calloc(n ? n : 1, size);
    if (!room) {
        fprintf(stderr, "realtime pmp: no memory for a node's sequence; make the pattern shorter\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    return room;
}

static void give(const struct source *s, int node, MPI_Comm comm)
{
    const struct code *code = &s->pattern.nodes[node];
    struct totals t = code_totals(code);
    long long head[3] = {code->n, s->largest[node], s->stages.of ? t.sends + t.receives : 0};
    MPI_Send(head, 3, MPI_LONG_LONG, node, TAG_CODE, comm);
    MPI_Send(code->actions, code->n * (int)sizeof *code->actions, MPI_BYTE, node, TAG_CODE, comm);
    if (s->stages.of) {
        MPI_Send(s->stages.of[node], (int)head[2], MPI_INT, node, TAG_STAGES, comm);
        MPI_Send(s->stages.from[node], (int)head[2], MPI_INT, node, TAG_STAGES, comm);
    }
}

static void get(struct player *p)
{
    long long head[3];
    MPI_Recv(head, 3, MPI_LONG_LONG, 0, TAG_CODE, p->comm, MPI_STATUS_IGNORE);
    p->code.n = (int)head[0];
    p->largest_received = (int)head[1];
    p->code.actions = room_of((size_t)p->code.n, sizeof *p->code.actions);
    MPI_Recv(p->code.actions, p->code.n * (int)sizeof *p->code.actions, MPI_BYTE, 0, TAG_CODE, p->comm,
             MPI_STATUS_IGNORE);
    if (head[2] == 0)
        return;
    p->stage_of = room_of((size_t)head[2], sizeof *p->stage_of);
    p->sources = room_of((size_t)head[2], sizeof *p->sources);
    MPI_Recv(p->stage_of, (int)head[2], MPI_INT, 0, TAG_STAGES, p->comm, MPI_STATUS_IGNORE);
    MPI_Recv(p->sources, (int)head[2], MPI_INT, 0, TAG_STAGES, p->comm, MPI_STATUS_IGNORE);
}

/* Only those of receives, in order, or none where any sender will do. */
static void keep_sources(struct player *p, bool exact)
{
    long long n = 0, all = p->totals.sends + p->totals.receives;
    for (long long i = 0; p->sources && i < all; i++)
        if (p->sources[i] >= 0)
            p->sources[n++] = p->sources[i];
    if (!exact) {
        free(p->sources);
        p->sources = NULL;
    }
}

/* Rank 0's own part moves out of the source. */
static void keep(struct source *s, struct player *p)
{
    p->largest_received = s->largest[0];
    p->code = s->pattern.nodes[0];
    s->pattern.nodes[0].actions = NULL;
    if (s->stages.of) {
        p->stage_of = s->stages.of[0];
        s->stages.of[0] = NULL;
        p->sources = s->stages.from[0];
        s->stages.from[0] = NULL;
    }
}

static void sum_up(const struct source *s, struct shared *shared)
{
    *shared = (struct shared){.nodes = s->pattern.n, .stages = s->stages.n};
    for (int i = 0; i < s->pattern.n; i++) {
        struct totals t = code_totals(&s->pattern.nodes[i]);
        shared->messages += t.sends;
        if ((double)t.bytes_sent > shared->bytes_most)
            shared->bytes_most = (double)t.bytes_sent;
    }
}

static void distribute(struct source *s, struct player *p, int subperiods, struct shared *shared)
{
    if (p->rank == 0)
        sum_up(s, shared);
    MPI_Bcast(shared, (int)sizeof *shared, MPI_BYTE, 0, p->comm);
    p->subperiods = subperiods < 0 ? 0 : subperiods > 0 ? subperiods : shared->stages;
    if (p->rank > 0) {
        get(p);
        return;
    }
    for (int node = 1; node < p->nodes; node++)
        give(s, node, p->comm);
    keep(s, p);
}

static bool all_have_room(struct player *p, char *wrong, size_t room)
{
    int mine = player_init(p), all;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, p->comm);
    if (!all)
        snprintf(wrong, room, "there is no memory for the message buffers of some node; make the messages smaller");
    return all;
}

bool share_pattern(const char *file, int default_bytes, int subperiods, bool exact, struct player *p,
                   struct shared *shared, char *wrong, size_t room)
{
    struct source s = {0};
    MPI_Comm_rank(p->comm, &p->rank);
    MPI_Comm_size(p->comm, &p->nodes);
    int good = p->rank > 0 || source_read(&s, file, default_bytes, subperiods, exact, p->nodes, wrong, room);
    MPI_Bcast(&good, 1, MPI_INT, 0, p->comm);
    if (good) {
        distribute(&s, p, subperiods, shared);
        p->totals = code_totals(&p->code);
        keep_sources(p, exact);
        good = all_have_room(p, wrong, room);
    }
    source_free(&s);
    return good;
}

bool share_checked(const char *file, int default_bytes, bool exact, MPI_Comm comm, struct shared *shared, char *wrong,
                   size_t room)
{
    struct source s = {0};
    int rank, good = 1;
    *shared = (struct shared){0};
    MPI_Comm_rank(comm, &rank);
    if (rank == 0 && (good = source_read(&s, file, default_bytes, -1, exact, 0, wrong, room)))
        sum_up(&s, shared);
    MPI_Bcast(&good, 1, MPI_INT, 0, comm);
    MPI_Bcast(shared, (int)sizeof *shared, MPI_BYTE, 0, comm);
    source_free(&s);
    return good;
}

void share_fini(struct player *p)
{
    free(p->code.actions);
    free(p->stage_of);
    free(p->sources);
}
