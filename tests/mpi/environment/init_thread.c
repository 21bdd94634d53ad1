/* MPI_Init_thread gives a level that exists; the levels are ordered. */
#include "check.h"

int main(int argc, char **argv)
{
    int provided = -77;
    CHECK(MPI_THREAD_SINGLE < MPI_THREAD_FUNNELED && MPI_THREAD_FUNNELED < MPI_THREAD_SERIALIZED &&
              MPI_THREAD_SERIALIZED < MPI_THREAD_MULTIPLE,
          "%d %d %d %d", MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    CHECK(provided >= MPI_THREAD_SINGLE && provided <= MPI_THREAD_MULTIPLE, "provided %d", provided);
    int up = 0;
    MPI_Initialized(&up);
    CHECK(up, "initialized %d", up);
    MPI_Barrier(MPI_COMM_WORLD);
    return check_finish();
}
