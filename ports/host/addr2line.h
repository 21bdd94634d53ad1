/* addr2line.h: source lines, from the debug information of an object file. */
#ifndef MPICO_HOST_ADDR2LINE_H
#define MPICO_HOST_ADDR2LINE_H

#include <stddef.h>
#include <stdint.h>

/* "main at ring.c:12" for the instruction at `offset` of the object; where that is unknown, "object+0x1234", which
 * a debugger understands. Starts a process: slow. Needs no heap. */
void mpico_addr2line(const char *object, uintptr_t offset, char *text, size_t room);

#endif
