/* halving.c: recursive halving from near to far. In round k a rank and the one whose number differs in bit k
 * swap halves of what they still hold and each combines its own half. Since near ranks meet first, the
 * groups that meet are neighbours: the order is canonical for every operation. Every block is computed once, by
 * one rank, so that all ranks see the same bits.
 */
#include "halving.h"

static int rank_of(const struct halving *h, int number)
{
    return number < h->folded ? 2 * number + 1 : number + h->folded;
}

/* The half that bit `bit` of the number keeps, or its sibling, of [from, to). */
static void half(size_t *from, size_t *to, int upper)
{
    size_t middle = *from + (*to - *from) / 2;
    if (upper)
        *from = middle;
    else
        *to = middle;
}

/* The block a number holds before bit `bit` is halved away. */
static void block_before(const struct halving *h, int number, int bit, size_t *from, size_t *to)
{
    *from = 0;
    *to = h->count;
    for (int b = 1; b < bit; b *= 2)
        half(from, to, number & b);
}

/* Ranks beyond the power of two: the even one of a pair hands its vector to the odd one. */
static const void *fold(struct schedule *s, struct halving *h, const void *in, char *spare)
{
    if (s->rank >= 2 * h->folded)
        return in;
    if (h->number < 0) {
        mpico_schedule_send(s, in, h->count, h->type, s->rank + 1);
        return in;
    }
    mpico_schedule_recv(s, spare, h->count, h->type, s->rank - 1);
    mpico_schedule_round(s);
    if (in != h->out)
        mpico_schedule_copy(s, in, h->count, h->type, h->out, h->count, h->type);
    mpico_schedule_reduce(s, spare, h->out, h->count, h->type);
    return h->out;
}

/* One round: returns where the sum stands now, `mine` or `spare`. */
static char *swap_halves(struct schedule *s, struct halving *h, char *mine, char *spare, int bit)
{
    int peer = rank_of(h, h->number ^ bit), upper = h->number & bit;
    size_t from = h->from, to = h->to;
    half(&from, &to, !upper);
    half(&h->from, &h->to, upper);
    size_t kept = h->to - h->from;
    char *left = element(mine, h->from, h->type), *right = element(spare, h->from, h->type);
    mpico_schedule_round(s);
    mpico_schedule_recv(s, right, kept, h->type, peer);
    mpico_schedule_send(s, element(mine, from, h->type), to - from, h->type, peer);
    mpico_schedule_round(s);
    if (upper) { /* what came is on the left of mine */
        mpico_schedule_reduce(s, right, left, kept, h->type);
        return mine;
    }
    mpico_schedule_reduce(s, left, right, kept, h->type);
    return spare;
}

void mpico_halving_reduce(struct schedule *s, struct halving *h, const void *in, void *out, size_t count,
                          const struct type *t)
{
    int going = power_below(s->size), folded = s->size - going;
    int number = s->rank >= 2 * folded ? s->rank - folded : (s->rank & 1) ? s->rank / 2 : -1;
    *h = (struct halving){.out = out, .count = count, .type = t, .folded = folded, .number = number, .going = going};
    h->to = count;
    char *spare = number < 0 ? NULL : mpico_schedule_array(s, t, count);
    const char *sum = fold(s, h, in, spare);
    mpico_schedule_round(s);
    if (number < 0)
        return;
    if (sum != h->out)
        mpico_schedule_copy(s, sum, count, t, out, count, t);
    char *mine = out;
    for (int bit = 1; bit < going; bit *= 2) {
        char *other = mine == (char *)out ? spare : (char *)out;
        mine = swap_halves(s, h, mine, other, bit);
    }
    mpico_schedule_round(s);
    if (mine != (char *)out)
        mpico_schedule_copy(s, element(mine, h->from, t), h->to - h->from, t, element(out, h->from, t), h->to - h->from,
                            t);
}

void mpico_halving_allgather(struct schedule *s, struct halving *h)
{
    for (int bit = h->going / 2; bit && h->number >= 0; bit /= 2) {
        int other = h->number ^ bit;
        size_t from, to;
        block_before(h, other, 2 * bit, &from, &to);
        mpico_schedule_round(s);
        mpico_schedule_recv(s, element(h->out, from, h->type), to - from, h->type, rank_of(h, other));
        mpico_schedule_send(s, element(h->out, h->from, h->type), h->to - h->from, h->type, rank_of(h, other));
        block_before(h, h->number, bit, &h->from, &h->to);
    }
    mpico_schedule_round(s);
    if (h->number < 0)
        mpico_schedule_recv(s, h->out, h->count, h->type, s->rank + 1);
    else if (s->rank < 2 * h->folded)
        mpico_schedule_send(s, h->out, h->count, h->type, s->rank - 1);
}

void mpico_halving_gather(struct schedule *s, struct halving *h, int root)
{
    int deputy = root < 2 * h->folded ? root / 2 : root - h->folded; /* the number that acts for the root */
    for (int bit = h->going / 2; bit && h->number >= 0; bit /= 2) {
        int other = h->number ^ bit;
        size_t from, to;
        mpico_schedule_round(s);
        if ((h->number ^ deputy) & bit) {
            mpico_schedule_send(s, element(h->out, h->from, h->type), h->to - h->from, h->type, rank_of(h, other));
            return;
        }
        block_before(h, other, 2 * bit, &from, &to);
        mpico_schedule_recv(s, element(h->out, from, h->type), to - from, h->type, rank_of(h, other));
        block_before(h, h->number, bit, &h->from, &h->to);
    }
    mpico_schedule_round(s);
    if (s->rank == root && h->number < 0)
        mpico_schedule_recv(s, h->out, h->count, h->type, s->rank + 1);
    else if (h->number == deputy && s->rank != root)
        mpico_schedule_send(s, h->out, h->count, h->type, root);
}
