/* scan.c: rank i gets the vectors of ranks 0..i combined (scan), or of 0..i-1 (exscan). */
#include "coll.h"

static const void *input_of(const struct coll_call *call) { return call->in_place ? call->recv.buf : call->send.buf; }

/* W. D. Hillis, G. L. Steele, "Data parallel algorithms", CACM 29(12), 1986: after round k, `sum` is over the
 * 2^k ranks up to this one; what comes is always on its left, so that the order is canonical.
 * Cost: lg P (L + 2 o + n G + n c), exscan lg P n c more. */
void mpico_scan_doubling(struct schedule *s, const struct coll_call *call)
{
    const struct side *b = &call->recv;
    int inclusive = call->what == COLL_SCAN, first = 1;
    char *sum = inclusive ? b->buf : mpico_schedule_array(s, b->type, b->count);
    char *left = mpico_schedule_array(s, b->type, b->count);
    mpico_schedule_copy(s, input_of(call), b->count, b->type, sum, b->count, b->type);
    for (int distance = 1; distance < s->size; distance *= 2) {
        mpico_schedule_round(s);
        if (s->rank + distance < s->size)
            mpico_schedule_send(s, sum, b->count, b->type, s->rank + distance);
        if (s->rank < distance)
            continue;
        mpico_schedule_recv(s, left, b->count, b->type, s->rank - distance);
        mpico_schedule_round(s);
        if (!inclusive && first)
            mpico_schedule_copy(s, left, b->count, b->type, b->buf, b->count, b->type);
        else if (!inclusive)
            mpico_schedule_reduce(s, left, b->buf, b->count, b->type);
        if (inclusive || s->rank + 2 * distance < s->size)
            mpico_schedule_reduce(s, left, sum, b->count, b->type);
        first = 0;
    }
}

static void pass_on(struct schedule *s, const struct side *b, const void *sum)
{
    mpico_schedule_round(s);
    if (s->rank + 1 < s->size)
        mpico_schedule_send(s, sum, b->count, b->type, s->rank + 1);
}

/* From each rank to the next. Cost: (P - 1) (L + 2 o + n G + n c). */
void mpico_scan_linear(struct schedule *s, const struct coll_call *call)
{
    const struct side *b = &call->recv;
    int inclusive = call->what == COLL_SCAN;
    if (s->rank == 0) {
        if (inclusive)
            mpico_schedule_copy(s, input_of(call), b->count, b->type, b->buf, b->count, b->type);
        pass_on(s, b, input_of(call));
        return;
    }
    /* The incoming sum is exscan's result; what is passed on includes this rank. */
    char *other = mpico_schedule_array(s, b->type, b->count);
    char *left = inclusive ? other : b->buf, *sum = inclusive ? b->buf : other;
    mpico_schedule_copy(s, input_of(call), b->count, b->type, sum, b->count, b->type);
    mpico_schedule_round(s);
    mpico_schedule_recv(s, left, b->count, b->type, s->rank - 1);
    mpico_schedule_round(s);
    if (inclusive || s->rank + 1 < s->size)
        mpico_schedule_reduce(s, left, sum, b->count, b->type);
    pass_on(s, b, sum);
}
