/* run.c: the messages of `realtime pairs`, and how all pairs end when the first one has sent all of its messages.
 *
 * Only senders hear of the end: the one that is through first announces it to all others, each of which looks before every message, and
 * tells its receiver by a message of another tag. Receivers do nothing but receive and acknowledge, so a sender that waits for
 * an acknowledgement, or for room, gets it. Several may be through before they hear of each other; how many have announced is
 * agreed on afterwards, so that every announcement is received and no request is left.
 */
#include "pairs.h"

#include <mpi.h>
#include <stdlib.h>

enum { TAG_DATA = 21, TAG_LAST, TAG_ACK, TAG_STOP };

static const double lead_s = 0.002; /* from the last rank's readiness to the first message */

struct sender {
    const struct pairs *pairs;
    MPI_Request stop; /* an announcement; MPI_REQUEST_NULL: it came */
    bool stopped, announces;
    int sent;
};

static bool must_stop(struct sender *s)
{
    int came = 0;
    if (!s->stopped && s->stop != MPI_REQUEST_NULL)
        MPI_Test(&s->stop, &came, MPI_STATUS_IGNORE);
    s->stopped = s->stopped || came;
    return s->stopped;
}

static void send_all(struct sender *s, const char *buffer)
{
    const struct pairs *p = s->pairs;
    int to = pairs_receiver(p, p->rank);
    while (s->sent < p->messages && !must_stop(s)) {
        MPI_Send(buffer, p->bytes, MPI_BYTE, to, TAG_DATA, MPI_COMM_WORLD);
        if (p->acks)
            MPI_Recv(NULL, 0, MPI_BYTE, to, TAG_ACK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        s->sent++;
    }
    if (s->sent < p->messages)
        MPI_Send(NULL, 0, MPI_BYTE, to, TAG_LAST, MPI_COMM_WORLD);
    s->announces = s->sent == p->messages && !s->stopped;
}

/* To every other sender. Requests go to `out`, which has room for one a pair; how many. */
static int announce(const struct pairs *p, MPI_Request *out)
{
    int n = 0;
    for (int other = 0; other < pairs_count(p); other++)
        if (other != p->rank)
            MPI_Isend(NULL, 0, MPI_BYTE, other, TAG_STOP, MPI_COMM_WORLD, &out[n++]);
    return n;
}

/* Announcements that came too late to stop anything. */
static void drain(struct sender *s, int announced)
{
    int due = announced - (s->announces ? 1 : 0);
    if (due > 0)
        MPI_Wait(&s->stop, MPI_STATUS_IGNORE); /* at once when it has come */
    else
        MPI_Cancel(&s->stop);
    MPI_Wait(&s->stop, MPI_STATUS_IGNORE);
    for (int i = 1; i < due; i++)
        MPI_Recv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, TAG_STOP, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int receive_all(const struct pairs *p, const struct clock *c, int from, char *buffer, double *arrivals)
{
    for (int got = 0; got < p->messages; got++) {
        MPI_Status status;
        MPI_Recv(buffer, p->bytes, MPI_BYTE, from, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == TAG_LAST)
            return got;
        arrivals[got] = clock_now(c);
        if (p->acks)
            MPI_Send(NULL, 0, MPI_BYTE, from, TAG_ACK, MPI_COMM_WORLD);
    }
    return p->messages;
}

static int sender_of(const struct pairs *p)
{
    for (int pair = 0; pair < pairs_count(p); pair++)
        if (pairs_receiver(p, pair) == p->rank)
            return pair;
    return -1;
}

/* The moment when the first pair had ended, of rank 0's clock; and how many have announced it. */
static double agree_on_end(const struct sender *s, double ended, int *announced)
{
    double first;
    int mine = s->announces;
    MPI_Allreduce(&ended, &first, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&mine, announced, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return first;
}

static void count_until(const double *arrivals, int got, double start, double end, struct pair_result *r)
{
    int in_time = 0;
    while (in_time < got && arrivals[in_time] <= end)
        in_time++;
    r->received = in_time;
    r->seconds = in_time ? arrivals[in_time - 1] - start : 0;
}

void pairs_run(const struct pairs *p, struct clock *c, char *buffer, double *arrivals, struct pair_result *r)
{
    struct sender s = {.pairs = p, .stop = MPI_REQUEST_NULL};
    bool sends = p->rank < pairs_count(p);
    int from = sends ? -1 : sender_of(p), got = 0, announced, out = 0;
    MPI_Request *stops = sends ? malloc((size_t)pairs_count(p) * sizeof *stops) : NULL;
    if (sends && !stops)
        MPI_Abort(MPI_COMM_WORLD, 2);
    if (sends)
        MPI_Irecv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, TAG_STOP, MPI_COMM_WORLD, &s.stop);
    double start = clock_meet(c, MPI_COMM_WORLD, lead_s), ended = 1e300;
    clock_until(c, start);
    if (sends) {
        send_all(&s, buffer);
        if (s.announces) {
            ended = clock_now(c);
            out = announce(p, stops);
        }
    } else if (from >= 0) {
        got = receive_all(p, c, from, buffer, arrivals);
    }
    double end = agree_on_end(&s, ended, &announced);
    if (sends)
        drain(&s, announced);
    MPI_Waitall(out, stops, MPI_STATUSES_IGNORE);
    free(stops);
    *r = (struct pair_result){.sent = sends ? s.sent : got, .run_s = end - start};
    if (from >= 0)
        count_until(arrivals, got, start, end, r);
}
