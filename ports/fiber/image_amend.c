/* image_amend.c: the pattern as a process of its own would have it. The dynamic loader has bound it as a library among
 * others, which differs in two ways:
 * - Variables of libraries that the linker has placed in the program (copy relocations, as std::cout) begin with the
 *   library's contents. The loader copies them only for what it started as the executable; for ours it finds the
 *   program's own, still zero. Those of libraries that the process had before are found there, and right.
 * - What the program or a library of its own defines comes before that name in the C library or libmpi_abi (a tool's
 *   MPI_Send, say); here those were there first. The functions of the heap stay theirs: all have to share one.
 * And one function of C++ means something else where a process is shared.
 */
#include "image_parts.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "image_fixup.h"

/* The library's own, NULL if the process had it before. A library's handle does not lead to the program. */
static const void *lender(const struct images *s, const char *name)
{
    const void *p = NULL;
    if (dlsym(RTLD_DEFAULT, name))
        return NULL;
    for (int k = 1; !p && k < s->count; k++)
        p = dlsym(s->image[k].map, name);
    for (int i = 0; !p && i < s->runtimes; i++) {
        void *h = dlopen(s->runtime[i], RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
        p = h ? dlsym(h, name) : NULL;
    }
    return p;
}

/* Constants are write-protected by now. They stay writable, as in all other copies. */
static int allow_writing(struct images *s, const struct image *m, void *to, size_t bytes)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)to & -page;
    if (mprotect((void *)start, (uintptr_t)to + bytes - start, PROT_READ | PROT_WRITE))
        return images_refuse(s, m->file, "its pages cannot be written: %s", strerror(errno));
    return 0;
}

static int borrow(struct images *s, const struct image *m, const Elf64_Rela *r)
{
    Elf64_Sym symbol;
    if (elf_symbol(&m->elf, ELF64_R_SYM(r->r_info), &symbol))
        symbol = (Elf64_Sym){.st_name = UINT32_MAX};
    int load = elf_load_of(&m->elf, r->r_offset, symbol.st_size);
    const char *name = elf_string(&m->elf, symbol.st_name);
    if (!name || load < 0 || !m->elf.load[load].writable)
        return images_refuse(s, m->file, "it is damaged: a variable of a library has no place");
    const void *from = lender(s, name);
    void *to = (void *)(m->bias + r->r_offset);
    if (!from || from == to)
        return 0;
    if (allow_writing(s, m, to, symbol.st_size))
        return -1;
    memcpy(to, from, symbol.st_size);
    return 0;
}

static int is_of_the_heap(const char *name)
{
    static const char *const names[] = {"malloc",   "calloc",         "realloc",       "free",
                                        "memalign", "posix_memalign", "aligned_alloc", "valloc",
                                        "pvalloc",  "reallocarray",   "cfree",         "malloc_usable_size"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], name))
            return 1;
    return 0;
}

/* std::ios::sync_with_stdio(false) would make new streams in the library and leave those that programs have taken over
 * with buffers that are gone. Streams that stay as they are break no promise. */
static int stay_with_stdio(int sync)
{
    (void)sync;
    return 1;
}

static uint64_t address_of(const struct images *s, const char *name)
{
    if (!strcmp(name, "_ZNSt8ios_base15sync_with_stdioEb"))
        return (uint64_t)(uintptr_t)stay_with_stdio;
    /* This looks in the program, its libraries, and theirs, in the order of a process of its own. */
    uint64_t own = *name && !is_of_the_heap(name) ? (uint64_t)dlsym(s->image[0].map, name) : 0;
    return image_of(s, own) < 0 ? (uint64_t)(uintptr_t)images_private(s, 0, name) : own;
}

/* A word bound to something outside the images: bind it to what a process of its own would. */
static int rebind(struct images *s, const struct image *m, const Elf64_Rela *r)
{
    Elf64_Sym symbol;
    void *word = (void *)(m->bias + r->r_offset);
    uint64_t bound;
    int load = elf_load_of(&m->elf, r->r_offset, sizeof bound);
    if (load < 0 || !m->elf.load[load].writable || elf_symbol(&m->elf, ELF64_R_SYM(r->r_info), &symbol))
        return 0;
    memcpy(&bound, word, sizeof bound);
    bound -= (uint64_t)r->r_addend;
    const char *name = image_of(s, bound) < 0 ? elf_string(&m->elf, symbol.st_name) : NULL;
    uint64_t own = name ? address_of(s, name) : 0;
    if (own == 0 || own == bound)
        return 0;
    if (allow_writing(s, m, word, sizeof own))
        return -1;
    own += (uint64_t)r->r_addend;
    memcpy(word, &own, sizeof own);
    return 0;
}

static int amend_table(struct images *s, const struct image *m, struct elf_range table)
{
    for (uint64_t at = 0; at + sizeof(Elf64_Rela) <= table.bytes; at += sizeof(Elf64_Rela)) {
        Elf64_Rela r;
        memcpy(&r, elf_at(&m->elf, table.at + at, sizeof r), sizeof r);
        enum fixup_kind kind = image_fixup_kind(&r);
        if ((kind == FIXUP_COPY && borrow(s, m, &r)) || (kind == FIXUP_SYMBOL && rebind(s, m, &r)))
            return -1;
    }
    return 0;
}

int image_amend(struct images *s)
{
    if (images_symbol(s, 0, "malloc") || images_symbol(s, 0, "free"))
        return images_refuse(s, s->image[0].file, "it brings its own malloc; link it without");
    for (int k = 0; k < s->count; k++)
        if (amend_table(s, &s->image[k], s->image[k].elf.rela) ||
            amend_table(s, &s->image[k], s->image[k].elf.plt_rela))
            return -1;
    return 0;
}
