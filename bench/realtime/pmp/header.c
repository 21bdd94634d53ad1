/* header.c: the size of messages in the line above a pattern. */
#include "pmp/read.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a unit; MB is 2^20, as 1/4 MB is 262,144 bytes in the report. */
static double unit(const char *text, size_t len)
{
    static const struct {
        const char *name;
        double bytes;
    } units[] = {{"MB", 1048576}, {"KB", 1024}, {"kB", 1024}, {"bytes", 1}, {"byte", 1}, {"B", 1}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strlen(units[i].name) == len && strncmp(units[i].name, text, len) == 0)
            return units[i].bytes;
    return -1;
}

/* A number without a sign; strtod would read over the end of the line. */
static bool number(const char **at, double *value)
{
    char *end;
    *at += strspn(*at, " \t:=");
    if (**at < '0' || **at > '9')
        return false;
    *value = strtod(*at, &end);
    *at = end;
    return true;
}

int header_bytes(const char *line)
{
    size_t len = strcspn(line, "\n");
    const char *at = strstr(line, "size");
    double above, below = 1;
    if (!at || at >= line + len)
        return -1;
    at += strlen("size");
    at += strncmp(at, "s", 1) == 0;
    at += strspn(at, " \t:=");
    if (!number(&at, &above))
        return -1;
    if (*at == '/' && (at++, !number(&at, &below) || below <= 0))
        return -2;
    at += strspn(at, " \t");
    double bytes = above / below * unit(at, strspn(at, "MKkBbytes"));
    return bytes >= 0 && bytes <= INT_MAX && bytes == floor(bytes) ? (int)bytes : -2;
}
