/* A rank sends to itself: receive first, send first, Sendrecv, synchronous and ready sends, on two communicators. */
#include "check.h"

static void talk(MPI_Comm comm, int length)
{
    int rank = -1;
    MPI_Comm_rank(comm, &rank);
    unsigned char *out = check_alloc((size_t)length), *in = check_alloc((size_t)length);
    MPI_Request requests[2];
    MPI_Status status;
    for (int form = 0; form < 6; form++) {
        fill_bytes(out, (size_t)length, form);
        memset(in, 0, (size_t)length);
        switch (form) {
        case 0:
            MPI_Irecv(in, length, MPI_BYTE, rank, form, comm, &requests[0]);
            MPI_Isend(out, length, MPI_BYTE, rank, form, comm, &requests[1]);
            MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
            MPI_Wait(&requests[0], &status);
            break;
        case 1:
            MPI_Isend(out, length, MPI_BYTE, rank, form, comm, &requests[0]);
            MPI_Recv(in, length, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
            MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
            break;
        case 2:
            MPI_Sendrecv(out, length, MPI_BYTE, rank, form, in, length, MPI_BYTE, rank, form, comm, &status);
            break;
        case 3:
            MPI_Irecv(in, length, MPI_BYTE, rank, form, comm, &requests[0]);
            MPI_Ssend(out, length, MPI_BYTE, rank, form, comm);
            MPI_Wait(&requests[0], &status);
            break;
        case 4:
            MPI_Issend(out, length, MPI_BYTE, rank, form, comm, &requests[0]);
            MPI_Recv(in, length, MPI_BYTE, rank, form, comm, &status);
            MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
            break;
        default:
            MPI_Irecv(in, length, MPI_BYTE, rank, form, comm, &requests[0]);
            MPI_Rsend(out, length, MPI_BYTE, rank, form, comm);
            MPI_Wait(&requests[0], &status);
        }
        CHECK(status.MPI_SOURCE == rank && status.MPI_TAG == form && bytes_of(&status) == length,
              "form %d: source %d, tag %d, %d bytes of %d", form, status.MPI_SOURCE, status.MPI_TAG, bytes_of(&status),
              length);
        CHECK(wrong_byte(in, (size_t)length, form) < 0, "form %d, length %d", form, length);
    }
    free(out);
    free(in);
}

int main(int argc, char **argv)
{
    const int lengths[] = {
        0, 1, 24, 64, CHECK_SMALL ? 1500 : 4096, CHECK_SMALL ? 2500 : 70000, CHECK_SMALL ? 5000 : 1000000};
    check_start(&argc, &argv);
    for (int i = 0; i < 7; i++) {
        talk(MPI_COMM_SELF, lengths[i]);
        talk(MPI_COMM_WORLD, lengths[i]);
    }
    return check_finish();
}
