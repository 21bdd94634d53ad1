/* pack.c: data of any type as a block of bytes (MPI 5.0, section 5.2). The packed form is the data alone, in this machine's
 * format, and can be sent as MPI_PACKED or MPI_BYTE, or received as what it was packed from.
 */
#include <limits.h>

#include "api.h"

/* The packed side: `size` bytes, the next one at `at`. */
struct packed {
    char *bytes;
    ptrdiff_t size, at;
};

static int check_packed(struct rank *r, const struct packed *p, size_t bytes)
{
    int e;
    if ((e = check_count(r, p->size, "size")) || (e = check_count(r, p->at, "position")))
        return e;
    if (p->at > p->size || (size_t)(p->size - p->at) < bytes)
        return mpico_fault(r, MPI_ERR_TRUNCATE, "the packed buffer: %z bytes do not fit into its %z, at position %z",
                           bytes, (size_t)p->size, (size_t)p->at);
    return bytes ? check_pointer(r, p->bytes, "the packed buffer") : MPI_SUCCESS;
}

/* Both ways. The position moves on when all is well. */
static int move(struct rank *r, void *buf, MPI_Count count, MPI_Datatype type, struct packed *p, MPI_Comm comm, int in)
{
    struct comm *c = NULL;
    struct data data = {0};
    int e;
    size_t bytes = 0;
    if ((e = check_comm(r, comm, &c)) || (e = check_data(r, buf, count, type, "buf", &data)) ||
        (e = check_packed(r, p, bytes = data.count * data.type->size)))
        return api_error(r, c, e);
    if (in)
        mpico_type_unpack(data.type, buf, 0, p->bytes + p->at, bytes);
    else
        mpico_type_pack(data.type, buf, 0, p->bytes + p->at, bytes);
    mpico_cost_settle();
    p->at += (ptrdiff_t)bytes;
    return MPI_SUCCESS;
}

static int move_narrow(struct rank *r, const void *buf, int count, MPI_Datatype type, const void *block, int size,
                       int *position, MPI_Comm comm, int in)
{
    int e = check_pointer(r, position, "position");
    if (e)
        return api_error(r, NULL, e);
    struct packed p = {(char *)(uintptr_t)block, size, *position};
    e = move(r, (void *)(uintptr_t)buf, count, type, &p, comm, in);
    *position = (int)p.at;
    return e;
}

/* A length that no memory has here is as good as the longest; a position beyond it is none. */
static ptrdiff_t narrow(MPI_Count n) { return n > PTRDIFF_MAX ? PTRDIFF_MAX : n < -1 ? -1 : (ptrdiff_t)n; }

static int move_wide(struct rank *r, const void *buf, MPI_Count count, MPI_Datatype type, const void *block,
                     MPI_Count size, MPI_Count *position, MPI_Comm comm, int in)
{
    int e = check_pointer(r, position, "position");
    if (e)
        return api_error(r, NULL, e);
    struct packed p = {(char *)(uintptr_t)block, narrow(size), narrow(*position)};
    e = move(r, (void *)(uintptr_t)buf, count, type, &p, comm, in);
    *position = e ? *position : p.at;
    return e;
}

#pragma weak MPI_Pack = PMPI_Pack
int PMPI_Pack(const void *inbuf, int incount, MPI_Datatype type, void *outbuf, int outsize, int *position,
              MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Pack");
    return move_narrow(r, inbuf, incount, type, outbuf, outsize, position, comm, 0);
}

#pragma weak MPI_Unpack = PMPI_Unpack
int PMPI_Unpack(const void *inbuf, int insize, int *position, void *outbuf, int outcount, MPI_Datatype type,
                MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Unpack");
    return move_narrow(r, outbuf, outcount, type, inbuf, insize, position, comm, 1);
}

#pragma weak MPI_Pack_c = PMPI_Pack_c
int PMPI_Pack_c(const void *inbuf, MPI_Count incount, MPI_Datatype type, void *outbuf, MPI_Count outsize,
                MPI_Count *position, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Pack_c");
    return move_wide(r, inbuf, incount, type, outbuf, outsize, position, comm, 0);
}

#pragma weak MPI_Unpack_c = PMPI_Unpack_c
int PMPI_Unpack_c(const void *inbuf, MPI_Count insize, MPI_Count *position, void *outbuf, MPI_Count outcount,
                  MPI_Datatype type, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Unpack_c");
    return move_wide(r, outbuf, outcount, type, inbuf, insize, position, comm, 1);
}

/* An address is not needed to know a length: any that is not null passes the check. */
static int pack_size(struct rank *r, MPI_Count count, MPI_Datatype type, MPI_Comm comm, const void *size, size_t *bytes)
{
    struct comm *c = NULL;
    struct data data = {0};
    int e;
    if ((e = check_comm(r, comm, &c)) || (e = check_data(r, bytes, count, type, "buf", &data)) ||
        (e = check_pointer(r, size, "size")))
        return api_error(r, c, e);
    *bytes = data.count * data.type->size;
    return MPI_SUCCESS;
}

#pragma weak MPI_Pack_size = PMPI_Pack_size
int PMPI_Pack_size(int incount, MPI_Datatype type, MPI_Comm comm, int *size)
{
    size_t bytes = 0;
    struct rank *r = api_enter("MPI_Pack_size");
    int e = pack_size(r, incount, type, comm, size, &bytes);
    if (!e)
        *size = bytes > INT_MAX ? MPI_UNDEFINED : (int)bytes;
    return e;
}

#pragma weak MPI_Pack_size_c = PMPI_Pack_size_c
int PMPI_Pack_size_c(MPI_Count incount, MPI_Datatype type, MPI_Comm comm, MPI_Count *size)
{
    size_t bytes = 0;
    struct rank *r = api_enter("MPI_Pack_size_c");
    int e = pack_size(r, incount, type, comm, size, &bytes);
    if (!e)
        *size = (MPI_Count)bytes;
    return e;
}
