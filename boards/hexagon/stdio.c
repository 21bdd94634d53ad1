/* stdio.c: the two outputs. A line that fits the buffer leaves in one call, so that ranks do not mix their lines. */
#include <stdio.h>

#include <string.h>

#include "call.h"
#include "format.h"

enum { BUFFER_BYTES = 1024 };

struct mpico_file {
    struct sink sink; /* first: a struct sink * of this file is a FILE * */
    int fd;
    int by_line; /* 0: written at the end of each call */
    size_t held;
    char buffer[BUFFER_BYTES];
};

static void file_put(struct sink *, const char *text, size_t len);

static FILE files[2] = {{.sink = {file_put}, .fd = 1, .by_line = 1}, {.sink = {file_put}, .fd = 2}};
FILE *const mpico_stdout = &files[0], *const mpico_stderr = &files[1];

/* What cannot be written is lost. */
static void file_flush(FILE *f)
{
    const char *text = f->buffer;
    while (f->held) {
        long n = call(CALL_WRITE, f->fd, (long)text, (long)f->held, 0, 0, 0);
        if (n < 0 && n != -CALL_EINTR)
            break;
        text += n > 0 ? n : 0;
        f->held -= n > 0 ? (size_t)n : 0;
    }
    f->held = 0;
}

static void file_put(struct sink *sink, const char *text, size_t len)
{
    FILE *f = (FILE *)sink;
    for (; len; len--, text++) {
        f->buffer[f->held++] = *text;
        if (f->held == BUFFER_BYTES || (f->by_line && *text == '\n'))
            file_flush(f);
    }
}

static void file_end(FILE *f)
{
    if (!f->by_line)
        file_flush(f);
}

int fflush(FILE *f)
{
    if (f)
        file_flush(f);
    else
        file_flush(stdout);
    return 0;
}

size_t fwrite(const void *restrict text, size_t size, size_t count, FILE *restrict f)
{
    file_put(&f->sink, text, size * count);
    file_end(f);
    return count;
}

int fputs(const char *restrict text, FILE *restrict f)
{
    fwrite(text, 1, strlen(text), f);
    return 0;
}

int fputc(int c, FILE *f)
{
    char byte = (char)c;
    fwrite(&byte, 1, 1, f);
    return (unsigned char)byte;
}

int putchar(int c) { return fputc(c, stdout); }

int puts(const char *text)
{
    fputs(text, stdout);
    return putchar('\n');
}

int vfprintf(FILE *restrict f, const char *restrict format, va_list values)
{
    int n = mpico_format(&f->sink, format, values);
    file_end(f);
    return n;
}

int fprintf(FILE *restrict f, const char *restrict format, ...)
{
    va_list values;
    va_start(values, format);
    int n = vfprintf(f, format, values);
    va_end(values);
    return n;
}

int printf(const char *restrict format, ...)
{
    va_list values;
    va_start(values, format);
    int n = vfprintf(stdout, format, values);
    va_end(values);
    return n;
}

/* ---- Text in memory ---- */

struct memory {
    struct sink sink; /* first */
    char *text;
    size_t room, len; /* room without the final 0 */
};

static void memory_put(struct sink *sink, const char *text, size_t len)
{
    struct memory *m = (struct memory *)sink;
    size_t fits = m->room - m->len < len ? m->room - m->len : len;
    memcpy(m->text + m->len, text, fits);
    m->len += fits;
}

int vsnprintf(char *restrict text, size_t size, const char *restrict format, va_list values)
{
    struct memory m = {.sink = {memory_put}, .text = text, .room = size ? size - 1 : 0};
    int n = mpico_format(&m.sink, format, values);
    if (size)
        text[m.len] = 0;
    return n;
}

int snprintf(char *restrict text, size_t size, const char *restrict format, ...)
{
    va_list values;
    va_start(values, format);
    int n = vsnprintf(text, size, format, values);
    va_end(values);
    return n;
}
