/* Text files line by line, and sentences for what is wrong in them. */
#include "text.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static bool complaints_muted;
static char path_buffer[LINE_BYTES];

void complain_mute(bool muted) { complaints_muted = muted; }

int complain(const char *format, ...)
{
    va_list arguments;

    if (complaints_muted)
        return -1;
    fputs("mft: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return -1;
}

int reader_open(struct reader *reader, const char *folder, const char *name)
{
    int length = snprintf(path_buffer, sizeof path_buffer, "%s/%s", folder, name);

    if (length < 0 || (size_t)length >= sizeof path_buffer)
        return complain("the path of data file %s is too long; give a shorter one with --data.", name);
    reader->path = name;
    reader->line_no = 0;
    reader->file = fopen(path_buffer, "r");
    if (!reader->file)
        return complain("cannot open data file %s (%s); name the folder that holds it with --data.", path_buffer,
                        strerror(errno));
    return 0;
}

void reader_close(struct reader *reader)
{
    if (reader->file)
        fclose(reader->file);
    reader->file = NULL;
}

int reader_next(struct reader *reader)
{
    size_t length;

    if (!fgets(reader->line, sizeof reader->line, reader->file))
        return ferror(reader->file)
                   ? complain("reading %s failed after line %d; check the disk.", reader->path, reader->line_no)
                   : 0;
    reader->line_no++;
    length = strlen(reader->line);
    if (length + 1 == sizeof reader->line)
        return complain("%s line %d is longer than %d characters; break it.", reader->path, reader->line_no,
                        LINE_BYTES - 2);
    while (length > 0 && (reader->line[length - 1] == '\n' || reader->line[length - 1] == '\r'))
        reader->line[--length] = '\0';
    return 1;
}

int reader_need(struct reader *reader, const char *what)
{
    int got = reader_next(reader);

    if (got == 0)
        return complain("%s ends at line %d before %s; take a complete copy.", reader->path, reader->line_no, what);
    return got < 0 ? -1 : 0;
}

int reader_reject(const struct reader *reader, const char *expected)
{
    return complain("%s line %d: \"%.60s\" is not %s; correct the line.", reader->path, reader->line_no, reader->line,
                    expected);
}

size_t text_numbers(const char *line, double *out, size_t max)
{
    size_t count = 0;

    while (count < max) {
        char *end;
        double value;

        line += strspn(line, " \t,");
        value = strtod(line, &end);
        if (end == line || !isfinite(value))
            break;
        out[count++] = value;
        line = end;
    }
    return count;
}
