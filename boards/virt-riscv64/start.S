/* start.S: from reset to mpico_boot_run(), and the way into a trap.
 *
 * All harts begin here, in machine mode, hart number in a0, device tree in a1. The first one finds out what the
 * machine is, then rings the others. Each makes its page table, hands all traps to supervisor mode and goes there.
 * Nothing runs in machine mode afterwards.
 */
        .set BOOT_STACK_SHIFT, 12
        .set BOOT_BELLS, 0x2000000
        .set INTERRUPT_MACHINE_SOFTWARE, 8

/* Not .text.start, which is also what the compiler calls the section of a function named start. */
        .section .reset, "ax"
        .globl _start
_start:
        .option push
        .option norelax
        la      gp, __global_pointer$
        .option pop
        mv      s0, a0
        csrw    mie, zero
        la      t0, machine_trap
        csrw    mtvec, t0
        la      sp, mpico_chip_boot_stacks
        addi    t0, s0, 1
        slli    t0, t0, BOOT_STACK_SHIFT
        add     sp, sp, t0
        bnez    s0, others
        mv      a0, a1
        call    mpico_boot_first
        j       each

others: csrwi   mie, INTERRUPT_MACHINE_SOFTWARE
1:      wfi
        csrr    t0, mip
        andi    t0, t0, INTERRUPT_MACHINE_SOFTWARE
        beqz    t0, 1b
        li      t0, BOOT_BELLS
        slli    t1, s0, 2
        add     t0, t0, t1
        sw      zero, 0(t0)
        fence

each:   mv      a0, s0
        call    mpico_boot_hart
        csrw    satp, a0
        sfence.vma
        li      t0, -1                  /* supervisor mode may use all memory */
        csrw    pmpaddr0, t0
        li      t0, 0x1f
        csrw    pmpcfg0, t0
        li      t0, 0xffff
        csrw    medeleg, t0
        li      t0, 0x222
        csrw    mideleg, t0
        li      t0, 7                   /* cycle, time, instret */
        csrw    mcounteren, t0
        li      t0, 1
        slli    t0, t0, 63              /* stimecmp */
        csrw    0x30a, t0               /* menvcfg */
        li      t0, -1
        csrw    0x14d, t0               /* stimecmp: never */
        li      t0, 2
        csrw    sie, t0                 /* the software interrupt ends wfi; sstatus.SIE stays 0 */
        la      t0, supervisor_trap
        csrw    stvec, t0
        li      t0, 0x2800              /* supervisor mode, floating point on */
        csrw    mstatus, t0
        la      t0, enter
        csrw    mepc, t0
        mret

enter:  la      sp, mpico_chip_stack_top
        la      tp, __tls_base
        mv      a0, s0
        call    mpico_boot_run

/* Only before supervisor mode is reached: there is nobody to tell. */
        .balign 4
machine_trap:
        wfi
        j       machine_trap

/* A fault of the program: it does not go on, so nothing is kept. Its stack may be what is wrong. */
        .balign 4
supervisor_trap:
        la      sp, mpico_trap_stack + 4096
        csrr    a0, scause
        csrr    a1, sepc
        csrr    a2, stval
        call    mpico_trap
