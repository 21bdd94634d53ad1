/* MPI_Init takes NULL for both arguments. */
#include "check.h"

int main(void)
{
    MPI_Init(NULL, NULL);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    CHECK(np >= 1, "%d ranks", np);
    return check_finish();
}
