/* MPI_Alloc_mem gives memory that can be written and sent; MPI_Free_mem takes it back, and nothing else. MPI_Pcontrol does nothing. */
#include "check.h"

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    for (MPI_Aint size = 0; size < (CHECK_SMALL ? 1500 : 10000); size += 700) {
        unsigned char *memory = NULL;
        CHECK_OK(MPI_Alloc_mem(size, MPI_INFO_NULL, &memory));
        CHECK(memory, "no address for %ld bytes", (long)size);
        fill_bytes(memory, (size_t)size, me);
        MPI_Sendrecv_replace(memory, (int)size, MPI_BYTE, right_of(me), 1, left_of(me), 1, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
        CHECK(wrong_byte(memory, (size_t)size, left_of(me)) < 0, "byte %ld of %ld",
              wrong_byte(memory, (size_t)size, left_of(me)), (long)size);
        CHECK_OK(MPI_Free_mem(memory));
    }
    for (int level = 2; level >= 0; level--)
        CHECK_OK(MPI_Pcontrol(level, "and more", 3));
    check_return_errors();
    void *none = NULL;
    int local = 0;
    CHECK_CLASS(MPI_Alloc_mem(-1, MPI_INFO_NULL, &none), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Alloc_mem(INTPTR_MAX, MPI_INFO_NULL, &none), MPI_ERR_NO_MEM);
    CHECK_CLASS(MPI_Alloc_mem(8, MPI_INFO_NULL, NULL), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Free_mem(&local), MPI_ERR_BASE);
    return check_finish();
}
