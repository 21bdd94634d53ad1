/* sys.c: the calls of ports/pipe, straight to the kernel that the emulator plays. */
#include "../../ports/pipe/sys.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "call.h"

enum { GET_FLAGS = 3, SET_FLAGS = 4, NON_BLOCKING = 04000, NO_SIGNAL = 0x4000 };
enum { ERROR_OUTPUT = 2, POLL_IN = 1, POLL_OUT = 4 };
enum { ALARM = 14, RESTART = 0x10000000, MASK_BYTES = 8 };

struct poll {
    int fd;
    short wanted, found;
};
struct action {
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)(void);
    unsigned long mask[2];
};
struct interval {
    long every_s, every_us, first_s, first_us;
};

static void (*tick_function)(void);
static volatile unsigned char locked;

int mpico_sys_open(int fd)
{
    long flags = call(CALL_FCNTL, fd, GET_FLAGS, 0, 0, 0, 0);
    return flags < 0 ? -1 : (int)call(CALL_FCNTL, fd, SET_FLAGS, flags | NON_BLOCKING, 0, 0, 0);
}

long mpico_sys_read(int fd, void *bytes, size_t len)
{
    long n = call(CALL_READ, fd, (long)bytes, (long)len, 0, 0, 0);
    if (n == -CALL_EAGAIN || n == -CALL_EINTR)
        return 0;
    return n == 0 && len ? -1 : n;
}

/* Sent where that is possible: writing to a socket that is closed at the other end would end the process. */
long mpico_sys_write(int fd, const void *bytes, size_t len)
{
    long n = call(CALL_SENDTO, fd, (long)bytes, (long)len, NO_SIGNAL, 0, 0);
    if (n == -CALL_ENOTSOCK)
        n = call(CALL_WRITE, fd, (long)bytes, (long)len, 0, 0, 0);
    return n == -CALL_EAGAIN || n == -CALL_EINTR ? 0 : n;
}

void mpico_sys_print(const char *text, size_t len)
{
    while (len) {
        long n = call(CALL_WRITE, ERROR_OUTPUT, (long)text, (long)len, 0, 0, 0);
        if (n < 0 && n != -CALL_EINTR)
            break;
        text += n > 0 ? n : 0;
        len -= n > 0 ? (size_t)n : 0;
    }
}

void mpico_sys_sleep(const struct sys_wire wires[2], uint32_t ms)
{
    struct poll p[2];
    const struct timespec most = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000};
    for (int i = 0; i < 2; i++)
        p[i] = (struct poll){.fd = wires[i].fd, .wanted = (short)(POLL_IN | (wires[i].wants_room ? POLL_OUT : 0))};
    call(CALL_PPOLL, (long)p, 2, (long)&most, 0, 0, 0);
}

uint64_t mpico_sys_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

const char *mpico_sys_variable(const char *name) { return getenv(name); }

/* ---- The interrupt is a signal ---- */

void mpico_sys_lock(void)
{
    locked = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

void mpico_sys_unlock(void)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    locked = 0;
}

__attribute__((used)) static void alarm_came(void)
{
    if (!locked)
        tick_function();
}

/* Around it, the predicates: qemu 7.2 restores the other registers of what the signal has interrupted, and not these. */
void mpico_hexagon_on_alarm(int signal);
__asm__(".globl mpico_hexagon_on_alarm\n"
        ".type mpico_hexagon_on_alarm, @function\n"
        "mpico_hexagon_on_alarm:\n"
        "  allocframe(#8)\n"
        "  r0 = p3:0\n"
        "  memw(r29+#0) = r0\n"
        "  call alarm_came\n"
        "  r0 = memw(r29+#0)\n"
        "  p3:0 = r0\n"
        "  dealloc_return\n");

int mpico_sys_tick(uint32_t ms, void (*function)(void))
{
    const struct action action = {.handler = mpico_hexagon_on_alarm, .flags = RESTART};
    const struct interval interval = {0, (long)ms * 1000, 0, (long)ms * 1000};
    if (ms) {
        tick_function = function;
        if (call(CALL_RT_SIGACTION, ALARM, (long)&action, 0, MASK_BYTES, 0, 0))
            return -1;
    }
    return (int)call(CALL_SETITIMER, 0, (long)&interval, 0, 0, 0, 0);
}

__attribute__((noreturn)) void mpico_sys_exit(int code) { exit(code); }
