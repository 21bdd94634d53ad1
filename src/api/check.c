/* check.c: the arguments every chapter shares. A sentence names the argument and the value it has. */
#include "fast.h"
#include "overlap.h"

/* Linked with what deals with described datatypes; here a reference alone brings nothing in. */
#pragma weak check_type

int check_comm(struct rank *r, MPI_Comm handle, struct comm **comm)
{
    struct comm *c = api_comm(r, handle);
    if (c) {
        *comm = c;
        return MPI_SUCCESS;
    }
    if (handle == MPI_COMM_NULL)
        return mpico_fault(r, MPI_ERR_COMM, "comm: MPI_COMM_NULL is no communicator");
    return mpico_fault(r, MPI_ERR_COMM, "comm: the handle is no communicator (freed, or never set)");
}

static int not_a_rank(struct rank *r, int error, const char *name, const struct comm *c, int rank)
{
    return mpico_fault(r, error, "%s: rank %d is not in the communicator of %d rank%s", name, rank, c->size,
                       c->size == 1 ? "" : "s");
}

int check_dest(struct rank *r, const struct comm *c, int dest)
{
    if ((dest >= 0 && dest < c->size) || dest == MPI_PROC_NULL)
        return MPI_SUCCESS;
    if (dest == MPI_ANY_SOURCE)
        return mpico_fault(r, MPI_ERR_RANK, "dest: MPI_ANY_SOURCE is for receives only");
    return not_a_rank(r, MPI_ERR_RANK, "dest", c, dest);
}

int check_source(struct rank *r, const struct comm *c, int source)
{
    if ((source >= 0 && source < c->size) || source == MPI_PROC_NULL || source == MPI_ANY_SOURCE)
        return MPI_SUCCESS;
    return not_a_rank(r, MPI_ERR_RANK, "source", c, source);
}

int check_root(struct rank *r, const struct comm *c, int root)
{
    if (root >= 0 && root < c->size)
        return MPI_SUCCESS;
    return not_a_rank(r, MPI_ERR_ROOT, "root", c, root);
}

int check_send_tag(struct rank *r, int tag)
{
    if (tag >= 0)
        return MPI_SUCCESS;
    if (tag == MPI_ANY_TAG)
        return mpico_fault(r, MPI_ERR_TAG, "tag: MPI_ANY_TAG is for receives only");
    return mpico_fault(r, MPI_ERR_TAG, "tag: %d is negative", tag);
}

int check_recv_tag(struct rank *r, int tag)
{
    if (tag >= 0 || tag == MPI_ANY_TAG)
        return MPI_SUCCESS;
    return mpico_fault(r, MPI_ERR_TAG, "tag: %d is negative and not MPI_ANY_TAG", tag);
}

int check_pointer(struct rank *r, const void *p, const char *name)
{
    return p ? MPI_SUCCESS : mpico_fault(r, MPI_ERR_ARG, "%s: is a null pointer", name);
}

int check_request(struct rank *r, const MPI_Request *request, const char *name)
{
    if (!request)
        return mpico_fault(r, MPI_ERR_ARG, "%s: is a null pointer", name);
    if (*request == MPI_REQUEST_NULL)
        return MPI_SUCCESS;
    const struct request *q = api_request(*request);
    /* Freed, though not over yet: but a generalized request is the program's to complete. */
    int mine = api_is_object(r, (uintptr_t)q) && q->magic == REQUEST_MAGIC;
    if (mine && (!(q->flags & REQUEST_DETACHED) || q->kind == REQUEST_GENERAL))
        return MPI_SUCCESS;
    return mpico_fault(r, MPI_ERR_REQUEST, "%s: the handle is no request (completed, freed, or never set)", name);
}

int check_count(struct rank *r, int64_t count, const char *name)
{
    if (count < 0)
        return mpico_fault(r, MPI_ERR_COUNT, "%s: %l is negative", name, (long long)count);
    return MPI_SUCCESS;
}

/* `whole`: the data has an address, so a null pointer is none. (MPI_BOTTOM goes with absolute addresses, which no predefined
 * type has.) `extent`: how far one element is from the next, either way. */
static int check_memory(struct rank *r, const void *buf, size_t count, size_t size, size_t extent, int whole,
                        const char *name)
{
    size_t bytes, span;
    if (__builtin_mul_overflow(count, size, &bytes) || __builtin_mul_overflow(count, extent, &span) ||
        bytes > PTRDIFF_MAX || span > PTRDIFF_MAX)
        return mpico_fault(r, MPI_ERR_COUNT, "%s: %z elements of %z bytes are more than memory can hold", name, count,
                           size);
    if (bytes == 0)
        return MPI_SUCCESS;
    if (!buf && whole)
        return mpico_fault(r, MPI_ERR_BUFFER, "%s: a null pointer for %z elements", name, count);
    if (buf == MPI_IN_PLACE)
        return mpico_fault(r, MPI_ERR_BUFFER, "%s: MPI_IN_PLACE is not allowed here", name);
    return MPI_SUCCESS;
}

int check_buffer(struct rank *r, const void *buf, size_t count, const struct type *t, const char *name)
{
    size_t extent = (ptrdiff_t)t->extent < 0 ? (size_t)0 - t->extent : t->extent;
    return check_memory(r, buf, count, t->size, extent, t->predefined, name);
}

static int check_described(struct rank *r, MPI_Datatype datatype, const struct type **type)
{
    if (check_type)
        return check_type(r, datatype, type);
    return mpico_fault(r, MPI_ERR_TYPE, "datatype: none that is one block, and no others are linked");
}

int check_data(struct rank *r, const void *buf, int64_t count, MPI_Datatype datatype, const char *name,
               struct data *data)
{
    int e = check_count(r, count, "count");
    if (e)
        return e;
    size_t width = mpico_type_width((uintptr_t)datatype), elements = (size_t)count;
    data->type = &mpico_type_byte;
    data->count = elements * width;
    if (width)
        return check_memory(r, buf, elements, width, width, 1, name);
    data->count = elements;
    if (api_is_nothing(r, count, datatype))
        return MPI_SUCCESS;
    if ((e = check_described(r, datatype, &data->type)) || (e = check_buffer(r, buf, elements, data->type, name)))
        return e;
    if (data->type->contiguous)
        *data = (struct data){elements * data->type->size, &mpico_type_byte};
    return MPI_SUCCESS;
}

int check_send(struct rank *r, const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
               MPI_Comm handle, struct comm **comm, struct data *data)
{
    int e;
    if ((e = check_comm(r, handle, comm)) || (e = check_data(r, buf, count, datatype, "buf", data)) ||
        (e = check_dest(r, *comm, dest)))
        return e;
    return check_send_tag(r, tag);
}

int check_recv(struct rank *r, const void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag,
               MPI_Comm handle, struct comm **comm, struct data *data)
{
    int e;
    if ((e = check_comm(r, handle, comm)) || (e = check_data(r, buf, count, datatype, "buf", data)) ||
        (e = check_source(r, *comm, source)) || (e = check_entries(r, data)))
        return e;
    return check_recv_tag(r, tag);
}
