/* image.h: one program many times in one process, each with globals of its own.
 *
 * The program (a position-independent executable) and those shared libraries that belong to it alone are loaded once by
 * the dynamic loader, without running their constructors. That first image, relocated and untouched, is the pattern of
 * all copies: a copy is the same bytes at another place, in which every relocated word that points into the pattern
 * is moved along. Copy 0 is the pattern itself, so that a debugger knows it.
 * The C library, the libraries of the compiler and libmpi_abi are there once for all.
 */
#ifndef MPICO_FIBER_IMAGE_H
#define MPICO_FIBER_IMAGE_H

#include <stddef.h>
#include <stdint.h>

struct images;

/* Load `program` (found as execvp does) as a pattern for `copies` copies. The main executable lends programs a window for
 * their thread-local variables, `window_bytes` that end at the thread pointer itself. NULL with a sentence in `why`: not
 * an executable, static, not position-independent (it says how to compile), an unknown architecture, too many
 * thread-local variables, no memory. Not thread-safe; it changes the working directory and comes back. */
struct images *images_load(const char *program, int copies, size_t window_bytes, char *why, size_t room);

/* Make copy `i` (0 <= i < copies): memory and relocation; no code of it runs. 0, or negative: no memory. */
int images_make(struct images *, int i);

/* Run the constructors of copy `i`, of libraries before those that need them; in the copy's own context (its
 * stack, its thread-local storage swapped in). And the destructors, in the opposite order. */
void images_construct(struct images *, int i, int argc, char **argv, char **envp);
void images_destruct(struct images *, int i);

/* Where copy `i` starts: the entry point of its ELF file (_start), to be entered as the kernel does. */
void *images_entry(const struct images *, int i);

/* Thread-local variables of the copies: `bytes` to keep for each copy while it does not run (0: there are none), the
 * initial contents (copy `i` must be made), and the exchange at a switch (`out` of the copy that ran or NULL, `in` of
 * the one that will run or NULL). What C++ knows of exceptions in flight belongs to them. A copy stays on one thread. */
size_t images_tls_bytes(const struct images *);
void images_tls_init(const struct images *, int i, void *save);
void images_tls_swap(const struct images *, void *out, const void *in);

/* Where copy `i` has what the program itself exports as `name` (a variable or function); NULL if it does not. */
void *images_symbol(const struct images *, int i, const char *name);

/* The variable of the C library of this name that copy `i` has itself (image_private.c): in the program if the linker
 * has moved it there; NULL if there is no such variable. Constructors find them as the C library's were when the program was
 * loaded. */
void *images_private(const struct images *, int i, const char *name);

/* Which copy does `address` belong to (-1: none), and what file and offset (the address for addr2line) is it? */
int images_find(const struct images *, uintptr_t address, const char **file, uintptr_t *offset);

#endif
