/* barrier.c: nobody leaves before everybody came. */
#include "coll.h"

/* D. Hensgen, R. Finkel, U. Manber, "Two algorithms for barrier synchronization", 1988.
 * Cost: lg P (L + 2 o). */
void mpico_barrier_dissemination(struct schedule *s, const struct coll_call *call)
{
    (void)call;
    for (int distance = 1; distance < s->size; distance *= 2) {
        mpico_schedule_round(s);
        mpico_schedule_send(s, NULL, 0, &mpico_type_byte, (s->rank + distance) % s->size);
        mpico_schedule_recv(s, NULL, 0, &mpico_type_byte, (s->rank - distance + s->size) % s->size);
    }
}

/* Up a binomial tree to rank 0 and down again: 2 (P - 1) messages in all instead of P lg P, which counts
 * where the ranks share one wire or one processor. Cost: 2 lg P (L + 2 o). */
void mpico_barrier_tree(struct schedule *s, const struct coll_call *call)
{
    (void)call;
    int top = 1; /* the bit by which this rank hangs on its parent */
    while (top < s->size && !(s->rank & top))
        top *= 2;
    for (int bit = 1; bit < top; bit *= 2)
        if (s->rank + bit < s->size)
            mpico_schedule_recv(s, NULL, 0, &mpico_type_byte, s->rank + bit);
    if (s->rank) {
        mpico_schedule_round(s);
        mpico_schedule_send(s, NULL, 0, &mpico_type_byte, s->rank - top);
        mpico_schedule_recv(s, NULL, 0, &mpico_type_byte, s->rank - top);
    }
    mpico_schedule_round(s);
    for (int bit = top / 2; bit; bit /= 2)
        if (s->rank + bit < s->size)
            mpico_schedule_send(s, NULL, 0, &mpico_type_byte, s->rank + bit);
}

/* All to rank 0 and back. Crowded, a rank pays for the times it must be scheduled rather than for messages: here
 * it runs once a barrier, as it reads the last release and announces the next arrival in one turn.
 * Cost: 2 (L + 2 o + (P - 2) g). */
void mpico_barrier_central(struct schedule *s, const struct coll_call *call)
{
    (void)call;
    int others = s->rank ? 1 : s->size - 1;
    for (int i = 0; i < others; i++)
        if (s->rank)
            mpico_schedule_send(s, NULL, 0, &mpico_type_byte, 0);
        else
            mpico_schedule_recv(s, NULL, 0, &mpico_type_byte, i + 1);
    mpico_schedule_round(s);
    for (int i = 0; i < others; i++)
        if (s->rank)
            mpico_schedule_recv(s, NULL, 0, &mpico_type_byte, 0);
        else
            mpico_schedule_send(s, NULL, 0, &mpico_type_byte, i + 1);
}
