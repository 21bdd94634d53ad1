/* hop_bench.c: steps that many tests of a hop take. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "hop_bench.h"

int kind_of(const uint8_t *frame) { return frame[KIND] & 15; }

void open_both(struct neighbours *n)
{
    neighbours_open(n, 0, NONCE_A);
    neighbours_open(n, 1, NONCE_B);
}

void opened(struct neighbours *n, uint64_t seed)
{
    neighbours_init(n, seed);
    open_both(n);
    assert_int_equal(neighbours_meet(n, 100), 0);
}

void steps(struct neighbours *n, int ticks)
{
    while (ticks-- > 0)
        neighbours_step(n);
}

void traffic(struct neighbours *n, uint32_t messages, uint32_t ticks)
{
    n->end[0].to_send += messages;
    n->end[1].to_send += messages;
    int e = neighbours_run(n, ticks);
    if (n->wrong)
        fail_msg("%s", n->wrong);
    assert_int_equal(e, 0);
}

int lose_some(struct cable *c, int from, const uint8_t *frame, size_t len)
{
    struct loss *l = c->context;
    (void)frame;
    (void)len;
    if (from != l->side)
        return 1;
    int number = l->seen++;
    return number < l->from || number >= l->until;
}

int lose_first_time(struct cable *c, int from, const uint8_t *frame, size_t len)
{
    uint8_t *seen = c->context;
    (void)len;
    if (from != 0 || kind_of(frame) != DATA || frame[SEQUENCE] >= 16)
        return 1;
    return seen[frame[SEQUENCE]]++ > 0;
}
