/* sleep.c: who sleeps, and what follows when all do.
 *
 * A rank sets its bit in `asleep`, then looks whether it has been rung, then sleeps. One that rings sets its own bit in the
 * other's `ready` and, if that was the first, takes the sleeper's bit back, and wakes it if it was set. So no bell is slept
 * over, and `asleep` is exact: when it holds all ranks, and the last one has not been rung, nothing is under way and
 * nothing will ever be. A rank that naps has its bit in `napping` for as long as it has one in `asleep`: it goes on by itself.
 */
#include "chip_port.h"
#include "core/rank.h"

enum { NAP_NS = 20000 };

static inline uint64_t bit(int who) { return (uint64_t)1 << who; }

uint64_t mpico_chip_all(void) { return UINT64_MAX >> (HARTS_MAX - mpico_chip.harts); }

/* Take the sleeper's bit back. Was it set? */
static inline int wake_up(uint64_t sleeper)
{
    return (__atomic_fetch_and(&shared()->asleep, ~sleeper, __ATOMIC_SEQ_CST) & sleeper) != 0;
}

/* The caller's bit was the last that was missing: the job ends here, unless somebody only naps. */
static __attribute__((noinline, cold)) void sleep_last(uint64_t mine)
{
    if (!__atomic_load_n(&shared()->napping, __ATOMIC_SEQ_CST))
        mpico_chip_stuck();
    hart_sleep();
    wake_up(mine);
}

void mpico_chip_sleep(void)
{
    struct chip_link *c = &mpico_chip_link;
    c->idle = 0;
    uint64_t asleep = __atomic_fetch_or(&shared()->asleep, c->mine, __ATOMIC_SEQ_CST) | c->mine;
    if (__atomic_load_n(&c->inbox->ready, __ATOMIC_SEQ_CST) == 0) {
        if (__builtin_expect(asleep == c->all, 0)) {
            sleep_last(c->mine);
            return;
        }
        hart_sleep();
    }
    if (__builtin_expect((__atomic_load_n(&shared()->asleep, __ATOMIC_RELAXED) & c->mine) != 0, 0))
        wake_up(c->mine); /* nobody has rung: an interrupt, or a bell just before */
}

void mpico_chip_wake(int who)
{
    if (wake_up(bit(who)))
        hart_wake(who);
}

void mpico_chip_nap(void)
{
    struct chip_link *c = &mpico_chip_link;
    __atomic_fetch_or(&shared()->napping, c->mine, __ATOMIC_SEQ_CST);
    __atomic_fetch_or(&shared()->asleep, c->mine, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&c->inbox->ready, __ATOMIC_SEQ_CST) == 0)
        mpico_hart_nap(NAP_NS / mpico_chip.tick_ns);
    wake_up(c->mine);
    __atomic_fetch_and(&shared()->napping, ~c->mine, __ATOMIC_SEQ_CST);
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
    for (uint64_t mine = bit(mpico_hart);;) { /* a late bell takes the bit back */
        if ((__atomic_fetch_or(&s->asleep, mine, __ATOMIC_SEQ_CST) | mine) == mpico_chip_all())
            sleep_last(mine);
        else
            hart_sleep();
    }
}
