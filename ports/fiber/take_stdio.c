/* take_stdio.c: what a rank does with its standard output and error. How they are buffered, flushed and closed is
 * one rank's affair; all other files are the process's.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "own.h"

/* The stream of the running rank that `file` is; 0: none of ours. */
static int ours(const FILE *file) { return fiber_self() ? output_which(file) : 0; }

static void flush_both(struct fiber *f)
{
    output_flush(f, 1);
    output_flush(f, 2);
}

int fflush(FILE *file)
{
    static int (*real)(FILE *);
    if (!real)
        real = fiber_real("fflush");
    struct fiber *f = fiber_self();
    int which = ours(file);
    if (which)
        output_flush(f, which);
    else if (f && !file)
        flush_both(f);
    return which ? 0 : real(file);
}

int setvbuf(FILE *file, char *buffer, int mode, size_t size)
{
    static int (*real)(FILE *, char *, int, size_t);
    if (!real)
        real = fiber_real("setvbuf");
    int which = ours(file);
    if (!which)
        return real(file, buffer, mode, size);
    fiber_self()->own->line[which - 1].unbuffered = mode == _IONBF;
    output_flush(fiber_self(), which);
    return 0;
}

void setbuf(FILE *file, char *buffer) { setvbuf(file, buffer, buffer ? _IOFBF : _IONBF, BUFSIZ); }
void setbuffer(FILE *file, char *buffer, size_t size) { setvbuf(file, buffer, buffer ? _IOFBF : _IONBF, size); }
void setlinebuf(FILE *file) { setvbuf(file, NULL, _IOLBF, 0); }

int fileno(FILE *file)
{
    static int (*real)(FILE *);
    if (!real)
        real = fiber_real("fileno");
    int which = output_which(file);
    return which ? which : real(file);
}

int fileno_unlocked(FILE *file) { return fileno(file); }

int fclose(FILE *file)
{
    static int (*real)(FILE *);
    if (!real)
        real = fiber_real("fclose");
    int which = ours(file);
    if (!which)
        return real(file);
    output_point(fiber_self(), which, -1);
    return 0;
}

static int flags_of(const char *mode)
{
    int how = strchr(mode, '+') ? O_RDWR : O_WRONLY;
    return how | O_CREAT | O_CLOEXEC | (*mode == 'a' ? O_APPEND : O_TRUNC);
}

FILE *freopen(const char *path, const char *mode, FILE *file)
{
    static FILE *(*real)(const char *, const char *, FILE *);
    if (!real)
        real = fiber_real("freopen");
    int which = ours(file);
    if (!which)
        return real(path, mode, file);
    if (!path)
        return file;
    int fd = open(path, flags_of(mode), 0666);
    output_point(fiber_self(), which, fd);
    return fd < 0 ? NULL : file;
}

/* ---- By their numbers ---- */

/* The running rank's stream that this number means; NULL: a file. */
static struct line *numbered(int fd)
{
    struct fiber *f = fd == 1 || fd == 2 ? fiber_self() : NULL;
    return f ? &f->own->line[fd - 1] : NULL;
}

int close(int fd)
{
    static int (*real)(int);
    if (!real)
        real = fiber_real("close");
    const struct line *l = numbered(fd);
    if (!l)
        return real(fd);
    if (l->fd < 0) {
        errno = EBADF;
        return -1;
    }
    output_point(fiber_self(), fd, -1);
    return 0;
}

/* A rank that puts its output aside to bring it back later may have it elsewhere already. */
int dup(int fd)
{
    int (*real)(int) = fiber_real("dup");
    const struct line *l = numbered(fd);
    return real(l ? l->fd : fd);
}

int dup3(int from, int to, int flags)
{
    int (*real)(int, int, int) = fiber_real("dup3");
    const struct line *source = numbered(from);
    int fd = source ? source->fd : from;
    if (!numbered(to) || from == to) /* the latter is an error */
        return real(from == to && fd >= 0 ? from : fd, to, flags);
    if (fd < 0 || fd > 2)
        fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (fd < 0)
        return -1;
    output_point(fiber_self(), to, fd);
    return to;
}

int dup2(int from, int to)
{
    int (*real)(int, int) = fiber_real("dup2");
    const struct line *l = numbered(from);
    if (l && l->fd >= 0 && from == to)
        return to;
    return l || numbered(to) ? dup3(from, to, 0) : real(from, to);
}

ssize_t write(int fd, const void *bytes, size_t len)
{
    static ssize_t (*real)(int, const void *, size_t);
    if (!real)
        real = fiber_real("write");
    const struct line *l = numbered(fd);
    if (!l)
        return real(fd, bytes, len);
    if (l->fd < 0) {
        errno = EBADF;
        return -1;
    }
    if (len)
        output_put(fiber_self(), fd, bytes, len);
    return (ssize_t)len;
}

ssize_t writev(int fd, const struct iovec *part, int parts)
{
    static ssize_t (*real)(int, const struct iovec *, int);
    if (!real)
        real = fiber_real("writev");
    if ((fd != 1 && fd != 2) || !fiber_self())
        return real(fd, part, parts);
    ssize_t sum = 0;
    for (int i = 0; i < parts; i++) {
        ssize_t n = write(fd, part[i].iov_base, part[i].iov_len);
        if (n < 0)
            return n;
        sum += n;
    }
    return sum;
}
