/* image_tls.c: thread-local variables of copies. Copies share a thread, and so the places where code looks for them:
 * a program's own lie below the thread pointer, at distances its linker has fixed, in the window that the runner's
 * executable lends; those of its libraries are where the dynamic loader put them for this thread. Whoever runs has
 * them there; of the others they are saved. What the C++ run-time knows of the exceptions being handled is kept the
 * same way, and what OpenMP's knows of the parallel regions that a rank is in, of one thread each.
 */
#include "image_parts.h"

#include <dlfcn.h>
#include <string.h>

/* As compilers call it; no header declares it. */
struct tls_index {
    unsigned long module, offset;
};
extern void *__tls_get_addr(struct tls_index *);

#if defined(__x86_64__)
static char *thread_pointer(void)
{
    char *p;
    __asm__("mov %%fs:0, %0" : "=r"(p));
    return p;
}
#endif

static void *address_of(const struct image_tls *t)
{
    if (t->kind == TLS_OF_EXCEPTIONS)
        return t->exceptions();
#if defined(__x86_64__)
    if (t->kind == TLS_OF_PROGRAM)
        return thread_pointer() - t->below;
#endif
    return __tls_get_addr(&(struct tls_index){t->module, 0});
}

static int plan_program(struct images *s, size_t window_bytes)
{
    struct image *m = &s->image[0];
    struct image_tls *t = &s->tls[s->tls_count++];
#if defined(__x86_64__)
    enum { THREAD_POINTER_ALIGN = 64 };
    uint64_t align = m->elf.tls_align ? m->elf.tls_align : 1, end = m->elf.tls.at + m->elf.tls.bytes;
    if (align > THREAD_POINTER_ALIGN)
        return images_refuse(s, m->file, "its thread-local variables want an alignment of %lu", (unsigned long)align);
    size_t below = (size_t)(((end + align - 1) & -align) - m->elf.tls.at);
    if (below > window_bytes)
        return images_refuse(s, m->file, "it has %zu bytes of thread-local variables; there is room for %zu", below,
                             window_bytes);
    *t = (struct image_tls){.kind = TLS_OF_PROGRAM, .bytes = (size_t)m->elf.tls.bytes, .below = below};
    return 0;
#else
    (void)t;
    (void)window_bytes;
    return images_refuse(s, m->file, "thread-local variables of programs are not supported on this processor");
#endif
}

static int plan_library(struct images *s, int k)
{
    struct image *m = &s->image[k];
    size_t module;
    if (dlinfo(m->map, RTLD_DI_TLS_MODID, &module) || module == 0)
        return images_refuse(s, m->file, "the dynamic loader does not know its thread-local variables");
    s->tls[s->tls_count++] =
        (struct image_tls){.kind = TLS_OF_LIBRARY, .bytes = (size_t)m->elf.tls.bytes, .module = module, .image = k};
    return 0;
}

static void plan_exceptions(struct images *s)
{
    enum { BYTES = 16 }; /* __cxa_eh_globals of the C++ ABI: a pointer and a counter */
    for (int i = 0; i < s->runtimes; i++) {
        void *h = dlopen(s->runtime[i], RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
        void *(*globals)(void) = h ? (void *(*)(void))dlsym(h, "__cxa_get_globals") : NULL;
        if (!globals)
            continue;
        s->tls[s->tls_count++] = (struct image_tls){.kind = TLS_OF_EXCEPTIONS, .bytes = BYTES, .exceptions = globals};
        return;
    }
}

static int find_thread_local(struct dl_phdr_info *info, size_t bytes, void *wanted)
{
    struct image_tls *t = wanted;
    (void)bytes;
    if (info->dlpi_tls_modid != t->module)
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_TLS) {
            t->bytes = info->dlpi_phdr[i].p_memsz;
            t->first = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
            t->first_bytes = info->dlpi_phdr[i].p_filesz;
        }
    return 1;
}

static void plan_regions(struct images *s)
{
    struct image_tls *t = &s->tls[s->tls_count];
    void *h = dlopen("libgomp.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    *t = (struct image_tls){.kind = TLS_OF_RUNTIME};
    if (h && dlinfo(h, RTLD_DI_TLS_MODID, &t->module) == 0 && t->module && dl_iterate_phdr(find_thread_local, t))
        s->tls_count++;
}

int image_tls_plan(struct images *s, size_t window_bytes)
{
    if (s->image[0].elf.tls.bytes && plan_program(s, window_bytes))
        return -1;
    for (int k = 1; k < s->count; k++)
        if (s->image[k].elf.tls.bytes && plan_library(s, k))
            return -1;
    plan_exceptions(s);
    plan_regions(s);
    for (int t = 0; t < s->tls_count; t++)
        s->tls_bytes += s->tls[t].bytes;
    return 0;
}

size_t images_tls_bytes(const struct images *s) { return s->tls_bytes; }

void images_tls_init(const struct images *s, int i, void *save)
{
    char *to = save;
    memset(save, 0, s->tls_bytes);
    for (int t = 0; t < s->tls_count; to += s->tls[t++].bytes) {
        const struct image *m = &s->image[s->tls[t].image];
        if (s->tls[t].kind == TLS_OF_RUNTIME)
            memcpy(to, s->tls[t].first, s->tls[t].first_bytes);
        else if (s->tls[t].kind != TLS_OF_EXCEPTIONS)
            memcpy(to, (const void *)(image_bias(s, m, i) + m->elf.tls.at), (size_t)m->elf.tls_file_bytes);
    }
}

void images_tls_swap(const struct images *s, void *out, const void *in)
{
    char *save = out;
    const char *load = in;
    for (int t = 0; t < s->tls_count; t++) {
        size_t bytes = s->tls[t].bytes;
        void *here = address_of(&s->tls[t]);
        if (save)
            save = (char *)memcpy(save, here, bytes) + bytes;
        if (load) {
            memcpy(here, load, bytes);
            load += bytes;
        }
    }
}
