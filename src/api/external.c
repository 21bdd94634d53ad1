/* external.c: packing in the format "external32", which all machines read (MPI 5.0, sections 5.3 and 14.5.2). */
#include "../type/external.h"

#include <string.h>

#include "api.h"

struct external {
    const struct type *type;
    size_t bytes;
};

static int check_external(struct rank *r, const char *datarep, const void *buf, MPI_Count count, MPI_Datatype type,
                          struct external *x)
{
    int e;
    if ((e = check_pointer(r, datarep, "datarep")) || (e = check_count(r, count, "count")))
        return e;
    if (strcmp(datarep, "external32") != 0)
        return mpico_fault(r, MPI_ERR_UNSUPPORTED_DATAREP, "datarep: only 'external32' can be packed, not '%s'",
                           datarep);
    if ((e = check_type(r, type, &x->type)) || (e = check_buffer(r, buf, (size_t)count, x->type, "buf")))
        return e;
    if ((MPI_Count)(size_t)count != count ||
        __builtin_mul_overflow((size_t)count, mpico_external_size(x->type), &x->bytes) || x->bytes > PTRDIFF_MAX)
        return mpico_fault(r, MPI_ERR_COUNT, "count: %l elements are more than memory can hold", (long long)count);
    return MPI_SUCCESS;
}

static int check_room(struct rank *r, const struct external *x, const void *block, MPI_Count size, MPI_Count position,
                      const char *name)
{
    int e;
    if ((e = check_count(r, size, "size")) || (e = check_count(r, position, "position")))
        return e;
    if (position > size || (uint64_t)(size - position) < x->bytes)
        return mpico_fault(r, MPI_ERR_TRUNCATE, "%s: %z bytes from position %l on do not fit its %l", name, x->bytes,
                           (long long)position, (long long)size);
    return x->bytes ? check_pointer(r, block, name) : MPI_SUCCESS;
}

/* `position` moves on when all is well. */
static int pack(struct rank *r, const char *datarep, const void *buf, MPI_Count count, MPI_Datatype type, void *out,
                MPI_Count size, MPI_Count *position)
{
    struct external x = {0};
    int e;
    if ((e = check_external(r, datarep, buf, count, type, &x)) ||
        (e = check_room(r, &x, out, size, *position, "outbuf")))
        return api_error(r, NULL, e);
    mpico_external_pack(x.type, buf, (size_t)count, (char *)out + *position);
    *position += (MPI_Count)x.bytes;
    return MPI_SUCCESS;
}

static int unpack(struct rank *r, const char *datarep, const void *in, MPI_Count size, MPI_Count *position, void *buf,
                  MPI_Count count, MPI_Datatype type)
{
    struct external x = {0};
    int e;
    if ((e = check_external(r, datarep, buf, count, type, &x)) || (e = check_room(r, &x, in, size, *position, "inbuf")))
        return api_error(r, NULL, e);
    mpico_external_unpack(x.type, buf, (size_t)count, (const char *)in + *position);
    *position += (MPI_Count)x.bytes;
    return MPI_SUCCESS;
}

static int no_position(struct rank *r, const void *position)
{
    int e = check_pointer(r, position, "position");
    return e ? api_error(r, NULL, e) : MPI_SUCCESS;
}

#pragma weak MPI_Pack_external = PMPI_Pack_external
int PMPI_Pack_external(const char *datarep, const void *inbuf, int incount, MPI_Datatype type, void *outbuf,
                       MPI_Aint outsize, MPI_Aint *position)
{
    struct rank *r = api_enter("MPI_Pack_external");
    int e = no_position(r, position);
    if (e)
        return e;
    MPI_Count at = *position;
    e = pack(r, datarep, inbuf, incount, type, outbuf, outsize, &at);
    *position = (MPI_Aint)at;
    return e;
}

#pragma weak MPI_Pack_external_c = PMPI_Pack_external_c
int PMPI_Pack_external_c(const char *datarep, const void *inbuf, MPI_Count incount, MPI_Datatype type, void *outbuf,
                         MPI_Count outsize, MPI_Count *position)
{
    struct rank *r = api_enter("MPI_Pack_external_c");
    int e = no_position(r, position);
    return e ? e : pack(r, datarep, inbuf, incount, type, outbuf, outsize, position);
}

#pragma weak MPI_Unpack_external = PMPI_Unpack_external
int PMPI_Unpack_external(const char datarep[], const void *inbuf, MPI_Aint insize, MPI_Aint *position, void *outbuf,
                         int outcount, MPI_Datatype type)
{
    struct rank *r = api_enter("MPI_Unpack_external");
    int e = no_position(r, position);
    if (e)
        return e;
    MPI_Count at = *position;
    e = unpack(r, datarep, inbuf, insize, &at, outbuf, outcount, type);
    *position = (MPI_Aint)at;
    return e;
}

#pragma weak MPI_Unpack_external_c = PMPI_Unpack_external_c
int PMPI_Unpack_external_c(const char datarep[], const void *inbuf, MPI_Count insize, MPI_Count *position, void *outbuf,
                           MPI_Count outcount, MPI_Datatype type)
{
    struct rank *r = api_enter("MPI_Unpack_external_c");
    int e = no_position(r, position);
    return e ? e : unpack(r, datarep, inbuf, insize, position, outbuf, outcount, type);
}

/* An address is not needed to know a length: any that is not null passes the check. */
static int size_of(struct rank *r, const char *datarep, MPI_Count count, MPI_Datatype type, const void *size,
                   struct external *x)
{
    int e;
    if ((e = check_external(r, datarep, x, count, type, x)) || (e = check_pointer(r, size, "size")))
        return api_error(r, NULL, e);
    return MPI_SUCCESS;
}

#pragma weak MPI_Pack_external_size = PMPI_Pack_external_size
int PMPI_Pack_external_size(const char *datarep, int incount, MPI_Datatype type, MPI_Aint *size)
{
    struct external x = {0};
    struct rank *r = api_enter("MPI_Pack_external_size");
    int e = size_of(r, datarep, incount, type, size, &x);
    if (!e)
        *size = (MPI_Aint)x.bytes;
    return e;
}

#pragma weak MPI_Pack_external_size_c = PMPI_Pack_external_size_c
int PMPI_Pack_external_size_c(const char *datarep, MPI_Count incount, MPI_Datatype type, MPI_Count *size)
{
    struct external x = {0};
    struct rank *r = api_enter("MPI_Pack_external_size_c");
    int e = size_of(r, datarep, incount, type, size, &x);
    if (!e)
        *size = (MPI_Count)x.bytes;
    return e;
}
