/* Sessions one after the other, before, beside and after the world of MPI_Init. Skipped where a rank that has left stays away,
 * as its error handler is told. */
#include "check.h"

static void talk(MPI_Session session)
{
    MPI_Group group;
    MPI_Comm comm;
    int sum = -1, one = 1, size;
    CHECK_OK(MPI_Group_from_session_pset(session, "mpi://WORLD", &group));
    MPI_Group_size(group, &size);
    CHECK_OK(MPI_Comm_create_from_group(group, "again", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    CHECK_OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK(sum == size, "sum %d of %d", sum, size);
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
}

static void open_and_close(void)
{
    MPI_Session session;
    CHECK_OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    talk(session);
    CHECK_OK(MPI_Session_finalize(&session));
}

int main(int argc, char **argv)
{
    MPI_Session across;
    int up = -1, down = -1;
    open_and_close();
    int e = MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &across);
    if (e != MPI_SUCCESS) {
        CHECK(class_of(e) == MPI_ERR_OTHER, "class %d", class_of(e));
        return 77;
    }
    CHECK_OK(MPI_Session_finalize(&across));
    for (int i = 0; i < 3; i++)
        open_and_close();
    check_start(&argc, &argv);
    MPI_Initialized(&up);
    MPI_Finalized(&down);
    CHECK(up && !down, "initialized %d, finalized %d", up, down);
    open_and_close();
    CHECK_OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &across));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    MPI_Initialized(&up);
    MPI_Finalized(&down);
    CHECK(up && down, "initialized %d, finalized %d", up, down);
    talk(across);
    CHECK_OK(MPI_Session_finalize(&across));
    open_and_close();
    return 0;
}
