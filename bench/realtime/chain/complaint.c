/* complaint.c: what is wrong with a description file, and where; a node as text. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "chain/kind.h"

void complain(struct complaint *c, struct place place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(c->sentence, sizeof c->sentence, format, args);
    va_end(args);
    c->place = place;
}

static const char *line_at(const char *text, int line)
{
    for (; line > 1 && strchr(text, '\n'); line--)
        text = strchr(text, '\n') + 1;
    return text;
}

void complaint_write(const struct complaint *c, const char *file, const char *text, char *out, size_t room)
{
    if (!c->place.line) {
        snprintf(out, room, "%s: %s", file, c->sentence);
        return;
    }
    const char *line = line_at(text, c->place.line);
    int len = (int)strcspn(line, "\r\n");
    snprintf(out, room, "%s:%d:%d: %s\n  %.*s\n  %*s", file, c->place.line, c->place.column, c->sentence,
             len < 120 ? len : 120, line, c->place.column, "^");
}

void node_text(const struct node *n, char *out, size_t room)
{
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < n->n && used < room; i++) {
        const struct function *f = &n->functions[i];
        int len = f->given ? snprintf(out + used, room - used, "%s%s %g", i ? " + " : "", f->kind->name, f->parameter)
                           : snprintf(out + used, room - used, "%s%s", i ? " + " : "", f->kind->name);
        used += len > 0 ? (size_t)len : 0;
    }
}
