/* Tags from 0 to 32767, the least upper bound the standard allows. */
#include "check.h"

int main(int argc, char **argv)
{
    const int tags[] = {0, 1, 127, 128, 255, 256, 16383, 32766, 32767};
    enum { TAGS = sizeof tags / sizeof tags[0] };
    check_start(&argc, &argv);
    int in[TAGS];
    MPI_Request requests[TAGS];
    for (int i = 0; i < TAGS; i++) {
        MPI_Irecv(&in[i], 1, MPI_INT, left_of(me), tags[i], MPI_COMM_WORLD, &requests[i]);
    }
    for (int i = TAGS - 1; i >= 0; i--) {
        MPI_Send(&tags[i], 1, MPI_INT, right_of(me), tags[i], MPI_COMM_WORLD);
    }
    for (int i = 0; i < TAGS; i++) {
        MPI_Status status;
        MPI_Wait(&requests[i], &status);
        CHECK(status.MPI_TAG == tags[i] && in[i] == tags[i], "tag %d holds %d, wanted %d", status.MPI_TAG, in[i],
              tags[i]);
    }
    return check_finish();
}
