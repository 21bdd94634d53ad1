/* output.c: standard output and error of each rank. The C library's two streams are ours: unbuffered, and what is
 * written to them comes here, to the running rank's own line. Whole lines leave with one write, so that lines of
 * different ranks do not mix; an unfinished line waits for its end, fflush(), or the end of the rank.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "own.h"

enum { LINE_ROOM = 256, LINE_MOST = 64 * 1024, MARK_ROOM = 16 };

static FILE *streams[2];
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static char marked[LINE_MOST + MARK_ROOM]; /* with prefixes; under `turn` */

/* ---- Out ---- */

static void write_all(int fd, const char *bytes, size_t len)
{
    struct fiber *f = fiber_step_out();
    while (len && fd >= 0) {
        ssize_t n = write(fd, bytes, len);
        if (n < 0 && errno == EAGAIN)
            poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
        else if (n < 0 && errno != EINTR)
            break;
        if (n > 0) {
            bytes += n;
            len -= (size_t)n;
        }
    }
    fiber_step_in(f);
}

/* Collected in a buffer of fixed size, so that a signal's handler can do it too: lines of up to that length leave whole
 * with one write. */
static void write_marked(struct line *l, int rank, const char *bytes, size_t len)
{
    char mark[MARK_ROOM];
    size_t mark_len = (size_t)snprintf(mark, sizeof mark, "[%d] ", rank), n = 0;
    while (len) {
        const char *end = memchr(bytes, '\n', len);
        size_t part = end ? (size_t)(end - bytes) + 1 : len;
        size_t before = l->mid_line ? 0 : mark_len;
        if (n && n + before + part > sizeof marked) {
            write_all(l->fd, marked, n);
            n = 0;
        }
        memcpy(marked + n, mark, before);
        n += before;
        if (n + part > sizeof marked) {
            write_all(l->fd, marked, n);
            write_all(l->fd, bytes, part);
            n = 0;
        } else {
            memcpy(marked + n, bytes, part);
            n += part;
        }
        l->mid_line = !end;
        bytes += part;
        len -= part;
    }
    write_all(l->fd, marked, n);
}

static void send(struct fiber *f, struct line *l, const char *bytes, size_t len)
{
    if (len == 0)
        return;
    pthread_mutex_lock(&turn);
    if (fiber_job->options.prefix && (l->fd == 1 || l->fd == 2))
        write_marked(l, f->rank, bytes, len);
    else
        write_all(l->fd, bytes, len);
    pthread_mutex_unlock(&turn);
}

/* ---- In ---- */

/* Where so many more bytes go, behind those that wait; NULL: no memory. */
static char *room_for(struct line *l, size_t more)
{
    size_t room = l->room ? l->room : LINE_ROOM;
    while (room - l->len < more)
        room *= 2;
    if (room > l->room) {
        char *buf = realloc(l->buf, room);
        if (!buf)
            return NULL;
        l->buf = buf;
        l->room = room;
    }
    return l->buf + l->len;
}

static void flush_line(struct fiber *f, struct line *l)
{
    size_t len = l->len;
    l->len = 0;
    send(f, l, l->buf, len);
}

void output_flush(struct fiber *f, int which) { flush_line(f, &f->own->line[which - 1]); }

/* What waits and the first `whole` of the bytes that come end a line: they leave, the rest waits. */
static void keep(struct fiber *f, struct line *l, const char *bytes, size_t len, size_t whole)
{
    char *end = room_for(l, len);
    if (!end) { /* no memory: unordered is better than lost */
        send(f, l, bytes, len);
        return;
    }
    if (len && bytes)
        memcpy(end, bytes, len);
    size_t leaves = whole ? l->len + whole : 0;
    l->len += len - leaves;
    send(f, l, l->buf, leaves);
    if (leaves)
        memmove(l->buf, l->buf + leaves, l->len);
    if (l->len > LINE_MOST)
        flush_line(f, l);
}

void output_put(struct fiber *f, int which, const char *bytes, size_t len)
{
    struct line *l = &f->own->line[which - 1];
    if (len == 0)
        return;
    const char *last = l->unbuffered ? bytes + len - 1 : memrchr(bytes, '\n', len);
    size_t whole = last ? (size_t)(last - bytes) + 1 : 0;
    if (l->len == 0) { /* the usual case needs no copy */
        send(f, l, bytes, whole);
        bytes += whole;
        len -= whole;
        whole = 0;
    }
    if (len)
        keep(f, l, bytes, len, whole);
}

/* Also from a signal's handler: another thread may hold the turn for ever. */
void fiber_flush(void)
{
    int mine = pthread_mutex_trylock(&turn) == 0;
    for (int i = 0; fiber_job && i < fiber_job->ranks; i++)
        for (int k = 0; k < 2; k++) {
            struct fiber *f = &fiber_job->fiber[i];
            struct line *l = f->own ? &f->own->line[k] : NULL;
            size_t len = l ? l->len : 0;
            if (len == 0)
                continue;
            l->len = 0;
            if (fiber_job->options.prefix)
                write_marked(l, i, l->buf, len);
            else
                write_all(l->fd, l->buf, len);
        }
    if (mine)
        pthread_mutex_unlock(&turn);
}

void output_say(const char *text, size_t len) { write_all(2, text, len); }

/* ---- The C library's streams ---- */

static ssize_t put(void *cookie, const char *bytes, size_t len)
{
    int which = cookie == &streams[0] ? 1 : 2;
    struct fiber *f = fiber_self();
    if (f)
        output_put(f, which, bytes, len);
    else
        write_all(which, bytes, len);
    return (ssize_t)len;
}

void output_start(void)
{
    for (int i = 0; i < 2; i++) {
        streams[i] = fopencookie(&streams[i], "w", (cookie_io_functions_t){.write = put});
        if (!streams[i])
            fiber_end_job(NULL, 1, "no memory for the output");
        setvbuf(streams[i], NULL, _IONBF, 0);
    }
    stdout = streams[0];
    stderr = streams[1];
}

int output_which(const FILE *f) { return f && f == streams[0] ? 1 : f && f == streams[1] ? 2 : 0; }

void output_init(struct fiber *f)
{
    f->own->line[0].fd = 1;
    f->own->line[1].fd = 2;
}

void output_point(struct fiber *f, int which, int fd)
{
    struct line *l = &f->own->line[which - 1];
    flush_line(f, l);
    if (l->fd > 2)
        close(l->fd);
    l->fd = fd;
    l->mid_line = 0;
}
