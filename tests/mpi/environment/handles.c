/* Handles as integers and back: predefined ones are their numbers in the ABI, others keep one of their own while they live; and
 * Fortran's names for the same. Statuses go through all three forms unchanged. */
#include "check.h"

static void predefined(void)
{
    CHECK(MPI_Comm_toint(MPI_COMM_WORLD) == 0x101 && MPI_Comm_fromint(0x101) == MPI_COMM_WORLD, "%x",
          (unsigned)MPI_Comm_toint(MPI_COMM_WORLD));
    CHECK(MPI_Comm_fromint(MPI_Comm_toint(MPI_COMM_NULL)) == MPI_COMM_NULL, "the null communicator");
    CHECK(MPI_Type_fromint(MPI_Type_toint(MPI_DOUBLE)) == MPI_DOUBLE && MPI_Type_toint(MPI_INT) == 0x209, "types");
    CHECK(MPI_Op_fromint(MPI_Op_toint(MPI_SUM)) == MPI_SUM && MPI_Op_toint(MPI_SUM) == 0x21, "operations");
    CHECK(MPI_Group_fromint(MPI_Group_toint(MPI_GROUP_EMPTY)) == MPI_GROUP_EMPTY, "groups");
    CHECK(MPI_Request_fromint(MPI_Request_toint(MPI_REQUEST_NULL)) == MPI_REQUEST_NULL, "requests");
    CHECK(MPI_Errhandler_fromint(MPI_Errhandler_toint(MPI_ERRORS_RETURN)) == MPI_ERRORS_RETURN, "error handlers");
    CHECK(MPI_Info_fromint(MPI_Info_toint(MPI_INFO_ENV)) == MPI_INFO_ENV, "hints");
    CHECK(MPI_Message_fromint(MPI_Message_toint(MPI_MESSAGE_NO_PROC)) == MPI_MESSAGE_NO_PROC, "messages");
    CHECK(MPI_Session_fromint(MPI_Session_toint(MPI_SESSION_NULL)) == MPI_SESSION_NULL, "sessions");
    CHECK(MPI_Win_fromint(MPI_Win_toint(MPI_WIN_NULL)) == MPI_WIN_NULL, "windows");
    CHECK(MPI_File_fromint(MPI_File_toint(MPI_FILE_NULL)) == MPI_FILE_NULL, "files");
}

static void objects(void)
{
    MPI_Comm dup = MPI_COMM_NULL;
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    int value = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Recv_init(&value, 1, MPI_INT, MPI_PROC_NULL, 0, dup, &request);
    int c = MPI_Comm_toint(dup), g = MPI_Group_toint(group), q = MPI_Request_toint(request);
    CHECK(c > 0xfff && g > 0xfff && q > 0xfff && c != g && g != q && c != q, "%d %d %d", c, g, q);
    CHECK(MPI_Comm_fromint(c) == dup && MPI_Group_fromint(g) == group && MPI_Request_fromint(q) == request,
          "%d %d %d lead elsewhere", c, g, q);
    int rank = -1;
    CHECK_OK(MPI_Comm_rank(MPI_Comm_fromint(c), &rank));
    CHECK(rank == me, "%d", rank);
    MPI_Fint f = MPI_Comm_c2f(dup);
    CHECK(f == c && MPI_Comm_f2c(f) == dup, "%d, wanted %d", f, c);
    MPI_Request_free(&request);
    MPI_Group_free(&group);
    MPI_Comm_free(&dup);
}

/* Integers that name nothing are handles that calls refuse. */
static void garbage(void)
{
    const int numbers[] = {-1, 0, 0xfff, 0x7fffffff};
    check_return_errors();
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        int rank = -1;
        CHECK_CLASS(MPI_Comm_rank(MPI_Comm_fromint(numbers[i]), &rank), MPI_ERR_COMM);
    }
}

static void statuses(void)
{
    MPI_Status status, back;
    MPI_F08_status f08;
    MPI_Fint f[MPI_F_STATUS_SIZE];
    int out = 1, in = 0;
    MPI_Sendrecv(&out, 1, MPI_INT, 0, 9, &in, 1, MPI_INT, 0, 9, MPI_COMM_SELF, &status);
    CHECK_OK(MPI_Status_c2f(&status, f));
    CHECK(f[MPI_F_SOURCE] == 0 && f[MPI_F_TAG] == 9, "%d %d", f[MPI_F_SOURCE], f[MPI_F_TAG]);
    CHECK_OK(MPI_Status_f2f08(f, &f08));
    CHECK_OK(MPI_Status_f082f(&f08, f));
    CHECK_OK(MPI_Status_f2c(f, &back));
    CHECK(back.MPI_TAG == 9 && bytes_of(&back) == (int)sizeof in, "tag %d, %d bytes", back.MPI_TAG, bytes_of(&back));
    CHECK_OK(MPI_Status_c2f08(&back, &f08));
    CHECK_OK(MPI_Status_f082c(&f08, &status));
    CHECK(!memcmp(&status, &back, sizeof status), "a status has changed on its way");
    CHECK_CLASS(MPI_Status_c2f(&status, MPI_F_STATUS_IGNORE), MPI_ERR_ARG);
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    predefined();
    objects();
    garbage();
    statuses();
    return check_finish();
}
