/* switch.c: from one stack to another. A switch is a function call, so only what a called function must preserve
 * is kept, on the stack that is left: the callee-saved registers and the modes of floating-point arithmetic.
 */
#include "switch.h"

#if defined(__x86_64__)

/* rdi: where to leave the old stack pointer; rsi: the new one. */
__asm__(".text\n"
        ".globl mpico_fiber_switch\n"
        ".hidden mpico_fiber_switch\n"
        ".type mpico_fiber_switch, @function\n"
        ".p2align 4\n"
        "mpico_fiber_switch:\n"
        "  pushq %rbp\n"
        "  pushq %rbx\n"
        "  pushq %r12\n"
        "  pushq %r13\n"
        "  pushq %r14\n"
        "  pushq %r15\n"
        "  subq $8, %rsp\n"
        "  stmxcsr (%rsp)\n"
        "  fnstcw 4(%rsp)\n"
        "  movq %rsp, (%rdi)\n"
        "  movq %rsi, %rsp\n"
        "  ldmxcsr (%rsp)\n"
        "  fldcw 4(%rsp)\n"
        "  addq $8, %rsp\n"
        "  popq %r15\n"
        "  popq %r14\n"
        "  popq %r13\n"
        "  popq %r12\n"
        "  popq %rbx\n"
        "  popq %rbp\n"
        "  ret\n"
        ".size mpico_fiber_switch, .-mpico_fiber_switch\n"
        /* rdi: stack pointer as the kernel leaves it for a new program; rsi: its first instruction. */
        ".globl mpico_fiber_jump\n"
        ".hidden mpico_fiber_jump\n"
        ".type mpico_fiber_jump, @function\n"
        "mpico_fiber_jump:\n"
        "  movq %rdi, %rsp\n"
        "  xorl %edx, %edx\n"
        "  xorl %ebp, %ebp\n"
        "  jmp *%rsi\n"
        ".size mpico_fiber_jump, .-mpico_fiber_jump\n"
        ".section .note.GNU-stack,\"\",@progbits\n"
        ".text\n");

enum { SAVED_WORDS = 7, MXCSR_DEFAULT = 0x1f80, X87_DEFAULT = 0x37f };

void *mpico_fiber_stack(char *high, void (*first)(void))
{
    uint64_t *sp = (uint64_t *)(void *)(high - (uintptr_t)high % 16);
    *--sp = 0;                          /* `first` sees a stack as after a call */
    *--sp = (uint64_t)(uintptr_t)first; /* where the switch returns to */
    for (int i = 1; i < SAVED_WORDS; i++)
        *--sp = 0;
    *--sp = MXCSR_DEFAULT | (uint64_t)X87_DEFAULT << 32;
    return sp;
}

#elif defined(__aarch64__)

__asm__(".text\n"
        ".globl mpico_fiber_switch\n"
        ".hidden mpico_fiber_switch\n"
        ".type mpico_fiber_switch, @function\n"
        ".p2align 4\n"
        "mpico_fiber_switch:\n"
        "  sub sp, sp, #176\n"
        "  stp x19, x20, [sp, #0]\n"
        "  stp x21, x22, [sp, #16]\n"
        "  stp x23, x24, [sp, #32]\n"
        "  stp x25, x26, [sp, #48]\n"
        "  stp x27, x28, [sp, #64]\n"
        "  stp x29, x30, [sp, #80]\n"
        "  stp d8, d9, [sp, #96]\n"
        "  stp d10, d11, [sp, #112]\n"
        "  stp d12, d13, [sp, #128]\n"
        "  stp d14, d15, [sp, #144]\n"
        "  mrs x9, fpcr\n"
        "  str x9, [sp, #160]\n"
        "  mov x9, sp\n"
        "  str x9, [x0]\n"
        "  mov sp, x1\n"
        "  ldp x19, x20, [sp, #0]\n"
        "  ldp x21, x22, [sp, #16]\n"
        "  ldp x23, x24, [sp, #32]\n"
        "  ldp x25, x26, [sp, #48]\n"
        "  ldp x27, x28, [sp, #64]\n"
        "  ldp x29, x30, [sp, #80]\n"
        "  ldp d8, d9, [sp, #96]\n"
        "  ldp d10, d11, [sp, #112]\n"
        "  ldp d12, d13, [sp, #128]\n"
        "  ldp d14, d15, [sp, #144]\n"
        "  ldr x9, [sp, #160]\n"
        "  msr fpcr, x9\n"
        "  add sp, sp, #176\n"
        "  ret\n"
        ".size mpico_fiber_switch, .-mpico_fiber_switch\n"
        ".globl mpico_fiber_jump\n"
        ".hidden mpico_fiber_jump\n"
        ".type mpico_fiber_jump, @function\n"
        "mpico_fiber_jump:\n"
        "  mov sp, x0\n"
        "  mov x0, xzr\n"
        "  mov x29, xzr\n"
        "  mov x30, xzr\n"
        "  br x1\n"
        ".size mpico_fiber_jump, .-mpico_fiber_jump\n"
        ".section .note.GNU-stack,\"\",@progbits\n"
        ".text\n");

enum { SAVED_WORDS = 22, LINK_REGISTER = 11 };

void *mpico_fiber_stack(char *high, void (*first)(void))
{
    uint64_t *sp = (uint64_t *)(void *)(high - (uintptr_t)high % 16) - SAVED_WORDS;
    for (int i = 0; i < SAVED_WORDS; i++)
        sp[i] = 0;
    sp[LINK_REGISTER] = (uint64_t)(uintptr_t)first;
    return sp;
}

#else
#error "fibers need a context switch for this processor: see switch.h"
#endif
