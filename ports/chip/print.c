/* print.c: one line at a time on the console of all. A rank that finds it taken sleeps until it is free: nobody
 * spins, which in an emulator would keep the other from ending. */
#include "chip_port.h"

static void take(struct shared *s)
{
    while (__atomic_exchange_n(&s->printing, 1, __ATOMIC_SEQ_CST)) {
        __atomic_fetch_or(&s->print_waiters, (uint64_t)1 << mpico_hart, __ATOMIC_SEQ_CST);
        if (__atomic_load_n(&s->printing, __ATOMIC_SEQ_CST))
            hart_sleep();
    }
}

static void give(struct shared *s)
{
    __atomic_store_n(&s->printing, 0, __ATOMIC_SEQ_CST);
    for (uint64_t w = __atomic_exchange_n(&s->print_waiters, 0, __ATOMIC_SEQ_CST); w; w &= w - 1)
        hart_wake(__builtin_ctzll(w));
}

void mpico_chip_print(const char *line, size_t len)
{
    struct shared *s = shared();
    take(s);
    mpico_hart_write(line, len);
    give(s);
}
