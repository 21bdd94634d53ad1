/* Names of communicators. */
#include "check.h"

static void check_name(MPI_Comm comm, const char *wanted)
{
    char name[MPI_MAX_OBJECT_NAME] = "?";
    int length = -1;
    CHECK_OK(MPI_Comm_get_name(comm, name, &length));
    CHECK(strcmp(name, wanted) == 0 && length == (int)strlen(wanted), "'%s' (%d), wanted '%s'", name, length, wanted);
}

int main(int argc, char **argv)
{
    char lengthy[2 * MPI_MAX_OBJECT_NAME], name[MPI_MAX_OBJECT_NAME];
    int length;
    MPI_Comm comm, twin;
    check_start(&argc, &argv);
    check_return_errors();
    check_name(MPI_COMM_WORLD, "MPI_COMM_WORLD");
    check_name(MPI_COMM_SELF, "MPI_COMM_SELF");
    check_name(MPI_COMM_NULL, "MPI_COMM_NULL");
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    check_name(comm, "");
    CHECK_OK(MPI_Comm_set_name(comm, "the ring"));
    check_name(comm, "the ring");
    MPI_Comm_dup(comm, &twin);
    check_name(twin, "");
    CHECK_OK(MPI_Comm_set_name(comm, ""));
    check_name(comm, "");
    CHECK_OK(MPI_Comm_set_name(MPI_COMM_WORLD, "all"));
    check_name(MPI_COMM_WORLD, "all");
    memset(lengthy, 'x', sizeof lengthy);
    lengthy[sizeof lengthy - 1] = 0;
    CHECK_OK(MPI_Comm_set_name(comm, lengthy));
    CHECK_OK(MPI_Comm_get_name(comm, name, &length));
    CHECK(length == MPI_MAX_OBJECT_NAME - 1 && (int)strlen(name) == length, "%d", length);
    CHECK_CLASS(MPI_Comm_set_name(comm, NULL), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Comm_set_name(MPI_COMM_NULL, "nobody"), MPI_ERR_COMM);
    MPI_Comm_free(&twin);
    MPI_Comm_free(&comm);
    return check_finish();
}
