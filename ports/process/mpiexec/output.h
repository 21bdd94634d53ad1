/* output.h: from the ranks' pipes to mpiexec's own output, whole lines at a time. Nothing here blocks: what the
 * reader does not take yet stays in the sink, and while it does the pipes that lead there are not read.
 */
#ifndef MPIEXEC_OUTPUT_H
#define MPIEXEC_OUTPUT_H

#include <stddef.h>

struct sink {
    int fd;
    int file;   /* a regular file: always ready */
    int broken; /* the error number of a write, EPIPE when nobody reads any more; what comes is dropped */
    char *data;
    size_t at, len, room; /* data[at..len) is to be written */
};

struct stream {
    int fd; /* read end; -1: closed */
    int rank;
    int prefix;   /* begin lines with "[rank] " */
    int mid_line; /* the last byte sent on was no newline */
    int stale;    /* an unfinished line has waited since the last look */
    size_t len;
    struct sink *sink;
    char *buf; /* STREAM_ROOM bytes */
};
enum { STREAM_ROOM = 64 * 1024 };

void sink_init(struct sink *, int fd);
static inline int sink_pending(const struct sink *s) { return s->at < s->len; }
/* Add bytes and write what the reader takes now. */
void sink_add(struct sink *, const char *, size_t);
void sink_flush(struct sink *);

/* Read once, send complete lines on. 1: there may be more; 0: nothing now, or the end (then fd is -1). */
int stream_read(struct stream *);
/* Send an unfinished line on: at the end, or because a user waits for it (a prompt). */
void stream_flush(struct stream *);
void stream_close(struct stream *);

#endif
