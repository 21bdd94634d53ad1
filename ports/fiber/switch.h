/* switch.h: the few lines of assembly under a fiber, for each processor. */
#ifndef MPICO_FIBER_SWITCH_H
#define MPICO_FIBER_SWITCH_H

#include <stdint.h>

/* Leave this stack, its pointer in *save, and go on where the stack `load` was left. Returns when somebody comes
 * back. */
void mpico_fiber_switch(void **save, void *load);
/* Go to `code` with this stack pointer, as the kernel enters a program. */
__attribute__((noreturn)) void mpico_fiber_jump(void *stack_pointer, void *code);
/* A stack below `high` that the first switch to it enters at `first`. */
void *mpico_fiber_stack(char *high, void (*first)(void));

#endif
