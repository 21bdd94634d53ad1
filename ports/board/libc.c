/* libc.c: what newlib asks of the system below it. Output goes to the console; there are no files and no input; the heap is what is left of
 * the memory, and malloc() fails when that is used up.
 */
#ifndef _POSIX_TIMERS
#define _POSIX_TIMERS 1 /* newlib declares clocks only where somebody says that there are some */
#endif
#include <errno.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#undef errno
extern int errno;

#include "board.h"
#include "board_port.h"

extern char mpico_heap_start[], mpico_heap_end[]; /* from the linker's script */

int _write(int fd, const char *bytes, int len);
int _read(int fd, char *bytes, int len);
void *_sbrk(ptrdiff_t more);
int _close(int fd);
int _fstat(int fd, struct stat *st);
int _isatty(int fd);
off_t _lseek(int fd, off_t to, int whence);
int _kill(int pid, int sig);
int _getpid(void);
int _gettimeofday(struct timeval *t, void *zone);
_Noreturn void _exit(int code);

int _write(int fd, const char *bytes, int len)
{
    if (fd != 1 && fd != 2) {
        errno = EBADF;
        return -1;
    }
    board_write(bytes, (size_t)len);
    return len;
}

int _read(int fd, char *bytes, int len)
{
    (void)fd, (void)bytes, (void)len;
    return 0; /* the end of the file */
}

void *_sbrk(ptrdiff_t more)
{
    static char *end = mpico_heap_start;
    char *was = end;
    if (more > mpico_heap_end - end || more < mpico_heap_start - end) {
        errno = ENOMEM;
        return (void *)(intptr_t)-1;
    }
    end += more;
    return was;
}

int _close(int fd)
{
    (void)fd;
    return 0;
}

int _isatty(int fd) { return fd >= 0 && fd <= 2; }

/* A terminal: whole lines go out as they are made. */
int _fstat(int fd, struct stat *st)
{
    if (!_isatty(fd)) {
        errno = EBADF;
        return -1;
    }
    st->st_mode = S_IFCHR;
    return 0;
}

off_t _lseek(int fd, off_t to, int whence)
{
    (void)fd, (void)to, (void)whence;
    errno = ESPIPE;
    return -1;
}

int _getpid(void) { return 1; }

/* Nobody has told the date: time() counts from the start. */
int _gettimeofday(struct timeval *t, void *zone)
{
    uint64_t now = board_now_ns();
    (void)zone;
    t->tv_sec = (time_t)(now / 1000000000u);
    t->tv_usec = (suseconds_t)(now % 1000000000u / 1000u);
    return 0;
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
    uint64_t now = board_now_ns();
    (void)clock;
    *t = (struct timespec){.tv_sec = (time_t)(now / 1000000000u), .tv_nsec = (long)(now % 1000000000u)};
    return 0;
}

int nanosleep(const struct timespec *span, struct timespec *left)
{
    uint64_t until = board_now_ns() + (uint64_t)span->tv_sec * 1000000000u + (uint64_t)span->tv_nsec;
    while (board_now_ns() < until)
        board_sleep();
    if (left)
        *left = (struct timespec){0};
    return 0;
}

/* abort() and raise() come here. */
int _kill(int pid, int sig)
{
    (void)pid;
    mpico_board_say(sig == 6 ? "the program has called abort()" : "the program has raised a signal");
    board_exit(128 + sig);
}

/* The program has ended. Its neighbours still need this node when it has not left the job. */
_Noreturn void _exit(int code)
{
    if (mpico_board_in_job()) {
        mpico_board_say("the program left without MPI_Finalize");
        board_exit(code & 0xff ? code & 0xff : 1);
    }
    board_exit(code & 0xff);
}
