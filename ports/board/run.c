/* run.c: from the start-up code to the program and back. */
#include <stdint.h>
#include <stdlib.h>

#include "board.h"
#include "board_port.h"

extern int main(int argc, char **argv);
extern void (*const __init_array_start[])(void), (*const __init_array_end[])(void); /* from the linker's script */

enum { WORDS = 16, TEXT = 256 };

static char text[TEXT];
static char *words[WORDS + 1];

/* Cut the command line at its blanks. */
static int split(void)
{
    int n = 0;
    board_arguments(text, sizeof text);
    for (char *c = text; *c && n < WORDS;) {
        while (*c == ' ')
            *c++ = 0;
        if (*c)
            words[n++] = c;
        while (*c && *c != ' ')
            c++;
    }
    if (n == 0)
        words[n++] = text; /* a program always has a name, if an empty one */
    return n;
}

_Noreturn void mpico_board_run(void)
{
    board_start();
    for (void (*const *f)(void) = __init_array_start; f < __init_array_end; f++)
        (*f)();
    exit(main(split(), words));
}
