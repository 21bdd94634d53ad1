/* fake_program.h: programs compiled while a test runs, in a folder that goes when it ends. */
#ifndef FAKE_PROGRAM_H
#define FAKE_PROGRAM_H

#include <stddef.h>

/* From assert-free set-up and tear-down: 0, or negative. */
int program_folder_open(void);
void program_folder_close(void);

/* A file of the folder: its path, valid until the 16th call from now. */
const char *program_path(const char *name);
void program_write(const char *name, const void *bytes, size_t size);
/* All of a file; the caller frees. */
unsigned char *program_read(const char *name, size_t *size);

/* Compile `source` into `name` with `flags` (a shell's words; the folder is the working directory) by the C compiler of this
 * build, or the C++ compiler beside it. 0, or non-zero: it does not know the flags, or there is none. */
int program_build(const char *name, const char *source, const char *flags);
int program_build_cxx(const char *name, const char *source, const char *flags);

#endif
