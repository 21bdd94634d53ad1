/* call.h: a call of the Linux kernel, which qemu's user mode plays for a Hexagon program: number in r6, arguments in r0 to r5,
 * the answer in r0, negative for an error.
 */
#ifndef MPICO_HEXAGON_CALL_H
#define MPICO_HEXAGON_CALL_H

/* Numbers of asm-generic/unistd.h; of two, the one with 64 bits of seconds. */
enum call_number {
    CALL_FCNTL = 25,
    CALL_READ = 63,
    CALL_WRITE = 64,
    CALL_EXIT_GROUP = 94,
    CALL_SETITIMER = 103,
    CALL_RT_SIGACTION = 134,
    CALL_SENDTO = 206,
    CALL_CLOCK_GETTIME = 403,
    CALL_CLOCK_NANOSLEEP = 407,
    CALL_PPOLL = 414
};
enum { CALL_EINTR = 4, CALL_EAGAIN = 11, CALL_ENOTSOCK = 88 };

static inline long call(enum call_number number, long a, long b, long c, long d, long e, long f)
{
    register long r6 __asm__("r6") = (long)number;
    register long r0 __asm__("r0") = a;
    register long r1 __asm__("r1") = b;
    register long r2 __asm__("r2") = c;
    register long r3 __asm__("r3") = d;
    register long r4 __asm__("r4") = e;
    register long r5 __asm__("r5") = f;
    __asm__ volatile("trap0(#1)" : "+r"(r0) : "r"(r1), "r"(r2), "r"(r3), "r"(r4), "r"(r5), "r"(r6) : "memory");
    return r0;
}

#endif
