/* Buffers for buffered sends: the process's, a communicator's own, which goes before it; and waiting until they are empty. */
#include "check.h"

enum { N = 300, ROOM = 4 * (N * 4 + MPI_BSEND_OVERHEAD) };

static int out[N], in[N];

static void exchange(MPI_Comm comm)
{
    for (int i = 0; i < N; i++)
        out[i] = me * 1000 + i;
    CHECK_OK(MPI_Bsend(out, N, MPI_INT, right_of(me), 4, comm));
    CHECK_OK(MPI_Recv(in, N, MPI_INT, left_of(me), 4, comm, MPI_STATUS_IGNORE));
    for (int i = 0; i < N; i++)
        CHECK(in[i] == left_of(me) * 1000 + i, "element %d is %d", i, in[i]);
}

/* The communicator's buffer serves alone: there is none for the process. */
static void own_buffer(MPI_Comm comm)
{
    char *memory = check_alloc(ROOM);
    void *address = NULL;
    int size = -1;
    MPI_Request request;
    CHECK_CLASS(MPI_Bsend(out, N, MPI_INT, right_of(me), 4, comm), MPI_ERR_BUFFER);
    CHECK_OK(MPI_Comm_attach_buffer(comm, memory, ROOM));
    CHECK_CLASS(MPI_Comm_attach_buffer(comm, memory, ROOM), MPI_ERR_BUFFER);
    CHECK_CLASS(MPI_Bsend(out, N, MPI_INT, me, 4, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    exchange(comm);
    CHECK_OK(MPI_Comm_flush_buffer(comm));
    exchange(comm);
    CHECK_OK(MPI_Comm_iflush_buffer(comm, &request));
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Comm_detach_buffer(comm, &address, &size));
    CHECK(address == memory && size == ROOM, "%p of %d bytes", address, size);
    free(memory);
}

static void large(MPI_Comm comm)
{
    char *memory = check_alloc(ROOM);
    void *address = NULL;
    MPI_Count size = -1;
    CHECK_OK(MPI_Comm_attach_buffer_c(comm, memory, ROOM));
    exchange(comm);
    CHECK_OK(MPI_Comm_detach_buffer_c(comm, &address, &size));
    CHECK(address == memory && size == ROOM, "%p of %lld bytes", address, (long long)size);
    CHECK_OK(MPI_Comm_attach_buffer(comm, MPI_BUFFER_AUTOMATIC, 0));
    exchange(comm);
    CHECK_OK(MPI_Comm_detach_buffer_c(comm, &address, &size));
    CHECK(address == MPI_BUFFER_AUTOMATIC, "%p", address);
    free(memory);
}

/* A flush request is done when the messages before it have left, whatever comes later. */
static void process_buffer(void)
{
    enum { LONG = 1 << 20 };
    char *memory = check_alloc(2 * (LONG + MPI_BSEND_OVERHEAD)), *data = check_alloc(LONG);
    void *address = NULL;
    int size = -1, flag = -1;
    MPI_Request request, none;
    memset(data, me, LONG);
    CHECK_OK(MPI_Buffer_iflush(&none)); /* without a buffer */
    CHECK_OK(MPI_Wait(&none, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Buffer_attach(memory, 2 * (LONG + MPI_BSEND_OVERHEAD)));
    CHECK_OK(MPI_Bsend(data, LONG, MPI_BYTE, right_of(me), 5, MPI_COMM_WORLD));
    CHECK_OK(MPI_Buffer_iflush(&request));
    CHECK_OK(MPI_Bsend(data, LONG, MPI_BYTE, right_of(me), 6, MPI_COMM_WORLD));
    CHECK_OK(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
    MPI_Recv(data, LONG, MPI_BYTE, left_of(me), 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Buffer_iflush(&request));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Recv(data, LONG, MPI_BYTE, left_of(me), 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(data[LONG - 1] == (char)left_of(me), "byte %d", data[LONG - 1]);
    CHECK_OK(MPI_Buffer_flush());
    CHECK_OK(MPI_Buffer_detach(&address, &size));
    CHECK(address == memory, "%p", address);
    free(memory);
    free(data);
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    check_return_errors();
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    own_buffer(comm);
    large(comm);
    process_buffer();
    MPI_Comm_free(&comm);
    return check_finish();
}
