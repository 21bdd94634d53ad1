/* where.c: the source line of an address in the running program, for the report of a fatal error. */
#include <link.h>
#include <string.h>
#include <unistd.h>

#include "../host/addr2line.h"
#include "process.h"

struct search {
    uintptr_t address, base;
    const char *name;
    int found;
};

static int holds(struct dl_phdr_info *object, size_t size, void *data)
{
    (void)size;
    struct search *s = data;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uintptr_t start = object->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && s->address - start < part->p_memsz) {
            s->base = object->dlpi_addr;
            s->name = object->dlpi_name[0] ? object->dlpi_name : "/proc/self/exe";
            return s->found = 1;
        }
    }
    return 0;
}

static struct search object_of(uintptr_t address)
{
    struct search s = {.address = address};
    dl_iterate_phdr(holds, &s);
    return s;
}

int mpico_process_where(struct rank *r, const void *address, char *text, size_t room)
{
    (void)r;
    struct search s = object_of((uintptr_t)address), own = object_of((uintptr_t)mpico_process_where);
    if (!s.found || (s.base == own.base && strcmp(s.name, "/proc/self/exe") != 0))
        return -1;
    char program[4096];
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    program[n > 0 ? n : 0] = 0;
    const char *object = strcmp(s.name, "/proc/self/exe") == 0 ? program : s.name;
    uintptr_t offset = s.address - s.base - 1; /* the call is before the address it returns to */
    mpico_addr2line(object, offset, text, room);
    return 0;
}
