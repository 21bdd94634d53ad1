/* text_file.c: see text_file.h. */
#include "common/text_file.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The room grows with the file, whose size is not asked for: it may be a pipe. NULL without memory. */
static char *read_all(FILE *in, size_t most, size_t *len)
{
    size_t space = 1 << 12;
    char *text = malloc(space);
    for (*len = 0; text && *len < most; space *= 2) {
        *len += fread(text + *len, 1, space - 1 - *len, in);
        if (*len < space - 1)
            return text;
        char *more = realloc(text, 2 * space);
        if (!more)
            free(text);
        text = more;
    }
    return text;
}

static bool judge(const char *file, const char *text, size_t len, size_t most, const char *kind, char *wrong,
                  size_t room)
{
    if (!text)
        snprintf(wrong, room, "%.200s: no memory to read it", file);
    else if (len >= most)
        snprintf(wrong, room, "%.200s: longer than %zu bytes, which no %s is", file, most - 1, kind);
    else if (memchr(text, '\0', len))
        snprintf(wrong, room, "%.200s: this is no text; name a %s", file, kind);
    else
        return true;
    return false;
}

char *text_load(const char *file, size_t most, const char *kind, char *wrong, size_t room)
{
    FILE *in = fopen(file, "rb");
    size_t len = 0;
    errno = in ? 0 : errno;
    char *text = in ? read_all(in, most, &len) : NULL;
    bool good = false;
    if (!in || ferror(in))
        snprintf(wrong, room, "%.200s: cannot be read (%s); name a %s that rank 0 can read", file, strerror(errno),
                 kind);
    else
        good = judge(file, text, len, most, kind, wrong, room);
    if (in)
        fclose(in);
    if (!good) {
        free(text);
        return NULL;
    }
    text[len] = '\0';
    return text;
}

char *text_load_all(const char *file, size_t most, const char *kind, MPI_Comm comm, char *wrong, size_t room)
{
    int rank, len = -1;
    MPI_Comm_rank(comm, &rank);
    char *text = rank == 0 ? text_load(file, most < INT_MAX ? most : INT_MAX, kind, wrong, room) : NULL;
    if (text)
        len = (int)strlen(text);
    MPI_Bcast(&len, 1, MPI_INT, 0, comm);
    if (len < 0) {
        if (rank > 0)
            snprintf(wrong, room, "%.200s: rank 0 cannot read it", file);
        return NULL;
    }
    if (!text && !(text = calloc((size_t)len + 1, 1)))
        MPI_Abort(comm, 2);
    MPI_Bcast(text, len, MPI_CHAR, 0, comm);
    return text;
}
