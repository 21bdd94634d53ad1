/* image_copy.c: copies of the pattern, see image_parts.h for their places. The plan is made once, before anything of
 * the pattern has run: which pages are alike in all copies, what the others hold at first, and which words move.
 * Invariant: after the plan nothing is read from the pattern any more, as copy 0 runs in it.
 * Copies lie close together, without holes, because a hole is a mapping too and a process may have 65,530.
 */
#include "image_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "image_fixup.h"

uintptr_t image_bias(const struct images *s, const struct image *m, int copy)
{
    if (copy == 0)
        return m->bias;
    return (uintptr_t)s->slab + (size_t)(copy - 1) * s->stride + m->place - m->elf.low;
}

/* Neighbours of one kind are one part, holes included. */
static void plan_parts(struct image *m)
{
    const struct elf *e = &m->elf;
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    for (int l = 0; l < e->loads; l++) {
        struct image_part *last = m->parts ? &m->part[m->parts - 1] : NULL;
        uint64_t start = e->load[l].at & -page;
        if (last)
            last->bytes = start - last->at;
        if (!last || last->writable != e->load[l].writable)
            m->part[m->parts++] = (struct image_part){.at = start, .writable = e->load[l].writable};
        last = &m->part[m->parts - 1];
        last->bytes = e->high - last->at;
    }
}

int image_save(struct images *s, struct image *m, uint64_t at, uint64_t bytes)
{
    struct image_saved *more = realloc(m->saved, (m->saveds + 1) * sizeof *more);
    if (more)
        m->saved = more;
    uint8_t *contents = more ? malloc(bytes + 1) : NULL;
    if (!contents)
        return images_refuse(s, m->file, "no memory");
    memcpy(contents, (const void *)(m->bias + at), bytes);
    m->saved[m->saveds++] = (struct image_saved){at, bytes, contents};
    return 0;
}

static int plan_image(struct images *s, struct image *m)
{
    for (int l = 0; l < m->elf.loads; l++) {
        const struct elf_load *load = &m->elf.load[l];
        if (load->writable && image_save(s, m, load->at, load->file_bytes))
            return -1;
    }
    plan_parts(m);
    return image_fixup_find(s, m);
}

/* Images one after the other, each aligned as its file asks, and each last part up to the next image. */
static uint64_t plan_places(struct images *s)
{
    uint64_t end = 0, align = 1;
    for (int k = 0; k < s->count; k++) {
        struct image *m = &s->image[k];
        m->place = end + ((m->elf.low - end) & (m->elf.align - 1));
        end = m->place + (m->elf.high - m->elf.low);
        align = m->elf.align > align ? m->elf.align : align;
    }
    end = (end + align - 1) & -align;
    for (int k = 0; k < s->count; k++) {
        struct image *m = &s->image[k];
        struct image_part *last = &m->part[m->parts - 1];
        uint64_t next = k + 1 < s->count ? s->image[k + 1].place : end;
        last->bytes = next - m->place - (last->at - m->elf.low);
    }
    s->stride = end;
    return align;
}

static int write_all(int fd, const uint8_t *bytes, size_t size, uint64_t offset)
{
    while (size > 0) {
        ssize_t n = pwrite(fd, bytes, size, (off_t)offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return -1;
        bytes += n;
        offset += (uint64_t)n;
        size -= (size_t)n;
    }
    return 0;
}

static int write_layout(struct images *s)
{
    s->layout = image_memory_file("copies");
    if (s->layout < 0 || ftruncate(s->layout, (off_t)s->stride))
        return images_refuse(s, s->image[0].file, "no memory");
    for (int k = 0; k < s->count; k++)
        for (int l = 0; l < s->image[k].elf.loads; l++) {
            const struct image *m = &s->image[k];
            const struct elf_load *load = &m->elf.load[l];
            if (!load->writable &&
                write_all(s->layout, m->elf.bytes + load->offset, load->file_bytes, m->place + (load->at - m->elf.low)))
                return images_refuse(s, m->file, "no memory");
        }
    return 0;
}

static int check_mappings(struct images *s)
{
    enum { OTHERS = 1000 }; /* of the process itself */
    long most = 65530, parts = 0;
    FILE *f = fopen("/proc/sys/vm/max_map_count", "re");
    if (f) {
        if (fscanf(f, "%ld", &most) != 1)
            most = 65530;
        fclose(f);
    }
    for (int k = 0; k < s->count; k++)
        parts += s->image[k].parts;
    if (parts * s->copies + OTHERS <= most)
        return 0;
    return images_refuse(
        s, s->image[0].file,
        "%d copies of it and its %d libraries need %ld mappings, and sysctl vm.max_map_count allows %ld", s->copies,
        s->count - 1, parts * s->copies + OTHERS, most);
}

static int reserve(struct images *s, uint64_t align)
{
    size_t most = (size_t)1 << 46, copies = (size_t)s->copies - 1;
    void *p = MAP_FAILED;
    if (s->stride < most / (copies + 1) && align < most)
        p = mmap(NULL, copies * s->stride + align, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return images_refuse(s, s->image[0].file, "%d copies of %zu MB need more addresses than there are", s->copies,
                             s->stride >> 20);
    s->slab = (uint8_t *)(((uintptr_t)p + align - 1) & -(uintptr_t)align);
    return 0;
}

int image_copy_plan(struct images *s)
{
    for (int k = 0; k < s->count; k++)
        if (plan_image(s, &s->image[k]))
            return -1;
    uint64_t align = plan_places(s);
    if (s->copies <= 1)
        return 0;
    return check_mappings(s) || write_layout(s) || reserve(s, align) ? -1 : 0;
}

static int make_part(const struct images *s, const struct image *m, const struct image_part *p, int copy)
{
    void *at = (void *)(image_bias(s, m, copy) + p->at);
    if (!p->writable) {
        off_t offset = (off_t)(m->place + (p->at - m->elf.low));
        return mmap(at, p->bytes, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, s->layout, offset) == MAP_FAILED;
    }
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    return mmap(at, p->bytes, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED;
}

static void write_saved(const struct images *s, const struct image *m, int copy)
{
    uintptr_t bias = image_bias(s, m, copy);
    for (size_t i = 0; i < m->saveds; i++)
        memcpy((void *)(bias + m->saved[i].at), m->saved[i].contents, m->saved[i].bytes);
}

static void move_words(const struct images *s, const struct image *m, int copy, const uint64_t *by)
{
    uintptr_t bias = image_bias(s, m, copy);
    for (size_t i = 0; i < m->fixups; i++) {
        void *at = (void *)(bias + m->fixup[i].at); /* perhaps not aligned */
        uint64_t word;
        memcpy(&word, at, sizeof word);
        word += by[m->fixup[i].target];
        memcpy(at, &word, sizeof word);
    }
}

int images_make(struct images *s, int i)
{
    uint64_t by[IMAGES_MAX + 1];
    if (i == 0)
        return 0;
    for (int k = 0; k < s->count; k++)
        by[k] = image_bias(s, &s->image[k], i) - s->image[k].bias;
    by[IMAGE_PRIVATE] = (uint64_t)i * image_private_stride();
    for (int k = 0; k < s->count; k++) {
        const struct image *m = &s->image[k];
        for (int p = 0; p < m->parts; p++)
            if (make_part(s, m, &m->part[p], i))
                return -1;
        write_saved(s, m, i);
        move_words(s, m, i, by);
    }
    image_private_make(s, i);
    image_frames_add(s, i);
    return 0;
}
