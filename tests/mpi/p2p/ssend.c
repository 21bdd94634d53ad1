/* A synchronous send does not complete before its receive has started. */
#include "check.h"

int main(int argc, char **argv)
{
    const int lengths[] = {0, 4, 1000, 100000};
    check_start(&argc, &argv);
    unsigned char *buffer = check_alloc(100000);
    int pairs = np / 2, token = 0;
    for (int i = 0; i < 4; i++) {
        if (me < pairs) {
            MPI_Request request;
            int done = 1;
            fill_bytes(buffer, (size_t)lengths[i], i);
            MPI_Issend(buffer, lengths[i], MPI_BYTE, me + pairs, 1, MPI_COMM_WORLD, &request);
            for (int j = 0; j < 50; j++) {
                MPI_Test(&request, &done, MPI_STATUS_IGNORE);
                CHECK(!done, "length %d: complete without a receive, test %d", lengths[i], j);
            }
            MPI_Send(&token, 1, MPI_INT, me + pairs, 2, MPI_COMM_WORLD);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            MPI_Ssend(buffer, lengths[i], MPI_BYTE, me + pairs, 3, MPI_COMM_WORLD);
        } else if (me < 2 * pairs) {
            MPI_Recv(&token, 1, MPI_INT, me - pairs, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            for (int tag = 1; tag <= 3; tag += 2) {
                memset(buffer, 0, (size_t)lengths[i]);
                MPI_Recv(buffer, lengths[i], MPI_BYTE, me - pairs, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                CHECK(wrong_byte(buffer, (size_t)lengths[i], i) < 0, "length %d, tag %d", lengths[i], tag);
            }
        }
    }
    free(buffer);
    return check_finish();
}
