/* In checking mode (switched on here, through MPI_T): a datatype that would write a byte twice is refused for receives, and buffers of
 * operations under way must be left alone. What only interleaves is fine.
 */
#include "check.h"

/* Before MPI_Init, as all ranks must agree. */
static void check_much(void)
{
    MPI_T_cvar_handle handle;
    int index, count, on = 1;
    CHECK(MPI_T_cvar_get_index("mpico_check", &index) == MPI_SUCCESS, "np %d", np);
    CHECK(MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) == MPI_SUCCESS, "variable %d", index);
    CHECK(MPI_T_cvar_write(handle, &on) == MPI_SUCCESS, "variable %d", index);
    MPI_T_cvar_handle_free(&handle);
}

static MPI_Datatype committed(MPI_Datatype t)
{
    MPI_Type_commit(&t);
    return t;
}

static void entries(void)
{
    int buf[16] = {0};
    const int lens[] = {2, 2}, over[] = {0, 1}, beside[] = {4, 0};
    MPI_Datatype t;
    MPI_Request q;
    MPI_Type_indexed(2, lens, over, MPI_INT, &t);
    const MPI_Datatype bad = committed(t);
    MPI_Type_indexed(2, lens, beside, MPI_INT, &t);
    const MPI_Datatype good = committed(t);
    MPI_Type_create_resized(MPI_INT, 0, 2, &t);
    const MPI_Datatype narrow = committed(t);
    CHECK_CLASS(MPI_Irecv(buf, 1, bad, 0, 0, MPI_COMM_SELF, &q), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Recv(buf, 1, bad, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Recv_init(buf, 1, bad, 0, 0, MPI_COMM_SELF, &q), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Irecv(buf, 2, narrow, 0, 0, MPI_COMM_SELF, &q), MPI_ERR_TYPE);
    CHECK_OK(MPI_Irecv(buf, 1, good, 0, 0, MPI_COMM_SELF, &q));
    CHECK_OK(MPI_Send(buf + 8, 1, bad, 0, 0, MPI_COMM_SELF)); /* to read twice is fine */
    CHECK_OK(MPI_Wait(&q, MPI_STATUS_IGNORE));
    for (int i = 0; i < 3; i++) {
        t = i == 0 ? bad : i == 1 ? good : narrow;
        MPI_Type_free(&t);
    }
}

static void busy(void)
{
    int buf[16] = {0};
    MPI_Request receive, q, kept;
    MPI_Datatype column;
    MPI_Type_vector(4, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    CHECK_OK(MPI_Irecv(buf, 1, column, 0, 1, MPI_COMM_SELF, &receive)); /* column 0 of 4 */
    CHECK_CLASS(MPI_Irecv(buf + 8, 1, MPI_INT, 0, 2, MPI_COMM_SELF, &q), MPI_ERR_BUFFER);
    CHECK_CLASS(MPI_Irecv(buf + 3, 2, MPI_INT, 0, 2, MPI_COMM_SELF, &q), MPI_ERR_BUFFER);
    CHECK_CLASS(MPI_Isend(buf, 1, column, 0, 1, MPI_COMM_SELF, &q), MPI_ERR_BUFFER);
    CHECK_CLASS(MPI_Ssend(buf + 12, 1, MPI_INT, 0, 1, MPI_COMM_SELF), MPI_ERR_BUFFER);
    CHECK_OK(MPI_Irecv(buf, 16, MPI_INT, MPI_PROC_NULL, 2, MPI_COMM_SELF, &q)); /* touches nothing */
    CHECK_OK(MPI_Wait(&q, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Isend(buf + 1, 1, column, 0, 1, MPI_COMM_SELF, &q)); /* column 1, between */
    CHECK_OK(MPI_Wait(&receive, MPI_STATUS_IGNORE));
    CHECK_CLASS(MPI_Irecv(buf + 5, 1, MPI_INT, 0, 2, MPI_COMM_SELF, &receive), MPI_ERR_BUFFER); /* is still sent */
    CHECK_OK(MPI_Isend(buf + 1, 1, column, MPI_PROC_NULL, 1, MPI_COMM_SELF, &receive));
    CHECK_OK(MPI_Wait(&receive, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Wait(&q, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Recv_init(buf, 4, MPI_INT, 0, 3, MPI_COMM_SELF, &kept)); /* which asks for nothing yet */
    CHECK_OK(MPI_Irecv(buf + 2, 1, MPI_INT, 0, 2, MPI_COMM_SELF, &receive));
    CHECK_CLASS(MPI_Start(&kept), MPI_ERR_BUFFER);
    CHECK_OK(MPI_Send(buf + 8, 1, MPI_INT, 0, 2, MPI_COMM_SELF));
    CHECK_OK(MPI_Wait(&receive, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Start(&kept));
    CHECK_CLASS(MPI_Irecv(buf, 1, MPI_INT, 0, 2, MPI_COMM_SELF, &receive), MPI_ERR_BUFFER);
    CHECK_OK(MPI_Send(buf + 8, 4, MPI_INT, 0, 3, MPI_COMM_SELF));
    CHECK_OK(MPI_Wait(&kept, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Request_free(&kept));
    CHECK_CLASS(MPI_Sendrecv(buf, 4, MPI_INT, 0, 0, buf + 3, 4, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE),
                MPI_ERR_BUFFER);
    MPI_Type_free(&column);
}

/* A partitioned send reads its parts as they are marked ready, a partitioned receive writes those that have not come. */
static void partitioned(void)
{
    enum { PARTS = 4, EACH = 4 };
    int out[PARTS * EACH] = {0}, in[PARTS * EACH] = {0}, flag = 0;
    MPI_Request sender, receiver, again, q;
    CHECK_OK(MPI_Psend_init(out, PARTS, EACH, MPI_INT, 0, 5, MPI_COMM_SELF, MPI_INFO_NULL, &sender));
    CHECK_OK(MPI_Precv_init(in, PARTS, EACH, MPI_INT, 0, 5, MPI_COMM_SELF, MPI_INFO_NULL, &receiver));
    CHECK_OK(MPI_Recv_init(in + 3, 2, MPI_INT, 0, 6, MPI_COMM_SELF, &again));
    CHECK_OK(MPI_Irecv(in + 15, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &q));
    CHECK_CLASS(MPI_Start(&receiver), MPI_ERR_BUFFER); /* its last part is being written */
    CHECK_CLASS(MPI_Startall(1, &receiver), MPI_ERR_BUFFER);
    CHECK_OK(MPI_Send(out, 1, MPI_INT, 0, 7, MPI_COMM_SELF));
    CHECK_OK(MPI_Wait(&q, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Start(&receiver));
    CHECK_CLASS(MPI_Start(&again), MPI_ERR_BUFFER);
    CHECK_CLASS(MPI_Isend(in, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &q), MPI_ERR_BUFFER);
    CHECK_OK(MPI_Irecv(out + 8, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &q));
    CHECK_OK(MPI_Start(&sender)); /* it reads nothing yet */
    CHECK_OK(MPI_Pready_range(0, 1, sender));
    CHECK_CLASS(MPI_Pready(2, sender), MPI_ERR_BUFFER); /* it is being written */
    CHECK_OK(MPI_Send(&flag, 1, MPI_INT, 0, 7, MPI_COMM_SELF));
    CHECK_OK(MPI_Wait(&q, MPI_STATUS_IGNORE));
    CHECK_CLASS(MPI_Irecv(out + 7, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &q), MPI_ERR_BUFFER); /* part 1 is ready */
    CHECK_OK(MPI_Isend(out + 7, 1, MPI_INT, MPI_PROC_NULL, 7, MPI_COMM_SELF, &q));
    CHECK_OK(MPI_Wait(&q, MPI_STATUS_IGNORE));
    while (!flag)
        CHECK_OK(MPI_Parrived(receiver, 1, &flag));
    CHECK_OK(MPI_Irecv(out + 12, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &q)); /* part 3 is not */
    CHECK_OK(MPI_Send(in + 4, 1, MPI_INT, 0, 7, MPI_COMM_SELF));        /* part 1 has come */
    CHECK_OK(MPI_Wait(&q, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Pready_range(2, 3, sender));
    CHECK_OK(MPI_Wait(&sender, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Wait(&receiver, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Request_free(&sender));
    CHECK_OK(MPI_Request_free(&receiver));
    CHECK_OK(MPI_Request_free(&again));
}

/* Both sides of one call, where only checking mode sees more than equal addresses. */
static void collectives(void)
{
    int buf[16] = {0};
    MPI_Request q;
    MPI_Datatype column;
    MPI_Type_vector(4, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    CHECK_CLASS(MPI_Allreduce(buf, buf + 3, 4, MPI_INT, MPI_SUM, MPI_COMM_SELF), MPI_ERR_BUFFER);
    CHECK_CLASS(MPI_Allgather(buf + 3, 4, MPI_INT, buf, 4, MPI_INT, MPI_COMM_SELF), MPI_ERR_BUFFER);
    CHECK_CLASS(MPI_Ialltoall(buf, 4, MPI_INT, buf + 1, 4, MPI_INT, MPI_COMM_SELF, &q), MPI_ERR_BUFFER);
    CHECK_CLASS(MPI_Gather(buf, 4, MPI_INT, buf + 2, 4, MPI_INT, 0, MPI_COMM_SELF), MPI_ERR_BUFFER);
    CHECK_CLASS(MPI_Scan(buf + 1, buf, 2, MPI_INT, MPI_SUM, MPI_COMM_SELF), MPI_ERR_BUFFER);
    CHECK_OK(MPI_Allgather(buf, 1, column, buf + 1, 1, column, MPI_COMM_SELF)); /* columns beside each other */
    CHECK_OK(MPI_Allreduce(MPI_IN_PLACE, buf, 4, MPI_INT, MPI_SUM, MPI_COMM_SELF));
    CHECK_CLASS(MPI_Isendrecv(buf, 4, MPI_INT, 0, 0, buf + 3, 4, MPI_INT, 0, 0, MPI_COMM_SELF, &q), MPI_ERR_BUFFER);
    CHECK_OK(MPI_Isendrecv(buf, 4, MPI_INT, 0, 0, buf + 4, 4, MPI_INT, 0, 0, MPI_COMM_SELF, &q));
    CHECK_OK(MPI_Wait(&q, MPI_STATUS_IGNORE));
    MPI_Type_free(&column);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    check_much();
    check_start(&argc, &argv);
    check_return_errors();
    entries();
    busy();
    partitioned();
    collectives();
    MPI_T_finalize();
    return check_finish();
}
