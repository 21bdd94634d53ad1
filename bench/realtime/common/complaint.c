/* complaint.c: see complaint.h. */
#include "common/complaint.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_MOST = 100, BEFORE = 60 };

bool complain(struct complaint *c, struct place place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(c->text, sizeof c->text, format, args);
    va_end(args);
    c->place = place;
    return false;
}

static const char *line_at(const char *text, int line)
{
    while (--line > 0) {
        const char *end = strchr(text, '\n');
        if (!end)
            return NULL;
        text = end + 1;
    }
    return text;
}

/* Something that a terminal shows in one column. */
static char plain(char c) { return c >= ' ' && c <= '~' ? c : c == '\t' ? '\t' : '?'; }

/* The part of the line around the column, and the caret: tabs before it stay tabs, so that it stands below its character. */
static void show_line(const char *line, int column, int indent, char *out, size_t room)
{
    char shown[SHOWN_MOST + 1], caret[SHOWN_MOST + 2];
    int from = column - 1 > BEFORE ? column - 1 - BEFORE : 0, n = 0, at = column - 1 - from;
    int len = (int)strcspn(line, "\r\n");
    for (; n < SHOWN_MOST && from + n < len; n++)
        shown[n] = plain(line[from + n]);
    shown[n] = '\0';
    for (int i = 0; i < at; i++)
        caret[i] = i < n && shown[i] == '\t' ? '\t' : ' ';
    snprintf(caret + at, sizeof caret - (size_t)at, "^");
    snprintf(out, room, "\n%*s%s\n%*s%s", indent, "", shown, indent, "", caret);
}

void complaint_show(const struct complaint *c, const char *file, const char *text, int indent, char *out, size_t room)
{
    if (c->place.line == 0) {
        snprintf(out, room, "%s: %s", file, c->text);
        return;
    }
    snprintf(out, room, "%s:%d:%d: %s", file, c->place.line, c->place.column, c->text);
    const char *line = line_at(text, c->place.line);
    size_t used = strlen(out);
    /* An empty line is not shown. */
    if (line && *line != '\0' && *line != '\n' && c->place.column > 0 && used < room)
        show_line(line, c->place.column, indent, out + used, room - used);
}
