/* bare_p2p.c: the calls about ranks and messages. */
#include "../api/status.h"
#include "bare.h"

#pragma weak MPI_Comm_rank = PMPI_Comm_rank
int PMPI_Comm_rank(MPI_Comm comm, int *rank)
{
    mpico_bare_enter("MPI_Comm_rank");
    *rank = mpico_bare_comm(comm)->rank;
    return MPI_SUCCESS;
}

#pragma weak MPI_Comm_size = PMPI_Comm_size
int PMPI_Comm_size(MPI_Comm comm, int *size)
{
    mpico_bare_enter("MPI_Comm_size");
    *size = mpico_bare_comm(comm)->size;
    return MPI_SUCCESS;
}

static void check_tag(int tag)
{
    if (tag < 0)
        mpico_bare_die(MPI_ERR_TAG, "tag: %d is negative", tag);
}

#pragma weak MPI_Send = PMPI_Send
int PMPI_Send(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    mpico_bare_enter("MPI_Send");
    const struct bare_comm *c = mpico_bare_comm(comm);
    size_t bytes = mpico_bare_bytes(buf, count, type);
    check_tag(tag);
    if (dest == MPI_PROC_NULL)
        return MPI_SUCCESS;
    mpico_bare_check_rank("dest", dest, c);
    if (dest == c->rank)
        mpico_bare_die(MPI_ERR_RANK, "dest: %d is this rank, which cannot receive while it sends", dest);
    mpico_bare_send(buf, bytes, dest, tag, BARE_MESSAGES);
    return MPI_SUCCESS;
}

#pragma weak MPI_Recv = PMPI_Recv
int PMPI_Recv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    mpico_bare_enter("MPI_Recv");
    const struct bare_comm *c = mpico_bare_comm(comm);
    size_t room = mpico_bare_bytes(buf, count, type);
    struct bare_announced m = {.tag = MPI_ANY_TAG};
    if (tag != MPI_ANY_TAG)
        check_tag(tag);
    if (source != MPI_PROC_NULL) {
        if (source != MPI_ANY_SOURCE)
            mpico_bare_check_rank("source", source, c);
        m = mpico_bare_recv(buf, room, &source, tag, BARE_MESSAGES);
    }
    if (status != MPI_STATUS_IGNORE) {
        status->MPI_SOURCE = source;
        status->MPI_TAG = m.tag;
        status_set_bytes(status, m.length);
    }
    return MPI_SUCCESS;
}
