/* A buffered send for which there is no room fails, and those before it still arrive. */
#include "check.h"

int main(int argc, char **argv)
{
    enum { LENGTH = 50000 };
    check_start(&argc, &argv);
    check_return_errors();
    unsigned char *message = check_alloc(LENGTH);
    int size = LENGTH + MPI_BSEND_OVERHEAD, detached_size;
    void *buffer = check_alloc((size_t)size), *detached;
    fill_bytes(message, LENGTH, me);
    CHECK(MPI_Bsend(message, LENGTH, MPI_BYTE, right_of(me), 9, MPI_COMM_WORLD) != MPI_SUCCESS, "no buffer, %d bytes",
          LENGTH);
    CHECK_OK(MPI_Buffer_attach(buffer, size));
    CHECK(MPI_Bsend(message, size + 1000, MPI_BYTE, MPI_PROC_NULL, 1, MPI_COMM_WORLD) == MPI_SUCCESS, "to nobody: %d",
          size);
    CHECK_CLASS(MPI_Bsend(message, 2 * LENGTH, MPI_BYTE, right_of(me), 9, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    CHECK_OK(MPI_Bsend(message, LENGTH, MPI_BYTE, right_of(me), 1, MPI_COMM_WORLD));
    memset(message, 0, LENGTH);
    CHECK_OK(MPI_Recv(message, LENGTH, MPI_BYTE, left_of(me), MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(wrong_byte(message, LENGTH, left_of(me)) < 0, "byte %ld", wrong_byte(message, LENGTH, left_of(me)));
    CHECK_OK(MPI_Buffer_detach(&detached, &detached_size));
    free(buffer);
    free(message);
    return check_finish();
}
