/* board_command.c: the command line of board.conf with the marks between '@' filled in. */
#include "board_command.h"

#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { WORDS = 128, WORD = 4096 };

struct text {
    char *at, *end; /* one byte is kept for the end */
};

static void put(struct text *t, const char *s)
{
    while (*s && t->at < t->end)
        *t->at++ = *s++;
}

static void put_number(struct text *t, int n)
{
    char digits[16];
    snprintf(digits, sizeof digits, "%d", n);
    put(t, digits);
}

/* As an emulator wants them behind "-semihosting-config ...": ",arg=one,arg=two". */
static void put_arguments(struct text *t, char **argv)
{
    for (; *argv; argv++) {
        put(t, ",arg=");
        for (const char *c = *argv; *c; c++) {
            const char letter[3] = {*c, *c == ',' ? ',' : 0}; /* its own way to write a comma */
            put(t, letter);
        }
    }
}

/* As one word, separated by blanks. */
static void put_joined(struct text *t, char **argv)
{
    for (int first = 1; *argv; argv++, first = 0) {
        put(t, first ? "" : " ");
        put(t, *argv);
    }
}

/* The mark at *from (behind its '@') into `t`; where the text goes on, or NULL when it is none. */
static const char *put_mark(struct text *t, const char *from, const struct board_node *node)
{
    const char *end = strchr(from, '@');
    size_t len = end ? (size_t)(end - from) : 0;
    const struct board_link *right = node->links ? &node->links[node->rank] : NULL;
    const struct board_link *left = node->links ? &node->links[(node->rank + node->ranks - 1) % node->ranks] : NULL;
#define IS(name) (len == sizeof(name) - 1 && memcmp(from, name, len) == 0) /* the length at compile time */
    if (IS("RANK"))
        put_number(t, node->rank);
    else if (IS("RANKS"))
        put_number(t, node->ranks);
    else if (IS("ELF"))
        put(t, node->argv[0]);
    else if (IS("DIR"))
        put(t, node->conf->folder);
    else if (IS("LEFT_FD") && left)
        put_number(t, left->right_end);
    else if (IS("RIGHT_FD") && right)
        put_number(t, right->left_end);
    else if (IS("SEMIHOSTING_ARGS"))
        put_arguments(t, node->argv);
    else if (IS("ARGS"))
        put_joined(t, node->argv + 1);
    else
        return NULL;
#undef IS
    return end + 1;
}

/* One word of the command line, filled in. NULL when it gets too long, or there is no memory. */
static char *fill(const char *from, size_t len, const struct board_node *node)
{
    char word[WORD];
    struct text t = {word, word + sizeof word - 1};
    const char *end = from + len;
    while (from < end) {
        const char *next = *from == '@' ? put_mark(&t, from + 1, node) : NULL;
        if (next) {
            from = next;
        } else {
            const char letter[2] = {*from++, 0};
            put(&t, letter);
        }
    }
    *t.at = 0;
    return t.at == t.end ? NULL : strdup(word);
}

static char *format(const char *pattern, unsigned long address, int value)
{
    char *text = NULL;
    return asprintf(&text, pattern, address, value) < 0 ? NULL : text;
}

static int add(char **word, int n, char *text)
{
    word[n] = text;
    return text && n < WORDS - 1 ? n + 1 : -1;
}

/* Of each node and start another one, and not 0: emulated clocks begin at 0, and may well read the same. */
static int nonce(void)
{
    unsigned n = 0;
    if (getrandom(&n, sizeof n, GRND_NONBLOCK) < 0)
        n = (unsigned)machine_now_ns();
    return (int)(n >> 1 | 1);
}

/* Rank, size and a nonce go into the node's memory before it starts. */
static int add_identity(char **word, int n, const struct board_node *node)
{
    static const char pattern[] = "loader,addr=0x%lx,data=%d,data-len=4";
    const int value[3] = {node->rank, node->ranks, nonce()};
    for (unsigned i = 0; i < 3 && n >= 0; i++) {
        n = add(word, n, strdup("-device"));
        if (n >= 0)
            n = add(word, n, format(pattern, node->conf->identity + 4 * i, value[i]));
    }
    return n;
}

/* A program that runs by itself, or whose emulator passes arguments on. */
static int add_arguments(char **word, int n, char **argv)
{
    for (; *argv && n >= 0; argv++)
        n = add(word, n, *argv);
    return n;
}

char **board_command(const struct board_node *node)
{
    char **word = calloc(WORDS, sizeof *word);
    int n = word ? 0 : -1;
    const char *emulator = *node->conf->emulator ? node->conf->emulator : "@ELF@";
    for (const char *c = emulator; n >= 0 && *(c += strspn(c, " \t")); c += strcspn(c, " \t"))
        n = add(word, n, fill(c, strcspn(c, " \t"), node));
    if (n >= 0 && node->conf->identity)
        n = add_identity(word, n, node);
    if (n >= 0 && node->conf->kind == BOARD_PIPES)
        n = add_arguments(word, n, node->argv + 1);
    if (n >= 0)
        return word;
    free(word); /* the words themselves go with the process, which ends now */
    return NULL;
}
