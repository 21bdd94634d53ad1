/* protocol.c: requests, blocks and moments. */
#include <math.h>

#include "chain/protocol.h"

enum { TAG_REQUEST = 1, TAG_DATA = 2 };

void seat_ask(struct seat *s, int block)
{
    float *buffer = s->in[block % s->n_in];
    for (int i = 0; i < s->up.messages; i++)
        MPI_Irecv(buffer + (size_t)i * (size_t)s->up.floats, s->up.floats, MPI_FLOAT, s->up.peer, TAG_DATA, s->comm,
                  &s->receives[block % 2][i]);
    MPI_Send(NULL, 0, MPI_BYTE, s->up.peer, TAG_REQUEST, s->comm);
}

void seat_await(struct seat *s, int block, int message)
{
    MPI_Wait(&s->receives[block % 2][message], MPI_STATUS_IGNORE);
}

void seat_await_request(struct seat *s)
{
    MPI_Recv(NULL, 0, MPI_BYTE, s->down.peer, TAG_REQUEST, s->comm, MPI_STATUS_IGNORE);
}

void seat_send(struct seat *s, const float *block, int message)
{
    const float *from = block + (size_t)message * (size_t)s->down.floats;
    if (s->mode.overlap_sends)
        MPI_Isend(from, s->down.floats, MPI_FLOAT, s->down.peer, TAG_DATA, s->comm, &s->sends[message]);
    else
        MPI_Send(from, s->down.floats, MPI_FLOAT, s->down.peer, TAG_DATA, s->comm);
    s->sending = s->mode.overlap_sends;
}

void seat_await_sends(struct seat *s)
{
    if (s->sending)
        MPI_Waitall(s->down.messages, s->sends, MPI_STATUSES_IGNORE);
    s->sending = false;
}

/* The source has moments, and a stage that works alone, and where stages are synchronised all have. */
double seat_moment(const struct seat *s, const struct run *r, int block)
{
    bool synchronised = s->mode.flow && s->mode.synchronised;
    bool counts = r->from_empty || block >= r->run_in;
    bool has = synchronised || ((!s->mode.flow || s->index == 0) && counts);
    return has ? s->begin_s + (block - r->run_in + (synchronised ? s->index : 0)) * r->period_s : -HUGE_VAL;
}

double seat_slack(const struct seat *s, const struct run *r)
{
    return s->mode.flow ? 0 : (s->mode.buffers - 1) * r->period_s;
}

void seat_start(struct seat *s, const struct run *r, int block, double period_part, struct step *step)
{
    double now = clock_now(s->clock), moment = seat_moment(s, r, block) + period_part * r->period_s;
    double late = isinf(moment) ? -HUGE_VAL : now - moment - seat_slack(s, r);
    if (moment > now)
        clock_until(s->clock, moment);
    if (period_part > 0) {
        step->late_s = fmax(step->late_s, late);
        return;
    }
    *step = (struct step){.ready_s = now, .started_s = clock_now(s->clock), .late_s = late};
}
