/* realtime.h: the subcommands.
 *
 * Each has its folder. MPI is initialised before the call and finalised after it; argv[0] is the subcommand's name.
 * Returns the exit status: 0 good, 1 deadlines missed or a result wrong, 2 bad input.
 *
 * The references are weak: what is not compiled in is not offered, so that any selection of folders builds with
 *     mpicc -std=c11 -O2 -I. main.c common/?*.c FOLDER/?*.c -lm -lpthread
 */
#pragma once

#define REALTIME_SUBCOMMAND(name) int realtime_##name(int argc, char **argv) __attribute__((weak))

REALTIME_SUBCOMMAND(pairs);
REALTIME_SUBCOMMAND(pauses);
REALTIME_SUBCOMMAND(hartstone);
REALTIME_SUBCOMMAND(pmp);
REALTIME_SUBCOMMAND(kernels);
REALTIME_SUBCOMMAND(chain);
REALTIME_SUBCOMMAND(grid);
