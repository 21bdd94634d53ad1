/* Looking at requests leaves them as they are; the fields of a status can be read and set. */
#include "check.h"

enum { N = 3 };

static void fields(void)
{
    MPI_Status status;
    int value = -1;
    CHECK_OK(MPI_Status_set_source(&status, 4));
    CHECK_OK(MPI_Status_set_tag(&status, 5));
    CHECK_OK(MPI_Status_set_error(&status, MPI_ERR_ARG));
    CHECK_OK(MPI_Status_get_source(&status, &value));
    CHECK(value == 4 && status.MPI_SOURCE == 4, "source %d", value);
    CHECK_OK(MPI_Status_get_tag(&status, &value));
    CHECK(value == 5 && status.MPI_TAG == 5, "tag %d", value);
    CHECK_OK(MPI_Status_get_error(&status, &value));
    CHECK(value == MPI_ERR_ARG, "error %d", value);
    CHECK_CLASS(MPI_Status_get_tag(NULL, &value), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Status_set_tag(MPI_STATUS_IGNORE, 1), MPI_ERR_ARG);
}

static void nothing_active(void)
{
    MPI_Request request[N] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status status[N];
    int index = -7, flag = -7, count = -7, indices[N];
    CHECK_OK(MPI_Request_get_status_any(N, request, &index, &flag, &status[0]));
    CHECK(index == MPI_UNDEFINED && flag, "index %d flag %d", index, flag);
    check_empty_status(&status[0], __LINE__);
    CHECK_OK(MPI_Request_get_status_all(N, request, &flag, status));
    CHECK(flag, "flag %d", flag);
    for (int i = 0; i < N; i++)
        check_empty_status(&status[i], __LINE__);
    CHECK_OK(MPI_Request_get_status_some(N, request, &count, indices, status));
    CHECK(count == MPI_UNDEFINED, "count %d", count);
    CHECK_OK(MPI_Request_get_status_all(0, NULL, &flag, MPI_STATUSES_IGNORE));
    CHECK(flag, "flag %d", flag);
}

static void some_active(void)
{
    MPI_Request request[N];
    MPI_Status status[N];
    int value[N] = {-1, -1, -1}, index = -7, flag = -7, count = -7, indices[N] = {-7, -7, -7};
    for (int i = 0; i < N; i++)
        MPI_Irecv(&value[i], 1, MPI_INT, me, i, MPI_COMM_WORLD, &request[i]);
    CHECK_OK(MPI_Request_get_status_any(N, request, &index, &flag, &status[0]));
    CHECK(!flag, "flag %d index %d", flag, index);
    CHECK_OK(MPI_Request_get_status_some(N, request, &count, indices, status));
    CHECK(count == 0, "count %d", count);
    int out = 41;
    MPI_Send(&out, 1, MPI_INT, me, 1, MPI_COMM_WORLD);
    for (flag = 0; !flag;)
        CHECK_OK(MPI_Request_get_status_any(N, request, &index, &flag, &status[0]));
    CHECK(index == 1 && status[0].MPI_TAG == 1 && request[1] != MPI_REQUEST_NULL, "index %d tag %d", index,
          status[0].MPI_TAG);
    CHECK_OK(MPI_Request_get_status_some(N, request, &count, indices, status));
    CHECK(count == 1 && indices[0] == 1 && bytes_of(&status[0]) == 4, "count %d index %d", count, indices[0]);
    CHECK_OK(MPI_Request_get_status_all(N, request, &flag, status));
    CHECK(!flag, "flag %d", flag);
    MPI_Send(&out, 1, MPI_INT, me, 0, MPI_COMM_WORLD);
    MPI_Send(&out, 1, MPI_INT, me, 2, MPI_COMM_WORLD);
    for (flag = 0; !flag;)
        CHECK_OK(MPI_Request_get_status_all(N, request, &flag, status));
    for (int i = 0; i < N; i++)
        CHECK(status[i].MPI_TAG == i && value[i] == 41, "%d: tag %d value %d", i, status[i].MPI_TAG, value[i]);
    CHECK_OK(MPI_Waitall(N, request, MPI_STATUSES_IGNORE));
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    check_return_errors();
    fields();
    nothing_active();
    some_active();
    return check_finish();
}
