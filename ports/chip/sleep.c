/* sleep.c: who sleeps, and what follows when all do.
 *
 * A rank marks itself ASLEEP, counts itself a sleeper, then looks whether it has been rung, then sleeps. One that
 * rings sets the bit in `ready` and, if that was the first, takes the mark back: if it was ASLEEP it takes the
 * sleeper off the count and wakes it. So no bell is slept over, and the count is exact: when it reaches all ranks,
 * and the last one has not been rung, nothing is under way and nothing will ever be.
 */
#include "chip_port.h"
#include "core/rank.h"

enum { NAP_NS = 20000 };

/* Take the mark back. What it was. */
static inline uint32_t wake_up(struct inbox *who)
{
    uint32_t was = __atomic_exchange_n(&who->sleeping, AWAKE, __ATOMIC_SEQ_CST);
    if (was == ASLEEP)
        __atomic_fetch_sub(&shared()->sleepers, 1, __ATOMIC_SEQ_CST);
    return was;
}

void mpico_chip_sleep(void)
{
    struct inbox *mine = mpico_chip_link.inbox;
    mpico_chip_link.idle = 0;
    __atomic_store_n(&mine->sleeping, ASLEEP, __ATOMIC_RELAXED);
    uint32_t sleepers = __atomic_add_fetch(&shared()->sleepers, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&mine->ready, __ATOMIC_SEQ_CST) == 0) {
        if (__builtin_expect(sleepers == mpico_chip.harts, 0))
            mpico_chip_stuck();
        hart_sleep();
    }
    if (__builtin_expect(__atomic_load_n(&mine->sleeping, __ATOMIC_RELAXED) != AWAKE, 0))
        wake_up(mine); /* nobody has rung: an interrupt, or a bell just before */
}

void mpico_chip_wake(int who)
{
    if (wake_up(&shared()->inbox[who]) != AWAKE)
        hart_wake(who);
}

/* Not counted: this rank goes on by itself. */
void mpico_chip_nap(void)
{
    struct inbox *mine = mpico_chip_link.inbox;
    __atomic_store_n(&mine->sleeping, NAPPING, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&mine->ready, __ATOMIC_SEQ_CST) == 0)
        mpico_hart_nap(NAP_NS / mpico_chip.tick_ns);
    __atomic_store_n(&mine->sleeping, AWAKE, __ATOMIC_RELAXED);
}

_Noreturn void mpico_chip_leave(int code)
{
    struct shared *s = shared();
    int32_t good = 0;
    if (rank_self()->state == RANK_RUNNING)
        mpico_machine.halt(rank_self(), code & 0xff ? code : 1, "the program left without MPI_Finalize");
    if (code & 0xff)
        __atomic_compare_exchange_n(&s->code, &good, code & 0xff, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    __atomic_store_n(&s->inbox[mpico_hart].ended, 1, __ATOMIC_SEQ_CST);
    if (__atomic_add_fetch(&s->ended, 1, __ATOMIC_SEQ_CST) == mpico_chip.harts)
        mpico_hart_exit(s->code);
    if (__atomic_add_fetch(&s->sleepers, 1, __ATOMIC_SEQ_CST) == mpico_chip.harts)
        mpico_chip_stuck();
    for (;;)
        hart_sleep();
}
