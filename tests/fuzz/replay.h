/* replay.h: a fuzz target without libFuzzer: main() replays the files that it is given, then writes programs of its own from a fixed
 * seed until enough has been done. So the target is a test, too.
 */
#ifndef MPICO_TESTS_FUZZ_REPLAY_H
#define MPICO_TESTS_FUZZ_REPLAY_H

#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { REPLAY_FILE_MAX = 1 << 16, REPLAY_PROGRAM_MAX = 1 << 12 };

static uint8_t replay_random(void)
{
    static uint64_t state = 0x9e3779b97f4a7c15u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint8_t)(state >> 32);
}

static int replay_file(const char *name)
{
    static uint8_t program[REPLAY_FILE_MAX];
    FILE *f = fopen(name, "rb");
    if (!f) {
        perror(name);
        return 1;
    }
    size_t size = fread(program, 1, sizeof program, f);
    fclose(f);
    LLVMFuzzerTestOneInput(program, size);
    return 0;
}

/* The exit code of main(). Programs of `bytes` (at most REPLAY_PROGRAM_MAX) are written until *done, which the target counts in
 * units called `what`, is `enough`. */
static inline int replay_main(int argc, char **argv, size_t bytes, const long *done, long enough, const char *what)
{
    static uint8_t program[REPLAY_PROGRAM_MAX];
    for (int i = 1; i < argc; i++)
        if (replay_file(argv[i]))
            return 1;
    while (*done < enough) {
        for (size_t i = 0; i < bytes; i++)
            program[i] = replay_random();
        LLVMFuzzerTestOneInput(program, bytes);
    }
    printf("%ld %s, %d programs from files\n", *done, what, argc - 1);
    return 0;
}

#endif
