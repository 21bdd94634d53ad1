/* partitioned_parts.c: giving and taking the parts of a partitioned message (MPI 5.0, chapter 4). See partitioned.h. */
#include "overlap.h"
#include "partitioned.h"

static int check_parts(struct rank *r, MPI_Request handle, int sends, struct channel **ch)
{
    int e = check_request(r, &handle, "request");
    if (e)
        return e;
    struct request *q = handle == MPI_REQUEST_NULL ? NULL : api_request(handle);
    if (!q || q->kind != REQUEST_PARTS || channel_of(q)->sends != sends)
        return mpico_fault(r, MPI_ERR_REQUEST, "request: is no partitioned %s", sends ? "send" : "receive");
    *ch = channel_of(q);
    if (sends && !(q->flags & REQUEST_ACTIVE))
        return mpico_fault(r, MPI_ERR_REQUEST, "request: is not active (start it first)");
    return MPI_SUCCESS;
}

static int check_partition(struct rank *r, const struct channel *ch, int partition)
{
    if (partition >= 0 && (size_t)partition < ch->partitions)
        return MPI_SUCCESS;
    return mpico_fault(r, MPI_ERR_ARG, "partition: %d is not one of the %z", partition, ch->partitions);
}

/* All parts are done only after this: the shell may go with the last one. */
static int send_part(struct rank *r, struct channel *ch, size_t i)
{
    const struct request *shell = ch->shell;
    struct request *q = &ch->part[i];
    const struct data part = {shell->count / ch->partitions, shell->type};
    if (shell->peer == MPI_PROC_NULL) {
        q->flags = REQUEST_DONE;
        api_part_over(r, ch);
        return MPI_SUCCESS;
    }
    char *buf = (char *)shell->buf + (ptrdiff_t)(i * part.count) * (ptrdiff_t)shell->type->extent;
    int e = check_busy(r, shell->peer, buf, &part, 0);
    if (e)
        return e;
    mpico_send_init(q, buf, part.count, part.type, shell->peer, part_tag(ch, i), shell->comm,
                    parts_context(shell->comm), SEND_STANDARD);
    q->owner = ch;
    q->on_done = api_part_done;
    list_append(&r->requests, &q->all);
    mpico_send_start(r, q);
    return MPI_SUCCESS;
}

static int ready(struct rank *r, struct channel *ch, int partition)
{
    int e = check_partition(r, ch, partition);
    if (!e && ch->part[partition].flags & (REQUEST_ACTIVE | REQUEST_DONE))
        e = mpico_fault(r, MPI_ERR_ARG, "partition: %d is marked ready already", partition);
    return e ? e : send_part(r, ch, (size_t)partition);
}

#pragma weak MPI_Pready = PMPI_Pready
int PMPI_Pready(int partition, MPI_Request request)
{
    struct rank *r = api_enter("MPI_Pready");
    struct channel *ch = NULL;
    int e = check_parts(r, request, 1, &ch);
    if (!e)
        e = ready(r, ch, partition);
    return e ? api_error(r, ch ? ch->shell->comm : NULL, e) : MPI_SUCCESS;
}

#pragma weak MPI_Pready_range = PMPI_Pready_range
int PMPI_Pready_range(int partition_low, int partition_high, MPI_Request request)
{
    struct rank *r = api_enter("MPI_Pready_range");
    struct channel *ch = NULL;
    int e = check_parts(r, request, 1, &ch);
    for (int i = partition_low; !e && i <= partition_high; i++)
        e = ready(r, ch, i);
    return e ? api_error(r, ch ? ch->shell->comm : NULL, e) : MPI_SUCCESS;
}

#pragma weak MPI_Pready_list = PMPI_Pready_list
int PMPI_Pready_list(int length, const int array_of_partitions[], MPI_Request request)
{
    struct rank *r = api_enter("MPI_Pready_list");
    struct channel *ch = NULL;
    int e = check_parts(r, request, 1, &ch);
    if (!e && (e = check_count(r, length, "length")) == MPI_SUCCESS && length > 0)
        e = check_pointer(r, array_of_partitions, "array_of_partitions");
    for (int i = 0; !e && i < length; i++)
        e = ready(r, ch, array_of_partitions[i]);
    return e ? api_error(r, ch ? ch->shell->comm : NULL, e) : MPI_SUCCESS;
}

/* Are all parts here that have bytes of our partition? */
static int arrived(const struct channel *ch, size_t partition)
{
    if (!(ch->shell->flags & REQUEST_ACTIVE))
        return 1; /* complete, or not started */
    if (!ch->part || ch->bad || !(ch->first.flags & REQUEST_DONE))
        return 0;
    size_t bytes = (size_t)ch->plan.bytes, parts = (size_t)ch->plan.parts, first = partition, end = partition + 1;
    if (bytes && ch->bytes) {
        first = partition * ch->bytes / bytes;
        end = ((partition + 1) * ch->bytes + bytes - 1) / bytes;
    } else if (parts != ch->partitions) { /* nothing to divide: together */
        first = 0;
        end = parts;
    }
    while (first < end && first < parts && ch->part[first].flags & REQUEST_DONE)
        first++;
    return first >= end || first >= parts;
}

#pragma weak MPI_Parrived = PMPI_Parrived
int PMPI_Parrived(MPI_Request request, int partition, int *flag)
{
    struct rank *r = api_enter("MPI_Parrived");
    struct channel *ch = NULL;
    int e;
    if ((e = check_parts(r, request, 0, &ch)) || (e = check_partition(r, ch, partition)) ||
        (e = check_pointer(r, flag, "flag")))
        return api_error(r, ch ? ch->shell->comm : NULL, e);
    mpico_poll(r, arrived(ch, (size_t)partition));
    *flag = arrived(ch, (size_t)partition);
    return MPI_SUCCESS;
}
