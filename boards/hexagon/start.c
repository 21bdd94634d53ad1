/* start.c: where a program begins: argc, the arguments and the environment lie on the stack. */
#include <stdlib.h>

int main(int argc, char **argv);

char **environ;

__attribute__((noreturn, used)) static void enter(long *stack)
{
    int argc = (int)stack[0];
    char **argv = (char **)(stack + 1);
    environ = argv + argc + 1;
    exit(main(argc, argv));
}

/* Functions expect the stack aligned to 8. */
__asm__(".globl _start\n"
        ".type _start, @function\n"
        "_start:\n"
        "  r0 = r29\n"
        "  r29 = and(r29, #-8)\n"
        "  call enter\n");
