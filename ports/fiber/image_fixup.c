/* image_fixup.c: see image_fixup.h. The relocations of the file name the words; what the dynamic loader wrote there
 * tells whether they point into the pattern or out of it (to the C library: those stay). Invariant: each word is in
 * the list once, and lies in a writable load.
 */
#include "image_fixup.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
enum fixup_kind image_fixup_kind(const Elf64_Rela *r)
{
    switch (ELF64_R_TYPE(r->r_info)) {
    case R_X86_64_NONE:
    case R_X86_64_SIZE64:
        return FIXUP_NOTHING;
    case R_X86_64_RELATIVE:
        return FIXUP_OWN;
    case R_X86_64_64:
    case R_X86_64_GLOB_DAT:
    case R_X86_64_JUMP_SLOT:
        return FIXUP_SYMBOL;
    case R_X86_64_IRELATIVE:
        return FIXUP_FUNCTION;
    case R_X86_64_COPY:
        return FIXUP_COPY;
    case R_X86_64_DTPMOD64:
    case R_X86_64_DTPOFF64:
    case R_X86_64_TPOFF64:
    case R_X86_64_TLSDESC:
        return FIXUP_TLS;
    default:
        return FIXUP_UNKNOWN;
    }
}
#elif defined(__aarch64__)
enum fixup_kind image_fixup_kind(const Elf64_Rela *r)
{
    switch (ELF64_R_TYPE(r->r_info)) {
    case R_AARCH64_NONE:
        return FIXUP_NOTHING;
    case R_AARCH64_RELATIVE:
        return FIXUP_OWN;
    case R_AARCH64_ABS64:
    case R_AARCH64_GLOB_DAT:
    case R_AARCH64_JUMP_SLOT:
        return FIXUP_SYMBOL;
    case R_AARCH64_IRELATIVE:
        return FIXUP_FUNCTION;
    case R_AARCH64_COPY:
        return FIXUP_COPY;
    case R_AARCH64_TLS_DTPMOD:
    case R_AARCH64_TLS_DTPREL:
    case R_AARCH64_TLS_TPREL:
    case R_AARCH64_TLSDESC:
        return FIXUP_TLS;
    default:
        return FIXUP_UNKNOWN;
    }
}
#endif

struct finding {
    struct images *set;
    struct image *image;
    size_t room;
};

static uint64_t pattern_word(const struct image *m, uint64_t at)
{
    uint64_t value;
    memcpy(&value, (const void *)(m->bias + at), sizeof value);
    return value;
}

static int add(struct finding *f, uint64_t at, int target)
{
    struct image *m = f->image;
    if (target < 0)
        return 0;
    if (m->fixups == f->room) {
        f->room = f->room ? 2 * f->room : 256;
        struct image_fixup *more = realloc(m->fixup, f->room * sizeof *more);
        if (!more)
            return images_refuse(f->set, m->file, "no memory");
        m->fixup = more;
    }
    m->fixup[m->fixups++] = (struct image_fixup){at, target};
    return 0;
}

/* Is it in a writable load, and will copies have its contents? Negative after a refusal. */
static int has_place(struct finding *f, uint64_t at, uint64_t bytes)
{
    const struct elf *e = &f->image->elf;
    int l = elf_load_of(e, at, bytes);
    if (l < 0 || !e->load[l].writable)
        return images_refuse(f->set, f->image->file, "its code holds addresses; compile all of it with -fPIE or -fPIC");
    return elf_at(e, at, bytes) ? 0 : image_save(f->set, f->image, at, bytes);
}

/* Nothing tells which words of a copied variable are pointers, but one that points into the pattern is no accident. */
static int add_copied(struct finding *f, uint64_t at, uint64_t symbol)
{
    Elf64_Sym sym;
    if (elf_symbol(&f->image->elf, symbol, &sym))
        return images_refuse(f->set, f->image->file, "it is damaged: a symbol is not in the file");
    if (sym.st_size == 0)
        return 0;
    if (has_place(f, at, sym.st_size))
        return -1;
    for (uint64_t word = (at + 7) & ~(uint64_t)7; word + 8 <= at + sym.st_size; word += 8)
        if (add(f, word, image_of(f->set, pattern_word(f->image, word))))
            return -1;
    return 0;
}

/* A library reaches the program's thread-local variables through the dynamic loader, the program itself by their
 * distance from the thread pointer: as a pattern these are two places. */
static int check_tls(struct finding *f, uint64_t symbol)
{
    const struct image *program = &f->set->image[0];
    Elf64_Sym sym;
    if (f->image == program || symbol == 0 || elf_symbol(&f->image->elf, symbol, &sym) || sym.st_shndx != SHN_UNDEF)
        return 0;
    const char *name = elf_string(&f->image->elf, sym.st_name);
    void *block, *variable = name && program->elf.tls.bytes ? dlsym(program->map, name) : NULL;
    if (!variable || dlinfo(program->map, RTLD_DI_TLS_DATA, &block) || !block)
        return 0;
    if ((uintptr_t)variable - (uintptr_t)block < program->elf.tls.bytes)
        return images_refuse(f->set, f->image->file, "it uses a thread-local variable of the program, %s", name);
    return 0;
}

static int add_relocation(struct finding *f, const Elf64_Rela *r)
{
    struct image *m = f->image;
    enum fixup_kind kind = image_fixup_kind(r);
    uint64_t value;
    switch (kind) {
    case FIXUP_NOTHING:
        return 0;
    case FIXUP_TLS:
        return check_tls(f, ELF64_R_SYM(r->r_info));
    case FIXUP_COPY:
        return add_copied(f, r->r_offset, ELF64_R_SYM(r->r_info));
    case FIXUP_UNKNOWN:
        return images_refuse(f->set, m->file, "it holds a relocation of type %u", (unsigned)ELF64_R_TYPE(r->r_info));
    default:
        break;
    }
    if (has_place(f, r->r_offset, 8))
        return -1;
    if (kind == FIXUP_OWN)
        return add(f, r->r_offset, (int)(m - f->set->image));
    /* Without the addend, as an address past the end of one image may lie in the next. */
    value = pattern_word(m, r->r_offset) - (kind == FIXUP_SYMBOL ? (uint64_t)r->r_addend : 0);
    return add(f, r->r_offset, image_of(f->set, value));
}

static int add_table(struct finding *f, struct elf_range table)
{
    for (uint64_t at = 0; at + sizeof(Elf64_Rela) <= table.bytes; at += sizeof(Elf64_Rela)) {
        Elf64_Rela r;
        memcpy(&r, elf_at(&f->image->elf, table.at + at, sizeof r), sizeof r);
        if (add_relocation(f, &r))
            return -1;
    }
    return 0;
}

static int add_own(struct finding *f, uint64_t at)
{
    return has_place(f, at, 8) ? -1 : add(f, at, (int)(f->image - f->set->image));
}

/* DT_RELR: an even entry is the address of a word; the bits of an odd one stand for the 63 words that follow. */
static int add_packed(struct finding *f, struct elf_range table)
{
    uint64_t next = 0;
    for (uint64_t at = 0; at + 8 <= table.bytes; at += 8) {
        uint64_t entry;
        memcpy(&entry, elf_at(&f->image->elf, table.at + at, 8), sizeof entry);
        if (!(entry & 1)) {
            if (add_own(f, entry))
                return -1;
            next = entry + 8;
            continue;
        }
        for (unsigned bit = 1; bit < 64; bit++)
            if ((entry >> bit & 1) && add_own(f, next + 8 * (uint64_t)(bit - 1)))
                return -1;
        next += 63 * 8;
    }
    return 0;
}

static int by_place(const void *a, const void *b)
{
    const struct image_fixup *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

/* A word named twice (tables may overlap) must not move twice. */
static void sort_out(struct image *m)
{
    size_t kept = 0;
    if (m->fixups)
        qsort(m->fixup, m->fixups, sizeof *m->fixup, by_place);
    for (size_t i = 0; i < m->fixups; i++)
        if (kept == 0 || m->fixup[kept - 1].at != m->fixup[i].at)
            m->fixup[kept++] = m->fixup[i];
    m->fixups = kept;
}

int image_fixup_find(struct images *s, struct image *m)
{
    struct finding f = {.set = s, .image = m};
    if (add_packed(&f, m->elf.relr) || add_table(&f, m->elf.rela) || add_table(&f, m->elf.plt_rela))
        return -1;
    sort_out(m);
    return 0;
}
