/* sink.c: see sink.h. The memory comes by inheritance, and its descriptor's number by the environment; a program that
 * was started by a rank may have both without being one, so everything is looked at before it is believed.
 */
#include "sink.h"

#if defined(MPICO_TRACE) && MPICO_TRACE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "../../src/trace.h"

/* The whole file; NULL: not mapped, or there is none. Ranks of one process share it. */
static struct trace_file *_Atomic file;

static int refuse(const char *why)
{
    fprintf(stderr, "mpico: trace: %s: this rank is not traced\n", why);
    return -1;
}

static int descriptor(const char *text)
{
    char *end;
    long fd = strtol(text, &end, 10);
    return end > text && *end == 0 && fd >= 0 && fd <= 1 << 20 ? (int)fd : -1;
}

static int sound(const struct trace_file *f, uint64_t bytes)
{
    uint64_t region = sizeof(struct trace_region);
    return f->magic == TRACE_MAGIC && f->version == TRACE_VERSION && f->bytes == bytes && f->ranks > 0 &&
           f->region_at >= sizeof *f && f->region_bytes <= bytes / f->ranks && f->region_at <= bytes &&
           f->ranks * f->region_bytes <= bytes - f->region_at &&
           f->records <= f->region_bytes / sizeof(struct trace_record) &&
           region + f->records * sizeof(struct trace_record) <= f->peers_at && f->peers_at <= f->region_bytes &&
           f->peers_bytes <= f->region_bytes - f->peers_at && f->links_at <= bytes &&
           f->link_records <= bytes / sizeof(struct trace_record) &&
           f->links_at + region + f->link_records * sizeof(struct trace_record) <= f->link_names_at &&
           f->link_names_at <= bytes && f->links <= (bytes - f->link_names_at) / TRACE_NAME_BYTES;
}

static struct trace_file *map(const char *text)
{
    struct stat st;
    int fd = descriptor(text);
    if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode) || (uint64_t)st.st_size < sizeof(struct trace_file))
        return NULL;
    size_t bytes = (size_t)st.st_size;
    struct trace_file *f = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (f == MAP_FAILED)
        return NULL;
    if (sound(f, bytes))
        return f;
    munmap(f, bytes);
    return NULL;
}

/* Two threads may both map it: the second mapping is as good, and one of them serves. */
static struct trace_file *find(void)
{
    const char *text = getenv(TRACE_VARIABLE);
    if (!file && text)
        file = map(text);
    return file;
}

int trace_sink_open(struct rank *r, int region, uint64_t (*clock)(void), uint64_t ticks_per_second)
{
    if (!getenv(TRACE_VARIABLE))
        return 0;
    struct trace_file *f = find();
    if (!f || region < 0 || (uint32_t)region >= f->ranks || (uint32_t)r->world_size != f->ranks)
        return refuse(TRACE_VARIABLE " is set, but names no trace of this job");
    struct trace_region *g = trace_region_of(f, (uint32_t)region);
    uint32_t nobody = 0;
    if (!__atomic_compare_exchange_n(&g->claimed, &nobody, 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return refuse("another process has been this rank");
    if (mpico_trace_start(r, g, f->records, f->peers_at, f->peers_bytes, clock, ticks_per_second))
        return refuse("no memory for it");
    return 0;
}

void trace_sink_link(int link, uint64_t from, uint64_t until)
{
    struct trace_file *f = file;
    if (!f || link < 0)
        return;
    struct trace_record record = {.at = from, .until = until, .kind = TRACE_LINK, .peer = link};
    struct trace_region *g = trace_links_of(f);
    g->ticks_per_second = TRACE_PS;
    trace_append(g, f->link_records, &record);
}

void trace_sink_link_name(int link, const char *name)
{
    struct trace_file *f = find();
    if (f && link >= 0 && (uint32_t)link < f->links)
        strncpy(trace_link_name_of(f, (uint32_t)link), name, TRACE_NAME_BYTES - 1);
}

#endif
