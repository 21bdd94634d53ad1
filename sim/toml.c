/* toml.c: the reader of machine files, one item a call. After TOML 1.0.0; see toml.h for what is left out.
 *
 * Invariant: `at` never passes `end`, and `line` is the line that `at` stands in. All that goes into an item is
 * checked against its room first.
 */
#include "toml.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 64, NOTHING = -1 };

__attribute__((format(printf, 2, 3))) static int wrong(struct toml *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(t->why, t->room, format, list);
    va_end(list);
    return -1;
}

static int peek(const struct toml *t) { return t->at < t->end ? (unsigned char)*t->at : NOTHING; }

static int take(struct toml *t, int c)
{
    if (peek(t) != c)
        return 0;
    t->line += c == '\n';
    t->at++;
    return 1;
}

static int is_digit(int c) { return c >= '0' && c <= '9'; }
static int is_bare(int c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
}

static void skip_blanks(struct toml *t)
{
    while (take(t, ' ') || take(t, '\t'))
        ;
    if (peek(t) == '#')
        while (peek(t) != NOTHING && peek(t) != '\n')
            t->at++;
}

static int take_newline(struct toml *t)
{
    if (peek(t) == '\r' && t->end - t->at > 1 && t->at[1] == '\n')
        t->at++;
    return take(t, '\n');
}

static void skip_lines(struct toml *t)
{
    do
        skip_blanks(t);
    while (take_newline(t));
}

/* What a person would call the next character. */
static const char *shown(const struct toml *t, char room[8])
{
    int c = peek(t);
    if (c == NOTHING)
        return "the end of the file";
    if (c == '\n' || c == '\r')
        return "the end of the line";
    snprintf(room, 8, c > ' ' && c < 127 ? "'%c'" : "0x%02x", (unsigned)c);
    return room;
}

static int end_of_line(struct toml *t, const char *after)
{
    char room[8];
    skip_blanks(t);
    if (peek(t) == NOTHING || take_newline(t))
        return 0;
    return wrong(t, "%s stands after %s: write one key a line, and '#' before a comment", shown(t, room), after);
}

/* ---- Keys and tables ---- */

static int read_key(struct toml *t, char key[TOML_KEY], const char *what)
{
    char room[8];
    size_t len = 0;
    if (peek(t) == '"' || peek(t) == '\'')
        return wrong(t, "%s is quoted: write it without quotes", what);
    for (; is_bare(peek(t)); t->at++) {
        if (len == TOML_KEY - 1)
            return wrong(t, "%s is longer than %d characters", what, TOML_KEY - 1);
        key[len++] = *t->at;
    }
    key[len] = 0;
    if (len == 0)
        return wrong(t, "%s was expected, not %s: it is of letters, digits, '_' and '-'", what, shown(t, room));
    skip_blanks(t);
    if (peek(t) == '.')
        return wrong(t, "'%s.': names with dots are not used here: write [table] in a line, then its keys", key);
    return 0;
}

static int read_header(struct toml *t, struct toml_item *item)
{
    char room[8];
    item->kind = TOML_TABLE;
    t->at++;
    if (peek(t) == '[')
        return wrong(t, "[[...]]: arrays of tables are not used here: write [table]");
    skip_blanks(t);
    if (read_key(t, item->key, "the name of a table"))
        return -1;
    if (!take(t, ']'))
        return wrong(t, "[%s is followed by %s: write [%s]", item->key, shown(t, room), item->key);
    return end_of_line(t, "the name of a table");
}

/* ---- Strings ---- */

static int append(struct toml *t, struct toml_item *item, int *len, const char *bytes, int count)
{
    if (*len + count >= TOML_TEXT)
        return wrong(t, "the text of '%s' is longer than %d bytes", item->key, TOML_TEXT - 1);
    memcpy(item->text + *len, bytes, (size_t)count);
    *len += count;
    item->text[*len] = 0;
    return 0;
}

static int append_code(struct toml *t, struct toml_item *item, int *len, unsigned long c)
{
    char b[4];
    if (c < 0x80) {
        b[0] = (char)c;
        return append(t, item, len, b, 1);
    }
    int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const unsigned lead[] = {0, 0xc0, 0xe0, 0xf0};
    b[0] = (char)(lead[more] | c >> (6 * more));
    for (int i = 1; i <= more; i++)
        b[i] = (char)(0x80 | (c >> (6 * (more - i)) & 0x3f));
    return append(t, item, len, b, more + 1);
}

static int read_code(struct toml *t, struct toml_item *item, int *len, int digits)
{
    unsigned long c = 0;
    for (int i = 0; i < digits; i++, t->at++) {
        static const char hex[] = "0123456789abcdef";
        int ch = peek(t);
        const char *digit = ch > 0 && ch < 128 ? strchr(hex, ch | 0x20) : NULL;
        if (!digit || (!is_digit(ch) && ch < 'A'))
            return wrong(t, "\\%c needs %d hexadecimal digits", digits == 4 ? 'u' : 'U', digits);
        c = c << 4 | (unsigned long)(digit - hex);
    }
    if (c == 0 || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        return wrong(t, "the text of '%s' names U+%04lX, which is no character", item->key, c);
    return append_code(t, item, len, c);
}

static int read_escape(struct toml *t, struct toml_item *item, int *len)
{
    static const char name[] = "btnfr\"\\", meant[] = "\b\t\n\f\r\"\\";
    int c = peek(t);
    const char *at = c > 0 ? strchr(name, c) : NULL;
    if (at || c == 'u' || c == 'U')
        t->at++;
    if (at)
        return append(t, item, len, &meant[at - name], 1);
    if (c == 'u' || c == 'U')
        return read_code(t, item, len, c == 'u' ? 4 : 8);
    return wrong(t, "the text of '%s' has a '\\' that means nothing: write \\\\ for one", item->key);
}

/* Bytes of the character at `s`, or 0 when it is not UTF-8. */
static int utf8_bytes(const unsigned char *s)
{
    int more = *s < 0x80 ? 0 : *s >> 5 == 6 ? 1 : *s >> 4 == 14 ? 2 : *s >> 3 == 30 ? 3 : -1;
    unsigned long c = more > 0 ? *s & (0x3fu >> more) : *s;
    static const unsigned long least[] = {0, 0x80, 0x800, 0x10000};
    for (int i = 1; i <= more; i++) {
        if (s[i] >> 6 != 2) /* also at the zero that ends the text */
            return 0;
        c = c << 6 | (s[i] & 0x3f);
    }
    return more < 0 || c < least[more] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? 0 : more + 1;
}

static int is_utf8(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    for (int bytes; *s; s += bytes)
        if (!(bytes = utf8_bytes(s)))
            return 0;
    return 1;
}

static int read_string(struct toml *t, struct toml_item *item)
{
    int quote = peek(t), len = 0;
    item->kind = TOML_STRING;
    item->text[0] = 0;
    if (t->end - t->at > 2 && t->at[1] == quote && t->at[2] == quote)
        return wrong(t, "the text of '%s' begins with three quotes: write it in one line, within one pair", item->key);
    t->at++;
    while (peek(t) != quote) {
        int c = peek(t), failed;
        if (c == NOTHING || c == '\n' || c == '\r')
            return wrong(t, "the text of '%s' has no end in its line: write the closing %c", item->key, quote);
        if ((c < ' ' && c != '\t') || c == 127)
            return wrong(t, "the text of '%s' holds the control character 0x%02x", item->key, (unsigned)c);
        t->at++;
        failed = c == '\\' && quote == '"' ? read_escape(t, item, &len) : append(t, item, &len, t->at - 1, 1);
        if (failed)
            return -1;
    }
    t->at++;
    return is_utf8(item->text) ? 0 : wrong(t, "the text of '%s' is not in UTF-8", item->key);
}

/* ---- Numbers and booleans ---- */

/* Past a run of digits with single '_' between them; NULL when there is none. */
static const char *past_digits(const char *s)
{
    if (!is_digit(*s))
        return NULL;
    while (is_digit(*s) || (*s == '_' && is_digit(s[1])))
        s++;
    return s;
}

/* Is it a number as TOML writes it, and a whole one? */
static int is_number(const char *s, int *whole)
{
    s += *s == '+' || *s == '-';
    if (*s == '0' && (is_digit(s[1]) || s[1] == '_'))
        return 0;
    s = past_digits(s);
    *whole = s && !*s;
    if (s && *s == '.')
        s = past_digits(s + 1);
    if (s && (*s == 'e' || *s == 'E'))
        s = past_digits(s + 1 + (s[1] == '+' || s[1] == '-'));
    return s && !*s;
}

static int read_number(struct toml *t, struct toml_item *item, char word[WORD])
{
    int whole;
    if (!is_number(word, &whole))
        return wrong(t, "'%s' is no value: write a decimal number, true or false, a \"text\", or [numbers]", word);
    char *to = word;
    for (const char *from = word; *from; from++)
        if (*from != '_')
            *to++ = *from;
    *to = 0;
    errno = 0;
    item->kind = whole ? TOML_INTEGER : TOML_REAL;
    item->number = strtod(word, NULL);
    item->integer = whole ? strtoll(word, NULL, 10) : 0;
    if (!isfinite(item->number) || (whole && errno))
        return wrong(t, "%s is too large a number", word);
    return 0;
}

static int read_word(struct toml *t, struct toml_item *item)
{
    char word[WORD], room[8];
    int len = 0;
    for (; is_bare(peek(t)) || peek(t) == '+' || peek(t) == '.'; t->at++) {
        if (len == WORD - 1)
            return wrong(t, "the value of '%s' is longer than %d characters", item->key, WORD - 1);
        word[len++] = *t->at;
    }
    word[len] = 0;
    if (len == 0)
        return wrong(t, "'%s' needs a value, not %s", item->key, shown(t, room));
    const char *name = word + (*word == '+' || *word == '-');
    if (!strcmp(name, "inf") || !strcmp(name, "nan"))
        return wrong(t, "the value of '%s' is %s: numbers here are finite", item->key, word);
    item->integer = !strcmp(word, "true");
    if (item->integer || !strcmp(word, "false")) {
        item->kind = TOML_BOOLEAN;
        return 0;
    }
    return read_number(t, item, word);
}

/* ---- Arrays and items ---- */

static int read_element(struct toml *t, struct toml_item *item)
{
    char room[8];
    if (!is_bare(peek(t)) && peek(t) != '+')
        return wrong(t, "%s in the array of '%s': it holds whole numbers with ',' between them, and ']' ends it",
                     shown(t, room), item->key);
    if (item->count == TOML_LIST)
        return wrong(t, "the array of '%s' holds more than %d numbers", item->key, TOML_LIST);
    if (read_word(t, item))
        return -1;
    if (item->kind != TOML_INTEGER)
        return wrong(t, "the array of '%s' holds whole numbers only", item->key);
    item->list[item->count++] = item->integer;
    return 0;
}

static int read_array(struct toml *t, struct toml_item *item)
{
    char room[8];
    item->count = 0;
    t->at++;
    for (skip_lines(t); !take(t, ']'); skip_lines(t)) {
        if (read_element(t, item))
            return -1;
        skip_lines(t);
        if (!take(t, ',') && peek(t) != ']')
            return wrong(t, "%s in the array of '%s': write ',' between numbers and ']' at the end", shown(t, room),
                         item->key);
    }
    item->kind = TOML_ARRAY;
    return 0;
}

static int read_pair(struct toml *t, struct toml_item *item)
{
    char room[8];
    if (read_key(t, item->key, "a key"))
        return -1;
    if (!take(t, '='))
        return wrong(t, "'%s' is followed by %s: write %s = and its value", item->key, shown(t, room), item->key);
    skip_blanks(t);
    int c = peek(t);
    int failed = c == '"' || c == '\'' ? read_string(t, item) : c == '[' ? read_array(t, item) : read_word(t, item);
    return failed ? failed : end_of_line(t, "a value");
}

void toml_start(struct toml *t, const char *text, size_t len, char *why, size_t room)
{
    *t = (struct toml){.at = text, .end = text + len, .line = 1, .why = why, .room = room};
    if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) /* the mark that some editors write */
        t->at += 3;
}

int toml_next(struct toml *t, struct toml_item *item)
{
    if (t->end - t->at > TOML_BYTES)
        return wrong(t, "the file is longer than %d bytes", TOML_BYTES);
    skip_lines(t);
    if (peek(t) == NOTHING)
        return 0;
    item->line = t->line;
    return (peek(t) == '[' ? read_header(t, item) : read_pair(t, item)) ? -1 : 1;
}
