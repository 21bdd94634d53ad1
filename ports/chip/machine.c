/* machine.c: the harts of a chip as ranks: who one is, time, sleep, the end. */
#include <string.h>

#include "../arch.h"
#include "base/text.h"
#include "chip_port.h"
#include "core/rank.h"

struct rank mpico_the_rank; /* MPICO_ONE_RANK: a hart's own, as all of a program's data */

extern unsigned char mpico_arena[],
    mpico_arena_bytes[]; /* the second's address is the size: from the linker's script */

static void say(int rank, const char *text)
{
    char line[320];
    size_t len = mpico_text_format(line, sizeof line - 1, "mpico: rank %d: %s", rank, text);
    line[len++] = '\n';
    mpico_chip_print(line, len);
}

static void chip_say(struct rank *r, const char *line)
{
    (void)r;
    say(mpico_hart, line);
}

/* The first to halt has the last word. */
static _Noreturn void chip_halt(struct rank *r, int code, const char *why)
{
    (void)r;
    while (__atomic_exchange_n(&shared()->halting, 1, __ATOMIC_SEQ_CST))
        hart_sleep();
    mpico_chip_flush();
    if (why)
        say(mpico_hart, why);
    mpico_hart_exit(code & 0xff ? code : 1);
}

static int chip_start(struct rank *r, int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    char line[120];
    size_t bytes = (size_t)(uintptr_t)mpico_arena_bytes;
    int size = (int)mpico_chip.harts;
    if (mpico_rank_place(r, mpico_hart, size, mpico_arena, bytes)) {
        mpico_text_format(line, sizeof line, "MPI_Init: an arena of %z bytes is too small for %d ranks", bytes, size);
        chip_say(r, line);
        return -1;
    }
    mpico_chip_link_start(&mpico_chip_link, mpico_hart, size);
    mpico_rank_attach(r, &mpico_chip_link.link, 0, size - 1);
    return 0;
}

static void chip_stop(struct rank *r) { (void)r; }

/* A hart's memory is there for its neighbours whatever its program does. */
static void chip_away(struct rank *r, int gone)
{
    (void)r;
    (void)gone;
}

static uint64_t chip_now(void) { return hart_ticks() * mpico_chip.tick_ns; }

/* Never spins: whoever has something for this rank rings, or has rung. */
static void chip_wait(struct rank *r, uint32_t idle)
{
    (void)r;
    if (idle || !mpico_chip_link.pending)
        mpico_chip_sleep();
}

static const char *chip_processor(struct rank *r)
{
    static char name[16];
    (void)r;
    mpico_text_format(name, sizeof name, "hart %d", mpico_hart);
    return name;
}

const struct machine mpico_machine = {.name = "chip",
                                      .arch = MPICO_ARCH,
                                      .start = chip_start,
                                      .stop = chip_stop,
                                      .away = chip_away,
                                      .now = chip_now,
                                      .wait = chip_wait,
                                      .wait_looks = 1,
                                      .halt = chip_halt,
                                      .say = chip_say,
                                      .processor = chip_processor};
