/* output.c: see output.h. A pipe that poll() calls writable takes PIPE_BUF bytes without blocking; so that is
 * what is written at once, whatever the reader does.
 */
#include "output.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void sink_init(struct sink *s, int fd)
{
    struct stat st;
    *s = (struct sink){.fd = fd};
    s->file = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

static int make_room(struct sink *s, size_t more)
{
    if (s->at) {
        memmove(s->data, s->data + s->at, s->len - s->at);
        s->len -= s->at;
        s->at = 0;
    }
    if (s->room - s->len >= more)
        return 0;
    size_t room = (s->len + more) * 2;
    char *data = realloc(s->data, room);
    if (!data)
        return -1;
    s->data = data;
    s->room = room;
    return 0;
}

static int ready(const struct sink *s)
{
    struct pollfd p = {.fd = s->fd, .events = POLLOUT};
    return s->file || poll(&p, 1, 0) == 1;
}

void sink_flush(struct sink *s)
{
    while (sink_pending(s) && !s->broken && ready(s)) {
        size_t len = s->len - s->at;
        if (!s->file && len > PIPE_BUF)
            len = PIPE_BUF;
        ssize_t n = write(s->fd, s->data + s->at, len);
        if (n > 0)
            s->at += (size_t)n;
        else if (errno == EAGAIN)
            return;
        else if (errno != EINTR)
            s->broken = errno;
    }
    if (s->broken || s->at == s->len)
        s->at = s->len = 0;
}

static void put(struct sink *s, const char *bytes, size_t len)
{
    if (s->broken || (s->room - s->len < len && make_room(s, len)))
        return;
    memcpy(s->data + s->len, bytes, len);
    s->len += len;
}

void sink_add(struct sink *s, const char *bytes, size_t len)
{
    put(s, bytes, len);
    sink_flush(s);
}

static void send_prefixed(struct stream *t, const char *bytes, size_t len)
{
    char mark[16];
    int mark_len = snprintf(mark, sizeof mark, "[%d] ", t->rank);
    while (len) {
        const char *end = memchr(bytes, '\n', len);
        size_t line = end ? (size_t)(end - bytes) + 1 : len;
        if (!t->mid_line)
            put(t->sink, mark, (size_t)mark_len);
        put(t->sink, bytes, line);
        t->mid_line = !end;
        bytes += line;
        len -= line;
    }
}

/* The first `len` bytes of the buffer leave. */
static void send(struct stream *t, size_t len)
{
    if (len == 0)
        return;
    if (t->prefix)
        send_prefixed(t, t->buf, len);
    else
        put(t->sink, t->buf, len);
    sink_flush(t->sink);
    memmove(t->buf, t->buf + len, t->len - len);
    t->len -= len;
    t->stale = 0;
}

void stream_flush(struct stream *t) { send(t, t->len); }

void stream_close(struct stream *t)
{
    if (t->fd < 0)
        return;
    stream_flush(t);
    close(t->fd);
    t->fd = -1;
}

int stream_read(struct stream *t)
{
    if (t->fd < 0)
        return 0;
    ssize_t n = read(t->fd, t->buf + t->len, STREAM_ROOM - t->len);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    if (n <= 0) {
        stream_close(t);
        return 0;
    }
    const char *last = memrchr(t->buf + t->len, '\n', (size_t)n);
    t->len += (size_t)n;
    t->stale = 0;
    if (last)
        send(t, (size_t)(last - t->buf) + 1);
    else if (t->len == STREAM_ROOM)
        stream_flush(t);
    return 1;
}
