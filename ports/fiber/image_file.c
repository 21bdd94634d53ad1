/* image_file.c: files as copies in memory, where they may be edited and nobody else can cut them short. */
#include "image_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

int image_memory_file(const char *name)
{
    enum { EXECUTABLE = 0x10 }; /* MFD_EXEC of newer headers and kernels */
    int fd = memfd_create(name, MFD_CLOEXEC | EXECUTABLE);
    return fd < 0 && errno == EINVAL ? memfd_create(name, MFD_CLOEXEC) : fd;
}

static int copy_file(int from, int to, size_t bytes)
{
    while (bytes > 0) {
        ssize_t n = sendfile(to, from, NULL, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return -1;
        bytes -= (size_t)n;
    }
    return 0;
}

static int into_memory(const char *file, uint8_t **bytes, size_t *size)
{
    struct stat st;
    int from = open(file, O_RDONLY | O_CLOEXEC);
    int to = from < 0 ? -1 : image_memory_file(strrchr(file, '/') ? strrchr(file, '/') + 1 : file);
    if (to < 0 || fstat(from, &st) || copy_file(from, to, (size_t)st.st_size)) {
        int reason = errno;
        if (from >= 0)
            close(from);
        if (to >= 0)
            close(to);
        errno = reason;
        return -1;
    }
    close(from);
    *size = (size_t)st.st_size;
    *bytes = *size ? mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_SHARED, to, 0) : MAP_FAILED;
    if (*bytes != MAP_FAILED)
        return to;
    close(to);
    errno = *size ? ENOMEM : ENOEXEC;
    return -1;
}

struct image *image_file_add(struct images *s, char *file, enum elf_role role)
{
    char why[512];
    if (s->count == IMAGES_MAX) {
        images_refuse(s, s->image[0].file, "it has more than %d libraries", IMAGES_MAX - 1);
        free(file);
        return NULL;
    }
    struct image *m = &s->image[s->count];
    uint8_t *bytes;
    size_t size;
    m->file = file;
    m->fd = into_memory(file, &bytes, &size);
    if (m->fd < 0) {
        images_refuse(s, file, "it cannot be read: %s", strerror(errno));
        free(file);
        return NULL;
    }
    s->count++;
    if (!elf_read(&m->elf, bytes, size, role, why, sizeof why))
        return m;
    images_refuse(s, file, "%s", why);
    return NULL;
}
