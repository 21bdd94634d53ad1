/* Hints of a communicator: set, got as a copy, not inherited by MPI_Comm_dup. */
#include "check.h"

static int keys_of(MPI_Comm comm)
{
    MPI_Info info;
    int n = -1;
    CHECK_OK(MPI_Comm_get_info(comm, &info));
    MPI_Info_get_nkeys(info, &n);
    CHECK_OK(MPI_Info_free(&info));
    return n;
}

int main(int argc, char **argv)
{
    MPI_Comm comm, twin, hinted;
    MPI_Info info;
    check_start(&argc, &argv);
    check_return_errors();
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_assert_no_any_tag", "true");
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK(keys_of(comm) == 0, "%d", keys_of(comm));
    CHECK_OK(MPI_Comm_set_info(comm, info));
    CHECK(keys_of(comm) == 1, "%d", keys_of(comm));
    MPI_Comm_dup(comm, &twin);
    CHECK(keys_of(twin) == 0, "%d", keys_of(twin));
    CHECK_OK(MPI_Comm_dup_with_info(comm, info, &hinted));
    CHECK(keys_of(hinted) == 1, "%d", keys_of(hinted));
    MPI_Info_free(&info);
    CHECK_OK(MPI_Comm_set_info(comm, MPI_INFO_NULL));
    CHECK(keys_of(comm) == 1, "%d", keys_of(comm));
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_assert_no_any_source", "true");
    CHECK_OK(MPI_Comm_set_info(comm, info)); /* which leaves the others */
    CHECK(keys_of(comm) == 2, "%d", keys_of(comm));
    MPI_Info_free(&info);
    CHECK_CLASS(MPI_Comm_set_info(comm, info), MPI_SUCCESS);
    CHECK_CLASS(MPI_Comm_get_info(MPI_COMM_NULL, &info), MPI_ERR_COMM);
    MPI_Comm_free(&hinted);
    MPI_Comm_free(&twin);
    MPI_Comm_free(&comm);
    return check_finish();
}
