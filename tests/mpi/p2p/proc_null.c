/* Messages to and from MPI_PROC_NULL complete at once, move nothing and leave the status the standard gives. */
#include "check.h"

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    int data = 42, kept = 43, found = 0;
    MPI_Status status;
    MPI_Request request;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Send(&data, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    MPI_Ssend(&data, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    MPI_Rsend(&data, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    MPI_Bsend(&data, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    MPI_Recv(&kept, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status);
    check_null_status(&status, __LINE__);
    MPI_Issend(&data, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Isend(&data, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    memset(&status, 0x55, sizeof status);
    MPI_Irecv(&kept, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status);
    check_null_status(&status, __LINE__);
    memset(&status, 0x55, sizeof status);
    MPI_Sendrecv(&data, 1, MPI_INT, MPI_PROC_NULL, 0, &kept, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
    check_null_status(&status, __LINE__);
    MPI_Sendrecv_replace(&kept, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
    check_null_status(&status, __LINE__);
    memset(&status, 0x55, sizeof status);
    MPI_Probe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &status);
    check_null_status(&status, __LINE__);
    memset(&status, 0x55, sizeof status);
    MPI_Iprobe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &found, &status);
    CHECK(found, "MPI_Iprobe: %d", found);
    check_null_status(&status, __LINE__);
    memset(&status, 0x55, sizeof status);
    MPI_Mprobe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &message, &status);
    check_null_status(&status, __LINE__);
    CHECK(message == MPI_MESSAGE_NO_PROC, "found %d", found);
    MPI_Mrecv(&kept, 1, MPI_INT, &message, &status);
    check_null_status(&status, __LINE__);
    CHECK(message == MPI_MESSAGE_NULL, "after MPI_Mrecv, kept %d", kept);
    MPI_Improbe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &found, &message, &status);
    CHECK(found && message == MPI_MESSAGE_NO_PROC, "MPI_Improbe: %d", found);
    MPI_Imrecv(&kept, 1, MPI_INT, &message, &request);
    MPI_Wait(&request, &status);
    check_null_status(&status, __LINE__);
    CHECK(kept == 43, "the buffer holds %d", kept);
    return check_finish();
}
