/* run.c: one node's part of a pattern on MPI.
 *
 * One receive is posted at any time, from any source unless the sources are given. Consecutive periods must not mix: a node may be in the next period, as its
 * clock says, while a neighbour is late, and their messages would be taken for each other by a third node, which would then end
 * its period with a message of the next. So the tag is the period. The receive posted after the period's last message has the next
 * period's tag; a message that comes before it waits in the library or at its sender. A batch of periods has fewer of them than
 * there are tags, all receives of a batch complete in it, and batches are kept apart by a collective operation.
 *
 * Every message bears the stamp of its sender, its period and its size, at both of its ends, as far as it has room.
 */
#include "pmp/run.h"

#include "common/memory.h"

#include <stdlib.h>
#include <string.h>

/* The first batch is short, since most periods that are too short show it at once; each that follows is twice as long. */
enum { BATCH_FIRST = 8, TAGS_MOST = 32767 };

static const double lead_s = 5e-3;

struct stamp {
    uint32_t sender, period, bytes, magic;
};

static struct stamp stamp_of(int sender, uint32_t period, int bytes)
{
    return (struct stamp){(uint32_t)sender, period, (uint32_t)bytes, 0x70616e50};
}

static size_t stamped(int bytes) { return bytes < (int)sizeof(struct stamp) ? (size_t)bytes : sizeof(struct stamp); }

static void stamp_message(char *message, int bytes, const struct stamp *s)
{
    size_t n = stamped(bytes);
    memcpy(message + bytes - n, s, n);
    memcpy(message, s, n);
}

/* The tail first, as it was written: in a message shorter than two stamps the head lies over it. */
static bool stamp_good(const char *message, int bytes, const struct stamp *s)
{
    size_t n = stamped(bytes);
    bool apart = bytes >= 2 * (int)sizeof *s;
    return memcmp(message, s, n) == 0 && (!apart || memcmp(message + bytes - n, s, n) == 0);
}

bool player_init(struct player *p)
{
    p->in = memory_alloc((size_t)p->largest_received, (size_t)p->align);
    p->out = memory_alloc((size_t)p->totals.largest_sent, (size_t)p->align);
    if (!p->in || !p->out)
        return false;
    p->posted = MPI_REQUEST_NULL;
    p->tags = TAGS_MOST;
    return (p->late = malloc((size_t)p->tags)) != NULL;
}

void player_fini(struct player *p)
{
    memory_free(p->in);
    memory_free(p->out);
    free(p->late);
}

/* The receive that comes after so many in the period. */
static void post(struct player *p, long long received, int tag)
{
    int source = p->sources ? p->sources[received] : MPI_ANY_SOURCE;
    MPI_Irecv(p->in, p->largest_received, MPI_BYTE, source, tag, p->comm, &p->posted);
}

static void send(struct player *p, const struct action *a, int tag)
{
    struct stamp s = stamp_of(p->rank, p->period, a->bytes);
    stamp_message(p->out, a->bytes, &s);
    if (p->synchronous_sends)
        MPI_Ssend(p->out, a->bytes, MPI_BYTE, a->to, tag, p->comm);
    else
        MPI_Send(p->out, a->bytes, MPI_BYTE, a->to, tag, p->comm);
}

static void receive(struct player *p)
{
    MPI_Status status;
    int bytes;
    MPI_Wait(&p->posted, &status);
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    struct stamp s = stamp_of(status.MPI_SOURCE, p->period, bytes);
    p->wrong += !stamp_good(p->in, bytes, &s);
}

/* The code sequence once. `more`: another period follows in the batch. */
static void play(struct player *p, double start_s, double period_s, int tag, bool more)
{
    struct cursor cursor = {.code = p->code.actions};
    long long received = 0;
    int done = 0;
    for (const struct action *a; (a = cursor_next(&cursor));) {
        if (a->kind == 'W') {
            clock_until(p->clock, start_s + a->fraction * period_s);
            continue;
        }
        if (p->subperiods > 0)
            clock_until(p->clock, start_s + period_s * p->stage_of[done++] / p->subperiods);
        if (a->kind == 'S') {
            send(p, a, tag);
            continue;
        }
        receive(p);
        if (++received < p->totals.receives)
            post(p, received, tag);
        else if (more)
            post(p, 0, (tag + 1) % p->tags);
    }
}

/* Some periods from a common start, and their sum of times to the end of the work. */
static double play_batch(struct player *p, double period_s, int periods)
{
    double sum_s = 0;
    if (p->totals.receives > 0)
        post(p, 0, 0);
    double first_s = clock_meet(p->clock, p->comm, lead_s);
    for (int i = 0; i < periods; i++, p->period++) {
        double start_s = first_s + i * period_s;
        clock_until(p->clock, start_s);
        play(p, start_s, period_s, i % p->tags, i + 1 < periods);
        double took_s = clock_now(p->clock) - start_s;
        sum_s += took_s;
        p->now.worst_s = took_s > p->now.worst_s ? took_s : p->now.worst_s;
        p->late[i] = took_s > period_s;
        p->now.missed += p->late[i];
    }
    p->now.periods += periods;
    return sum_s;
}

/* Of the batch: a period that some node missed is missed once. Collective. */
static int missed_periods(struct player *p, int periods)
{
    int missed = 0;
    MPI_Allreduce(MPI_IN_PLACE, p->late, periods, MPI_UNSIGNED_CHAR, MPI_MAX, p->comm);
    for (int i = 0; i < periods; i++)
        missed += p->late[i];
    return missed;
}

struct trial player_run(void *with, double period_s, int periods)
{
    struct player *p = with;
    struct trial t = {0};
    double sum_s = 0;
    p->now = (struct node_result){0};
    for (int batch = BATCH_FIRST; t.periods < periods && (p->whole || t.missed == 0); batch *= 2) {
        batch = batch > p->tags ? p->tags : batch;
        int now = batch < periods - t.periods ? batch : periods - t.periods;
        sum_s += play_batch(p, period_s, now);
        t.periods += now;
        t.missed += missed_periods(p, now);
    }
    double mine[2] = {p->now.worst_s, sum_s / t.periods}, most[2];
    MPI_Allreduce(mine, most, 2, MPI_DOUBLE, MPI_MAX, p->comm);
    t.worst_s = most[0];
    t.mean_s = most[1];
    if (t.missed == 0)
        p->kept = p->now;
    return t;
}
