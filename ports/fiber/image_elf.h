/* image_elf.h: an ELF file from outside, in memory: read with every bound checked, and edited so that the dynamic
 * loader takes a program for a library and runs nothing of it. Addresses are those the linker gave (offsets from the
 * load bias).
 */
#ifndef MPICO_FIBER_IMAGE_ELF_H
#define MPICO_FIBER_IMAGE_ELF_H

#include <elf.h>
#include <stddef.h>
#include <stdint.h>

enum elf_role { ELF_PROGRAM, ELF_LIBRARY };

struct elf_range {
    uint64_t at, bytes;
};

/* A PT_LOAD. */
struct elf_load {
    uint64_t at, bytes;          /* in memory */
    uint64_t offset, file_bytes; /* in the file */
    int writable;
};

enum { ELF_LOADS_MAX = 16 };

struct elf {
    uint8_t *bytes; /* the file; the caller's */
    size_t size;
    int loads; /* ascending, no two of them on one page */
    struct elf_load load[ELF_LOADS_MAX];
    uint64_t low, high; /* all of them, in whole pages */
    uint64_t align;     /* at least a page */
    uint64_t entry;
    uint64_t eh_frame; /* 0: none, or none that can be given to an unwinder */
    struct elf_range dynamic, strings, rela, plt_rela, relr;
    uint64_t symbols, versions_needed, versions_needed_count;
    struct elf_range tls; /* the whole block, of which: */
    uint64_t tls_file_bytes, tls_align;
    /* Taken out of the edited file. */
    uint64_t init, fini; /* 0: none */
    struct elf_range preinit_array, init_array, fini_array;
};

/* Understand a file. 0, or negative with a sentence about "it" in `why`: what it is that cannot work here. */
int elf_read(struct elf *, uint8_t *bytes, size_t size, enum elf_role, char *why, size_t room);

/* Edit the file in memory: no flag that forbids dlopen(), no constructors and destructors. `struct elf` keeps them. */
void elf_quiet(struct elf *);

/* The library of its k-th DT_NEEDED; NULL after the last. In the file's memory, as all strings here. */
const char *elf_needed(const struct elf *, size_t k);
/* Edit: ask for `to` wherever the file asks for the library `from`. Negative: the name is too short to be replaced. */
int elf_rename_needed(struct elf *, const char *from, const char *to);

/* File contents at an address; NULL if not all `bytes` of it are in the file. */
void *elf_at(const struct elf *, uint64_t at, uint64_t bytes);
/* A string of the dynamic string table; NULL if there is none at `offset`. */
const char *elf_string(const struct elf *, uint64_t offset);
/* The k-th entry of the dynamic symbol table. 0, or negative: not in the file. */
int elf_symbol(const struct elf *, uint64_t k, Elf64_Sym *);
/* Which load holds all of the range; -1: none. */
int elf_load_of(const struct elf *, uint64_t at, uint64_t bytes);

#endif
