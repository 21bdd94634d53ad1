/* arch.h: the processor a port is compiled for, as MPI_INFO_ENV names it; empty: not known. */
#ifndef MPICO_PORTS_ARCH_H
#define MPICO_PORTS_ARCH_H

#if defined(__x86_64__)
#define MPICO_ARCH "x86_64"
#elif defined(__aarch64__)
#define MPICO_ARCH "aarch64"
#elif defined(__arm__)
#define MPICO_ARCH "arm"
#elif defined(__riscv)
#define MPICO_ARCH "riscv"
#else
#define MPICO_ARCH ""
#endif

#endif
