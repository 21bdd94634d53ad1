/* image_run.c: what the dynamic loader would do with an image besides loading it: constructors and destructors,
 * symbols, and telling the unwinder of C++ where the frame descriptions of copies are (it asks the loader only for
 * the pattern's).
 */
#include "image_parts.h"

#include <dlfcn.h>
#include <string.h>

typedef void construct_fn(int, char **, char **);
typedef void destruct_fn(void);

static uintptr_t word_at(uintptr_t base, struct elf_range array, uint64_t i)
{
    uintptr_t word;
    memcpy(&word, (const void *)(base + array.at + i * sizeof word), sizeof word);
    return word;
}

/* 0 and -1 mark the ends of arrays of old. */
static int is_function(uintptr_t word) { return word != 0 && word != UINTPTR_MAX; }

static void run_array(uintptr_t base, struct elf_range array, int argc, char **argv, char **envp)
{
    for (uint64_t i = 0; i < array.bytes / sizeof(uintptr_t); i++) {
        uintptr_t f = word_at(base, array, i);
        if (is_function(f))
            ((construct_fn *)f)(argc, argv, envp);
    }
}

void images_construct(struct images *s, int i, int argc, char **argv, char **envp)
{
    run_array(image_bias(s, &s->image[0], i), s->image[0].elf.preinit_array, argc, argv, envp);
    for (int k = 0; k < s->count; k++) {
        const struct image *m = &s->image[s->order[k]];
        uintptr_t base = image_bias(s, m, i);
        if (m->elf.init)
            ((construct_fn *)(base + m->elf.init))(argc, argv, envp);
        run_array(base, m->elf.init_array, argc, argv, envp);
    }
}

void images_destruct(struct images *s, int i)
{
    for (int k = s->count; k-- > 0;) {
        const struct image *m = &s->image[s->order[k]];
        uintptr_t base = image_bias(s, m, i);
        for (uint64_t j = m->elf.fini_array.bytes / sizeof(uintptr_t); j-- > 0;) {
            uintptr_t f = word_at(base, m->elf.fini_array, j);
            if (is_function(f))
                ((destruct_fn *)f)();
        }
        if (m->elf.fini)
            ((destruct_fn *)(base + m->elf.fini))();
    }
}

void *images_symbol(const struct images *s, int i, const char *name)
{
    const struct image *m = &s->image[0];
    uintptr_t at = (uintptr_t)dlsym(m->map, name) - m->bias;
    return at - m->elf.low < m->elf.high - m->elf.low ? (void *)(image_bias(s, m, i) + at) : NULL;
}

void image_frames_plan(struct images *s)
{
    void *h = dlopen("libgcc_s.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (h)
        s->frames_add = (void (*)(void *))dlsym(h, "__register_frame");
}

void image_frames_add(struct images *s, int copy)
{
    for (int k = 0; s->frames_add && k < s->count; k++)
        if (s->image[k].elf.eh_frame)
            s->frames_add((void *)(image_bias(s, &s->image[k], copy) + s->image[k].elf.eh_frame));
}
