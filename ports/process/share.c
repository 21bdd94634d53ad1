/* share.c: memory that several ranks map, for windows. It lies behind the job's own in the memfd that all have inherited: so it has no
 * name in any folder, needs no permission of the kernel's, and is gone with the job. Its name is its place there. Places are not
 * used again: what was given back is a hole in the file, and costs nothing.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "process.h"

/* The kernel's: a mapping begins at a multiple of it. */
static uint64_t page(void) { return (uint64_t)sysconf(_SC_PAGESIZE); }

static uint64_t pages(uint64_t bytes) { return (bytes + page() - 1) / page() * page(); }

/* Reserved at once: a shortage is an error here, and never a SIGBUS later. */
static uint64_t make(const struct process *p, size_t bytes)
{
    uint64_t at = pages(p->job->bytes) + atomic_fetch_add(&p->job->shared_bytes, pages(bytes));
    return fallocate(p->job_fd, 0, (off_t)at, (off_t)bytes) ? 0 : at;
}

void *mpico_process_share(struct rank *r, uint64_t *name, size_t bytes)
{
    const struct process *p = r->port;
    int alone = p->job_fd < 0, kind = alone ? MAP_SHARED | MAP_ANONYMOUS : MAP_SHARED;
    if (bytes / page() >= (size_t)sysconf(_SC_PHYS_PAGES)) /* the kernel would only notice when nothing is left */
        return NULL;
    uint64_t at = *name ? *name : alone ? 1 : make(p, bytes);
    if (at == 0)
        return NULL;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, kind, p->job_fd, alone ? 0 : (off_t)at);
    if (memory == MAP_FAILED)
        return NULL;
    *name = at;
    return memory;
}

void mpico_process_unshare(struct rank *r, void *memory, uint64_t name, size_t bytes, int last)
{
    const struct process *p = r->port;
    munmap(memory, bytes);
    if (last && p->job_fd >= 0)
        (void)fallocate(p->job_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)name, (off_t)bytes);
}
