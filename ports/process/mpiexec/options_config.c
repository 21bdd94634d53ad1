/* options_config.c: -configfile: the rest of the command line from a file (MPI 5.0, section 11.5, form B): each line is what stands between two ':',
 * lines that begin with '#' are comments, and a '\' at its end continues a line. Quotes hold words with blanks together, as in a shell.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "options_parser.h"

enum { CONFIG_MOST = 1 << 20 };

/* The words end with NULL; their text lies behind them, in the same piece of memory. */
struct words {
    char **word;
    size_t count;
    char *text; /* where the next one goes */
    int line;   /* words of the line so far */
};

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static int line_continues(const char *at)
{
    return at[0] == '\\' && (at[1] == '\n' || (at[1] == '\r' && at[2] == '\n'));
}

static void add_colon(struct words *w)
{
    w->word[w->count++] = w->text;
    *w->text++ = ':';
    *w->text++ = 0;
}

/* The word at `at`; past it. NULL: a quote does not end. */
static const char *add_word(struct words *w, const char *at, int follows)
{
    char quote = 0;
    if (w->line++ == 0 && follows)
        add_colon(w);
    w->word[w->count++] = w->text;
    for (; *at && (quote || (!is_blank(*at) && *at != '\n' && !line_continues(at))); at++) {
        if (*at == quote)
            quote = 0;
        else if (!quote && (*at == '"' || *at == '\''))
            quote = *at;
        else if (*at == '\\' && quote != '\'' && at[1])
            *w->text++ = *++at;
        else
            *w->text++ = *at;
    }
    *w->text++ = 0;
    return quote ? NULL : at;
}

static int add_words(struct words *w, const char *at)
{
    while (at && *at) {
        if (is_blank(*at))
            at++;
        else if (line_continues(at))
            at += at[1] == '\r' ? 3 : 2;
        else if (*at == '\n')
            at++, w->line = 0;
        else if (*at == '#' && w->line == 0)
            at += strcspn(at, "\n");
        else
            at = add_word(w, at, w->count > 0);
    }
    w->word[w->count] = NULL;
    return at ? 0 : -1;
}

/* The file's text, which the caller frees. NULL: said why. */
static char *read_all(struct parser *p, const char *path)
{
    struct stat st;
    FILE *in = fopen(path, "re");
    char *text = NULL;
    if (!in || fstat(fileno(in), &st))
        options_wrong(p, "%s: cannot read '%s': %s", p->name, path, strerror(errno));
    else if (!S_ISREG(st.st_mode) || st.st_size > CONFIG_MOST)
        options_wrong(p, "%s: '%s' is no file of at most 1 MiB", p->name, path);
    else if (!(text = calloc((size_t)st.st_size + 1, 1)))
        options_wrong(p, "%s: no memory", p->name);
    else if (memchr(text, 0, fread(text, 1, (size_t)st.st_size, in))) {
        options_wrong(p, "%s: '%s' is no text", p->name, path);
        free(text);
        text = NULL;
    }
    if (in)
        fclose(in);
    return text;
}

int options_config(struct parser *p, const struct option *opt, char *value)
{
    (void)opt;
    if (p->o->config)
        return options_wrong(p, "%s: one such file is enough", p->name);
    if (p->o->parts || *p->word)
        return options_wrong(p, "%s FILE is the end of the command line, and there are no other programs", p->name);
    char *text = read_all(p, value);
    if (!text)
        return -1;
    /* At most a word for each byte of text, and of ':' as many: two words and three bytes each. */
    size_t most = strlen(text) + 1;
    struct words w = {.word = malloc(2 * (most + 1) * sizeof *w.word + 3 * most)};
    p->o->config = w.word;
    if (w.word)
        w.text = (char *)(w.word + 2 * (most + 1));
    int e = w.word ? add_words(&w, text) : 0;
    free(text);
    if (!w.word || e)
        return options_wrong(p, "%s: %s", p->name, e ? "a quote does not end" : "no memory");
    p->word = w.word;
    return 0;
}

void options_release(struct options *o)
{
    free(o->config);
    o->config = NULL;
}
