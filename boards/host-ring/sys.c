/* sys.c: the calls of ports/pipe on this machine, through its C library. */
#include "../../ports/pipe/sys.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

int mpico_sys_open(int fd)
{
    int flags = fcntl(fd, F_GETFL);
    return flags < 0 ? -1 : fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

static int nothing_now(void) { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

long mpico_sys_read(int fd, void *bytes, size_t len)
{
    int before = errno; /* the program's, when an interrupt calls */
    long n = read(fd, bytes, len);
    if (n == 0)
        n = len ? -1 : 0;
    else if (n < 0 && nothing_now())
        n = 0;
    errno = before;
    return n;
}

/* send() where it can: write() to a socket that is closed at the other end would end the process. */
long mpico_sys_write(int fd, const void *bytes, size_t len)
{
    int before = errno;
    long n = send(fd, bytes, len, MSG_NOSIGNAL);
    if (n < 0 && errno == ENOTSOCK)
        n = write(fd, bytes, len);
    if (n < 0 && nothing_now())
        n = 0;
    errno = before;
    return n;
}

void mpico_sys_print(const char *text, size_t len)
{
    int before = errno;
    while (len) {
        ssize_t n = write(STDERR_FILENO, text, len);
        if (n < 0 && errno != EINTR)
            break;
        text += n > 0 ? n : 0;
        len -= n > 0 ? (size_t)n : 0;
    }
    errno = before;
}

void mpico_sys_sleep(const struct sys_wire wires[2], uint32_t ms)
{
    struct pollfd p[2];
    for (int i = 0; i < 2; i++)
        p[i] = (struct pollfd){.fd = wires[i].fd, .events = (short)(POLLIN | (wires[i].wants_room ? POLLOUT : 0))};
    poll(p, 2, (int)ms);
}

uint64_t mpico_sys_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

const char *mpico_sys_variable(const char *name) { return getenv(name); }

/* ---- The interrupt: a thread, since a signal would cut the program's sleeps short ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void (*tick_function)(void); /* under the lock; NULL: the thread ends */
static uint32_t tick_ms;

void mpico_sys_lock(void) { pthread_mutex_lock(&lock); }
void mpico_sys_unlock(void) { pthread_mutex_unlock(&lock); }

static void *tick_thread(void *unused)
{
    const struct timespec nap = {.tv_sec = tick_ms / 1000, .tv_nsec = (long)(tick_ms % 1000) * 1000000};
    int more = 1;
    while (more) {
        nanosleep(&nap, NULL);
        if (pthread_mutex_trylock(&lock))
            continue; /* the rank itself moves the links */
        more = tick_function != NULL;
        if (more)
            tick_function();
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

/* The program's signals are for its own thread. */
static int tick_start(void)
{
    sigset_t all, before;
    pthread_t thread;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int e = pthread_create(&thread, NULL, tick_thread, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return e ? -1 : pthread_detach(thread);
}

int mpico_sys_tick(uint32_t ms, void (*function)(void))
{
    mpico_sys_lock();
    tick_function = ms ? function : NULL;
    mpico_sys_unlock();
    if (!ms)
        return 0;
    tick_ms = ms;
    return tick_start();
}

__attribute__((noreturn)) void mpico_sys_exit(int code)
{
    fflush(NULL);
    _exit(code);
}
