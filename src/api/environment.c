/* environment.c: versions, names, clocks and memory (MPI 5.0, chapter 9). */
#include <string.h>

#include "fast.h"

static const char version_text[] = "mpico 0.1.0, a small MPI library with the standard's ABI; machine: ";

/* Copy at most size - 1 characters; the length copied. */
static int copy_text(char *to, const char *from, size_t size)
{
    size_t len = strlen(from);
    if (len > size - 1)
        len = size - 1;
    memcpy(to, from, len);
    to[len] = 0;
    return (int)len;
}

/* The version calls may be made at any time, so they do not enter, and there may be no error handler. */
#pragma weak MPI_Get_version = PMPI_Get_version
int PMPI_Get_version(int *version, int *subversion)
{
    if (!SMALL && (!version || !subversion))
        return MPI_ERR_ARG;
    *version = MPI_VERSION;
    *subversion = MPI_SUBVERSION;
    return MPI_SUCCESS;
}

#pragma weak MPI_Get_library_version = PMPI_Get_library_version
int PMPI_Get_library_version(char *version, int *resultlen)
{
    if (!SMALL && (!version || !resultlen))
        return MPI_ERR_ARG;
    int len = copy_text(version, version_text, MPI_MAX_LIBRARY_VERSION_STRING);
    *resultlen = len + copy_text(version + len, mpico_machine.name, MPI_MAX_LIBRARY_VERSION_STRING - (size_t)len);
    return MPI_SUCCESS;
}

#pragma weak MPI_Abi_get_version = PMPI_Abi_get_version
int PMPI_Abi_get_version(int *abi_major, int *abi_minor)
{
    if (!SMALL && (!abi_major || !abi_minor))
        return MPI_ERR_ARG;
    *abi_major = MPI_ABI_VERSION;
    *abi_minor = MPI_ABI_SUBVERSION;
    return MPI_SUCCESS;
}

#pragma weak MPI_Get_processor_name = PMPI_Get_processor_name
int PMPI_Get_processor_name(char *name, int *resultlen)
{
    struct rank *r = api_enter("MPI_Get_processor_name");
    int e;
    if ((e = check_pointer(r, name, "name")) || (e = check_pointer(r, resultlen, "resultlen")))
        return api_error(r, NULL, e);
    const char *processor = r->machine->processor ? r->machine->processor(r) : r->machine->name;
    *resultlen = copy_text(name, processor, MPI_MAX_PROCESSOR_NAME);
    return MPI_SUCCESS;
}

/* A word to a profiling tool that has taken the name MPI_Pcontrol; here nobody listens. */
#pragma weak MPI_Pcontrol = PMPI_Pcontrol
int PMPI_Pcontrol(const int level, ...)
{
    (void)level;
    return MPI_SUCCESS;
}

#pragma weak MPI_Wtime = PMPI_Wtime
double PMPI_Wtime(void) { return (double)mpico_machine.now() * 1e-9; }

#pragma weak MPI_Wtick = PMPI_Wtick
double PMPI_Wtick(void) { return 1e-9; /* the unit of machine.now() */ }

#pragma weak MPI_Alloc_mem = PMPI_Alloc_mem
int PMPI_Alloc_mem(MPI_Aint size, MPI_Info info, void *baseptr)
{
    struct rank *r = api_enter("MPI_Alloc_mem");
    int e = check_pointer(r, baseptr, "baseptr");
    if (!e)
        e = check_hints(r, info);
    if (!e && size < 0)
        e = mpico_fault(r, MPI_ERR_ARG, "size: %l is negative", (long long)size);
    if (e)
        return api_error(r, NULL, e);
    void *memory = mpico_heap_alloc(&r->heap, size ? (size_t)size : 1);
    if (!memory)
        return api_error(r, NULL, mpico_fault(r, MPI_ERR_NO_MEM, "no memory for %l bytes", (long long)size));
    *(void **)baseptr = memory;
    return MPI_SUCCESS;
}

#pragma weak MPI_Free_mem = PMPI_Free_mem
int PMPI_Free_mem(void *base)
{
    struct rank *r = api_enter("MPI_Free_mem");
    if (base && !api_is_object(r, (uintptr_t)base))
        return api_error(r, NULL, mpico_fault(r, MPI_ERR_BASE, "base: is not from MPI_Alloc_mem"));
    mpico_heap_free(&r->heap, base);
    return MPI_SUCCESS;
}
