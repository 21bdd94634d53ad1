/* check_small.c: in place of check.c in small builds: the same checks with one kind of sentence. */
#include "fast.h"

/* Linked with what deals with described datatypes; here a reference alone brings nothing in. */
#pragma weak check_type

/* "dest: 9 is not possible here" */
static int wrong(struct rank *r, int class, const char *name, int value)
{
    return mpico_fault(r, class, "%s: %d is not possible here", name, value);
}

int check_comm(struct rank *r, MPI_Comm handle, struct comm **comm)
{
    *comm = api_comm(r, handle);
    return *comm ? MPI_SUCCESS : wrong(r, MPI_ERR_COMM, "comm", (int)(intptr_t)handle);
}

static int check_rank(struct rank *r, int class, const char *name, const struct comm *c, int rank)
{
    return rank >= 0 && rank < c->size ? MPI_SUCCESS : wrong(r, class, name, rank);
}

int check_root(struct rank *r, const struct comm *c, int root) { return check_rank(r, MPI_ERR_ROOT, "root", c, root); }

int check_dest(struct rank *r, const struct comm *c, int dest)
{
    return dest == MPI_PROC_NULL ? MPI_SUCCESS : check_rank(r, MPI_ERR_RANK, "dest", c, dest);
}

int check_source(struct rank *r, const struct comm *c, int source)
{
    return source == MPI_PROC_NULL || source == MPI_ANY_SOURCE ? MPI_SUCCESS
                                                               : check_rank(r, MPI_ERR_RANK, "source", c, source);
}

int check_send_tag(struct rank *r, int tag) { return tag >= 0 ? MPI_SUCCESS : wrong(r, MPI_ERR_TAG, "tag", tag); }

int check_recv_tag(struct rank *r, int tag) { return tag == MPI_ANY_TAG ? MPI_SUCCESS : check_send_tag(r, tag); }

int check_count(struct rank *r, int64_t count, const char *name)
{
    return count >= 0 ? MPI_SUCCESS : wrong(r, MPI_ERR_COUNT, name, (int)count);
}

int check_pointer(struct rank *r, const void *p, const char *name)
{
    return p ? MPI_SUCCESS : wrong(r, MPI_ERR_ARG, name, 0);
}

int check_request(struct rank *r, const MPI_Request *request, const char *name)
{
    if (!request)
        return wrong(r, MPI_ERR_ARG, name, 0);
    if (*request == MPI_REQUEST_NULL ||
        (api_is_object(r, (uintptr_t)*request) && api_request(*request)->magic == REQUEST_MAGIC))
        return MPI_SUCCESS;
    return wrong(r, MPI_ERR_REQUEST, name, (int)(intptr_t)*request);
}

/* `whole`: see check.c. */
static int check_memory(struct rank *r, const void *buf, size_t count, const struct type *t, size_t size,
                        const char *name)
{
    size_t span, extent = (ptrdiff_t)t->extent < 0 ? (size_t)0 - t->extent : t->extent;
    if (__builtin_mul_overflow(count, extent > size ? extent : size, &span) || span > PTRDIFF_MAX)
        return wrong(r, MPI_ERR_COUNT, name, (int)count);
    if (span && ((!buf && t->predefined) || buf == MPI_IN_PLACE))
        return wrong(r, MPI_ERR_BUFFER, name, (int)(intptr_t)buf);
    return MPI_SUCCESS;
}

int check_buffer(struct rank *r, const void *buf, size_t count, const struct type *t, const char *name)
{
    return check_memory(r, buf, count, t, t->size, name);
}

int check_data(struct rank *r, const void *buf, int64_t count, MPI_Datatype datatype, const char *name,
               struct data *data)
{
    size_t width = mpico_type_width((uintptr_t)datatype), elements = (size_t)count;
    int e = check_count(r, count, "count");
    data->type = &mpico_type_byte;
    data->count = elements * width;
    if (!e && !width) {
        data->count = elements;
        e = check_type ? check_type(r, datatype, &data->type)
                       : wrong(r, MPI_ERR_TYPE, "datatype", (int)(intptr_t)datatype);
        width = 1;
    }
    return e ? e : check_memory(r, buf, elements, data->type, width, name);
}

static int check_message(struct rank *r, const void *buf, MPI_Count count, MPI_Datatype datatype, int peer, int tag,
                         MPI_Comm handle, struct comm **comm, struct data *data, int receives)
{
    int e;
    if ((e = check_comm(r, handle, comm)) || (e = check_data(r, buf, count, datatype, "buf", data)))
        return e;
    if (peer != MPI_PROC_NULL && !(receives && peer == MPI_ANY_SOURCE) &&
        (e = check_rank(r, MPI_ERR_RANK, "rank", *comm, peer)))
        return e;
    return receives && tag == MPI_ANY_TAG ? MPI_SUCCESS : check_send_tag(r, tag);
}

int check_send(struct rank *r, const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
               MPI_Comm handle, struct comm **comm, struct data *data)
{
    return check_message(r, buf, count, datatype, dest, tag, handle, comm, data, 0);
}

int check_recv(struct rank *r, const void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag,
               MPI_Comm handle, struct comm **comm, struct data *data)
{
    return check_message(r, buf, count, datatype, source, tag, handle, comm, data, 1);
}
