/* image_elf.c: see image_elf.h. The file comes from outside and may be cut short or damaged. Invariant: after
 * elf_read() has returned 0, every load lies inside the file, and whatever else is looked up goes through elf_at(),
 * which checks it. Tables are copied out entry by entry, as nothing promises their alignment.
 */
#include "image_elf.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__)
enum { MACHINE = EM_X86_64 };
#elif defined(__aarch64__)
enum { MACHINE = EM_AARCH64 };
#endif

/* User addresses have 47 bits; so has everything that is added to one here without looking for overflow. */
static const uint64_t ADDRESS_END = (uint64_t)1 << 46;

/* An unknown tag of the system's range, which loaders skip. */
static const int64_t TAG_SKIPPED = 0x60000010;

static int refuse(char *why, size_t room, const char *sentence)
{
    snprintf(why, room, "%s", sentence);
    return -1;
}

static int within(uint64_t at, uint64_t bytes, uint64_t start, uint64_t length)
{
    return at >= start && bytes <= length && at - start <= length - bytes;
}

static int get(const struct elf *e, uint64_t offset, void *to, size_t bytes)
{
    if (!within(offset, bytes, 0, e->size))
        return -1;
    memcpy(to, e->bytes + offset, bytes);
    return 0;
}

int elf_load_of(const struct elf *e, uint64_t at, uint64_t bytes)
{
    for (int i = 0; i < e->loads; i++)
        if (within(at, bytes, e->load[i].at, e->load[i].bytes))
            return i;
    return -1;
}

void *elf_at(const struct elf *e, uint64_t at, uint64_t bytes)
{
    for (int i = 0; i < e->loads; i++) {
        const struct elf_load *l = &e->load[i];
        if (within(at, bytes, l->at, l->file_bytes))
            return e->bytes + l->offset + (at - l->at);
    }
    return NULL;
}

const char *elf_string(const struct elf *e, uint64_t offset)
{
    if (offset >= e->strings.bytes)
        return NULL;
    const char *s = elf_at(e, e->strings.at, e->strings.bytes);
    return s && memchr(s + offset, 0, e->strings.bytes - offset) ? s + offset : NULL;
}

int elf_symbol(const struct elf *e, uint64_t k, Elf64_Sym *s)
{
    const void *p = k < UINT32_MAX ? elf_at(e, e->symbols + k * sizeof *s, sizeof *s) : NULL;
    if (p)
        memcpy(s, p, sizeof *s);
    return p ? 0 : -1;
}

static int check_header(const struct elf *e, Elf64_Ehdr *h, char *why, size_t room)
{
    if (e->size >= 2 && !memcmp(e->bytes, "#!", 2))
        return refuse(why, room, "it is a script; name the program that the script would start");
    if (get(e, 0, h, sizeof *h) || memcmp(h->e_ident, ELFMAG, SELFMAG))
        return refuse(why, room, "it is no ELF executable");
    if (h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_ident[EI_DATA] != ELFDATA2LSB || h->e_machine != MACHINE)
        return refuse(why, room, "it was compiled for another kind of processor");
    if (h->e_type == ET_EXEC)
        return refuse(why, room,
                      "it has to stay at one address; link it as a position-independent executable (-fPIE -pie, the "
                      "default of mpicc)");
    if (h->e_type != ET_DYN || h->e_phentsize != sizeof(Elf64_Phdr))
        return refuse(why, room, "it is no executable");
    return 0;
}

static int add_load(struct elf *e, const Elf64_Phdr *p, char *why, size_t room)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    if (p->p_memsz == 0)
        return 0;
    if ((p->p_flags & PF_W) && (p->p_flags & PF_X))
        return refuse(why, room, "its code is writable");
    if (e->loads == ELF_LOADS_MAX || p->p_filesz > p->p_memsz || p->p_vaddr >= ADDRESS_END ||
        p->p_memsz >= ADDRESS_END || !within(p->p_offset, p->p_filesz, 0, e->size))
        return refuse(why, room, "it is damaged: a segment reaches beyond the file");
    if ((p->p_vaddr - p->p_offset) % page || (e->loads && (p->p_vaddr & -page) < e->high))
        return refuse(why, room, "its segments share pages; link it without -z max-page-size");
    if (e->loads == 0)
        e->low = p->p_vaddr & -page;
    e->high = (p->p_vaddr + p->p_memsz + page - 1) & -page;
    uint64_t align = p->p_align & -p->p_align;
    e->align = align > e->align ? align : e->align;
    e->load[e->loads++] = (struct elf_load){p->p_vaddr, p->p_memsz, p->p_offset, p->p_filesz, !!(p->p_flags & PF_W)};
    return 0;
}

/* The table of frame descriptions, if it ends with a zero as it must for a registered one: an unwinder walks it to
 * there. */
static uint64_t eh_frame_of(const struct elf *e, uint64_t header)
{
    enum { ENCODING = 0x1b }; /* 4 bytes, relative to themselves */
    const uint8_t *h = elf_at(e, header, 8);
    int32_t distance;
    if (!h || h[0] != 1 || h[1] != ENCODING)
        return 0;
    memcpy(&distance, h + 4, sizeof distance);
    uint64_t start = header + 4 + (uint64_t)(int64_t)distance;
    for (uint64_t at = start;;) {
        const uint8_t *p = elf_at(e, at, 4);
        uint32_t bytes;
        if (!p)
            return 0;
        memcpy(&bytes, p, sizeof bytes);
        if (bytes == 0)
            return start;
        if (bytes == UINT32_MAX)
            return 0;
        at += 4 + (uint64_t)bytes;
    }
}

static int add_segment(struct elf *e, const Elf64_Phdr *p, uint64_t *eh_header, char *why, size_t room)
{
    switch (p->p_type) {
    case PT_LOAD:
        return add_load(e, p, why, room);
    case PT_DYNAMIC:
        e->dynamic = (struct elf_range){p->p_vaddr, p->p_filesz};
        return 0;
    case PT_GNU_EH_FRAME:
        *eh_header = p->p_vaddr;
        return 0;
    case PT_GNU_STACK:
        return p->p_flags & PF_X ? refuse(why, room, "it wants to run code on its stack (a nested function?)") : 0;
    case PT_TLS:
        e->tls = (struct elf_range){p->p_vaddr, p->p_memsz};
        e->tls_file_bytes = p->p_filesz;
        e->tls_align = p->p_align & -p->p_align;
        return 0;
    default:
        return 0;
    }
}

static int read_segments(struct elf *e, const Elf64_Ehdr *h, enum elf_role role, char *why, size_t room)
{
    uint64_t eh_header = 0;
    int interpreted = 0;
    for (unsigned i = 0; i < h->e_phnum; i++) {
        Elf64_Phdr p;
        if (!within(h->e_phoff, 0, 0, e->size) || get(e, h->e_phoff + i * sizeof p, &p, sizeof p))
            return refuse(why, room, "it is damaged: its program headers are not in the file");
        interpreted |= p.p_type == PT_INTERP;
        if (add_segment(e, &p, &eh_header, why, room))
            return -1;
    }
    if (role == ELF_PROGRAM && (!interpreted || e->dynamic.bytes == 0))
        return refuse(why, room, "it is statically linked, or a library; link it without -static");
    if (e->loads == 0 || e->dynamic.bytes == 0 || !elf_at(e, e->dynamic.at, e->dynamic.bytes))
        return refuse(why, room, "it is damaged: it has no dynamic section");
    if (e->tls.bytes &&
        (e->tls.bytes >= ADDRESS_END || e->tls_file_bytes > e->tls.bytes || !elf_at(e, e->tls.at, e->tls_file_bytes)))
        return refuse(why, room, "it is damaged: its thread-local variables are not in the file");
    e->entry = h->e_entry;
    e->eh_frame = eh_header ? eh_frame_of(e, eh_header) : 0;
    return 0;
}

/* The i-th dynamic entry; negative after the last. */
static int dynamic(const struct elf *e, size_t i, Elf64_Dyn *d)
{
    const void *p = i < e->dynamic.bytes / sizeof *d ? elf_at(e, e->dynamic.at + i * sizeof *d, sizeof *d) : NULL;
    if (!p)
        return -1;
    memcpy(d, p, sizeof *d);
    return d->d_tag == DT_NULL ? -1 : 0;
}

static uint64_t *field_of(struct elf *e, int64_t tag)
{
    switch (tag) {
    case DT_STRTAB:
        return &e->strings.at;
    case DT_STRSZ:
        return &e->strings.bytes;
    case DT_SYMTAB:
        return &e->symbols;
    case DT_VERNEED:
        return &e->versions_needed;
    case DT_VERNEEDNUM:
        return &e->versions_needed_count;
    case DT_RELA:
        return &e->rela.at;
    case DT_RELASZ:
        return &e->rela.bytes;
    case DT_JMPREL:
        return &e->plt_rela.at;
    case DT_PLTRELSZ:
        return &e->plt_rela.bytes;
    case DT_RELR:
        return &e->relr.at;
    case DT_RELRSZ:
        return &e->relr.bytes;
    case DT_INIT:
        return &e->init;
    case DT_FINI:
        return &e->fini;
    case DT_PREINIT_ARRAY:
        return &e->preinit_array.at;
    case DT_PREINIT_ARRAYSZ:
        return &e->preinit_array.bytes;
    case DT_INIT_ARRAY:
        return &e->init_array.at;
    case DT_INIT_ARRAYSZ:
        return &e->init_array.bytes;
    case DT_FINI_ARRAY:
        return &e->fini_array.at;
    case DT_FINI_ARRAYSZ:
        return &e->fini_array.bytes;
    default:
        return NULL;
    }
}

static int table_is_there(const struct elf *e, struct elf_range r) { return r.bytes == 0 || elf_at(e, r.at, r.bytes); }

static int read_dynamic(struct elf *e, char *why, size_t room)
{
    Elf64_Dyn d;
    int text = 0, rel = 0;
    for (size_t i = 0; dynamic(e, i, &d) == 0; i++) {
        uint64_t *field = field_of(e, d.d_tag);
        if (field)
            *field = d.d_un.d_val;
        text |= d.d_tag == DT_TEXTREL || (d.d_tag == DT_FLAGS && (d.d_un.d_val & DF_TEXTREL));
        rel |= d.d_tag == DT_REL || (d.d_tag == DT_PLTREL && d.d_un.d_val != DT_RELA);
    }
    if (text)
        return refuse(why, room, "its code holds addresses; compile all of it with -fPIE or -fPIC");
    if (rel)
        return refuse(why, room, "it holds relocations of an unknown kind");
    if (!table_is_there(e, e->strings) || !table_is_there(e, e->rela) || !table_is_there(e, e->plt_rela) ||
        !table_is_there(e, e->relr) || !table_is_there(e, e->preinit_array) || !table_is_there(e, e->init_array) ||
        !table_is_there(e, e->fini_array))
        return refuse(why, room, "it is damaged: a table is not in the file");
    return 0;
}

int elf_read(struct elf *e, uint8_t *bytes, size_t size, enum elf_role role, char *why, size_t room)
{
    Elf64_Ehdr h;
    *e = (struct elf){.bytes = bytes, .size = size, .align = (uint64_t)sysconf(_SC_PAGESIZE)};
    if (check_header(e, &h, why, room) || read_segments(e, &h, role, why, room))
        return -1;
    return read_dynamic(e, why, room);
}

const char *elf_needed(const struct elf *e, size_t k)
{
    Elf64_Dyn d;
    for (size_t i = 0; dynamic(e, i, &d) == 0; i++) {
        const char *name = d.d_tag == DT_NEEDED ? elf_string(e, d.d_un.d_val) : NULL;
        if (name && k-- == 0)
            return name;
    }
    return NULL;
}

static int runs_something(int64_t tag)
{
    return tag == DT_INIT || tag == DT_FINI || tag == DT_INIT_ARRAY || tag == DT_INIT_ARRAYSZ || tag == DT_FINI_ARRAY ||
           tag == DT_FINI_ARRAYSZ || tag == DT_PREINIT_ARRAY || tag == DT_PREINIT_ARRAYSZ;
}

void elf_quiet(struct elf *e)
{
    Elf64_Dyn d;
    for (size_t i = 0; dynamic(e, i, &d) == 0; i++) {
        if (d.d_tag == DT_FLAGS_1)
            d.d_un.d_val &= ~(uint64_t)(DF_1_PIE | DF_1_NOOPEN);
        else if (runs_something(d.d_tag))
            d.d_tag = TAG_SKIPPED;
        memcpy(elf_at(e, e->dynamic.at + i * sizeof d, sizeof d), &d, sizeof d);
    }
}

static void overwrite(const struct elf *e, uint64_t offset, const char *to)
{
    char *s = elf_at(e, e->strings.at, e->strings.bytes);
    memcpy(s + offset, to, strlen(to) + 1);
}

/* The tables of symbol versions name libraries too, mostly by the same string. */
static void rename_versions(struct elf *e, const char *from, const char *to)
{
    uint64_t at = e->versions_needed;
    for (uint64_t k = 0; k < e->versions_needed_count; k++) {
        Elf64_Verneed v;
        const void *p = elf_at(e, at, sizeof v);
        if (!p)
            return;
        memcpy(&v, p, sizeof v);
        const char *name = elf_string(e, v.vn_file);
        if (name && !strcmp(name, from))
            overwrite(e, v.vn_file, to);
        if (v.vn_next == 0)
            return;
        at += v.vn_next;
    }
}

int elf_rename_needed(struct elf *e, const char *from, const char *to)
{
    char old[4096];
    Elf64_Dyn d;
    size_t length = strlen(from);
    if (strlen(to) > length || length >= sizeof old)
        return -1;
    memcpy(old, from, length + 1); /* it may be the string that goes */
    for (size_t i = 0; dynamic(e, i, &d) == 0; i++) {
        const char *name = d.d_tag == DT_NEEDED ? elf_string(e, d.d_un.d_val) : NULL;
        if (name && !strcmp(name, old))
            overwrite(e, d.d_un.d_val, to);
    }
    rename_versions(e, old, to);
    return 0;
}
