/* The forms with MPI_Count of all calls for messages: the same as those with int. */
#include "check.h"

enum { N = CHECK_SMALL ? 400 : 5000, TAG = 7 };
static int out[N], in[N];

static void ready(int seed)
{
    for (int i = 0; i < N; i++) {
        out[i] = seed * 1000 + i;
        in[i] = -1;
    }
}

static void arrived(int seed, int line)
{
    for (int i = 0; i < N; i++)
        CHECK(in[i] == seed * 1000 + i, "from line %d: element %d is %d", line, i, in[i]);
}

typedef int send_function(const void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm);
typedef int isend_function(const void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

static void blocking(void)
{
    send_function *const send[] = {MPI_Send_c, MPI_Ssend_c, MPI_Rsend_c, MPI_Bsend_c};
    for (int i = 0; i < 4; i++) {
        ready(me);
        MPI_Request request;
        MPI_Status status;
        CHECK_OK(MPI_Irecv_c(in, N, MPI_INT, left_of(me), TAG, MPI_COMM_WORLD, &request));
        MPI_Barrier(MPI_COMM_WORLD); /* for the ready mode */
        CHECK_OK(send[i](out, N, MPI_INT, right_of(me), TAG, MPI_COMM_WORLD));
        CHECK_OK(MPI_Wait(&request, &status));
        CHECK(bytes_of(&status) == (int)sizeof in, "mode %d: %d bytes", i, bytes_of(&status));
        arrived(left_of(me), __LINE__);
    }
    ready(me);
    MPI_Request request;
    CHECK_OK(MPI_Isend_c(out, N, MPI_INT, right_of(me), TAG, MPI_COMM_WORLD, &request));
    CHECK_OK(MPI_Recv_c(in, N, MPI_INT, left_of(me), TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    arrived(left_of(me), __LINE__);
}

static void with_requests(void)
{
    isend_function *const isend[] = {MPI_Isend_c, MPI_Issend_c, MPI_Irsend_c, MPI_Ibsend_c};
    isend_function *const init[] = {MPI_Send_init_c, MPI_Ssend_init_c, MPI_Rsend_init_c, MPI_Bsend_init_c};
    for (int i = 0; i < 4; i++) {
        MPI_Request request[2];
        ready(me + 3);
        CHECK_OK(MPI_Irecv_c(in, N, MPI_INT, left_of(me), TAG, MPI_COMM_WORLD, &request[0]));
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK_OK(isend[i](out, N, MPI_INT, right_of(me), TAG, MPI_COMM_WORLD, &request[1]));
        CHECK_OK(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
        arrived(left_of(me) + 3, __LINE__);
        CHECK_OK(MPI_Recv_init_c(in, N, MPI_INT, left_of(me), TAG, MPI_COMM_WORLD, &request[0]));
        CHECK_OK(init[i](out, N, MPI_INT, right_of(me), TAG, MPI_COMM_WORLD, &request[1]));
        for (int k = 0; k < 3; k++) {
            ready(me + k);
            CHECK_OK(MPI_Start(&request[0]));
            MPI_Barrier(MPI_COMM_WORLD);
            CHECK_OK(MPI_Start(&request[1]));
            CHECK_OK(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
            arrived(left_of(me) + k, __LINE__);
        }
        MPI_Request_free(&request[0]);
        MPI_Request_free(&request[1]);
    }
}

static void both_ways(void)
{
    MPI_Status status;
    MPI_Request request;
    ready(me);
    CHECK_OK(
        MPI_Sendrecv_c(out, N, MPI_INT, right_of(me), TAG, in, N, MPI_INT, left_of(me), TAG, MPI_COMM_WORLD, &status));
    arrived(left_of(me), __LINE__);
    ready(me);
    CHECK_OK(MPI_Isendrecv_c(out, N, MPI_INT, right_of(me), TAG, in, N, MPI_INT, left_of(me), TAG, MPI_COMM_WORLD,
                             &request));
    CHECK_OK(MPI_Wait(&request, &status));
    arrived(left_of(me), __LINE__);
    for (int i = 0; i < N; i++)
        in[i] = me * 1000 + i;
    CHECK_OK(MPI_Sendrecv_replace_c(in, N, MPI_INT, right_of(me), TAG, left_of(me), TAG, MPI_COMM_WORLD, &status));
    arrived(left_of(me), __LINE__);
    for (int i = 0; i < N; i++)
        in[i] = me * 1000 + i;
    CHECK_OK(MPI_Isendrecv_replace_c(in, N, MPI_INT, right_of(me), TAG, left_of(me), TAG, MPI_COMM_WORLD, &request));
    CHECK_OK(MPI_Wait(&request, &status));
    CHECK(bytes_of(&status) == (int)sizeof in, "%d bytes", bytes_of(&status));
    arrived(left_of(me), __LINE__);
}

static void matched(int blocks)
{
    MPI_Message message;
    MPI_Request request, sent;
    ready(me);
    CHECK_OK(MPI_Isend_c(out, N, MPI_INT, right_of(me), TAG, MPI_COMM_WORLD, &sent));
    CHECK_OK(MPI_Mprobe(left_of(me), TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE));
    if (blocks) {
        CHECK_OK(MPI_Mrecv_c(in, N, MPI_INT, &message, MPI_STATUS_IGNORE));
    } else {
        CHECK_OK(MPI_Imrecv_c(in, N, MPI_INT, &message, &request));
        CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    CHECK_OK(MPI_Wait(&sent, MPI_STATUS_IGNORE));
    arrived(left_of(me), __LINE__);
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    check_return_errors();
    MPI_Count size = (MPI_Count)sizeof out + MPI_BSEND_OVERHEAD, detached = -1;
    void *buffer = check_alloc((size_t)size), *address = NULL;
    CHECK_OK(MPI_Buffer_attach_c(buffer, size));
    blocking();
    with_requests();
    both_ways();
    matched(1);
    matched(0);
    CHECK_OK(MPI_Buffer_detach_c(&address, &detached));
    CHECK(address == buffer && detached == size, "%p of %lld bytes", address, (long long)detached);
    CHECK_CLASS(MPI_Send_c(out, -1, MPI_INT, me, TAG, MPI_COMM_WORLD), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Recv_c(in, INT64_MAX / 2, MPI_INT, me, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_ERR_COUNT);
    free(buffer);
    return check_finish();
}
