/* Generalized requests: their functions are called when the standard says so, in every call that completes, looks or frees. */
#include "check.h"

struct state {
    int queries, frees, cancels, cancelled_complete;
    int fails; /* error class of the query function */
};

static int query(void *extra, MPI_Status *status)
{
    struct state *s = extra;
    s->queries++;
    MPI_Status_set_elements(status, MPI_INT, 5);
    MPI_Status_set_cancelled(status, s->cancels > 0);
    MPI_Status_set_source(status, 3);
    MPI_Status_set_tag(status, 9);
    return s->fails;
}

static int release(void *extra)
{
    ((struct state *)extra)->frees++;
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
    struct state *s = extra;
    s->cancels++;
    s->cancelled_complete = complete;
    return MPI_SUCCESS;
}

static MPI_Request start(struct state *s)
{
    MPI_Request request = MPI_REQUEST_NULL;
    *s = (struct state){0};
    CHECK_OK(MPI_Grequest_start(query, release, cancel, s, &request));
    CHECK(request != MPI_REQUEST_NULL, "the request is %p", (void *)request);
    return request;
}

static void check_status(const MPI_Status *status, int line)
{
    int count = -1;
    MPI_Get_count(status, MPI_INT, &count);
    CHECK(status->MPI_SOURCE == 3 && status->MPI_TAG == 9 && count == 5, "from line %d: source %d tag %d count %d",
          line, status->MPI_SOURCE, status->MPI_TAG, count);
}

static void wait_and_test(void)
{
    struct state s;
    MPI_Status status;
    int flag = -1;
    MPI_Request request = start(&s);
    CHECK_OK(MPI_Test(&request, &flag, &status));
    CHECK(!flag && s.queries == 0, "flag %d, %d queries", flag, s.queries);
    CHECK_OK(MPI_Grequest_complete(request));
    CHECK_OK(MPI_Request_get_status(request, &flag, &status));
    CHECK(flag && s.queries == 1 && s.frees == 0, "flag %d, %d queries, %d frees", flag, s.queries, s.frees);
    check_status(&status, __LINE__);
    CHECK_OK(MPI_Test(&request, &flag, &status));
    CHECK(flag && s.frees == 1 && request == MPI_REQUEST_NULL, "flag %d, %d frees", flag, s.frees);
    check_status(&status, __LINE__);
    request = start(&s);
    CHECK_OK(MPI_Grequest_complete(request));
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(s.queries == 1 && s.frees == 1, "%d queries, %d frees", s.queries, s.frees);
}

static void among_others(void)
{
    struct state s;
    int value = -1, index = -1, count = -1, indices[2];
    MPI_Status statuses[2];
    MPI_Request request[2] = {MPI_REQUEST_NULL, start(&s)};
    MPI_Irecv(&value, 1, MPI_INT, me, 1, MPI_COMM_WORLD, &request[0]);
    CHECK_OK(MPI_Grequest_complete(request[1]));
    CHECK_OK(MPI_Waitany(2, request, &index, &statuses[0]));
    CHECK(index == 1 && s.frees == 1, "index %d, %d frees", index, s.frees);
    check_status(&statuses[0], __LINE__);
    request[1] = start(&s);
    CHECK_OK(MPI_Grequest_complete(request[1]));
    CHECK_OK(MPI_Waitsome(2, request, &count, indices, statuses));
    CHECK(count == 1 && indices[0] == 1, "count %d index %d", count, indices[0]);
    check_status(&statuses[0], __LINE__);
    request[1] = start(&s);
    MPI_Send(&count, 1, MPI_INT, me, 1, MPI_COMM_WORLD);
    CHECK_OK(MPI_Grequest_complete(request[1]));
    CHECK_OK(MPI_Waitall(2, request, statuses));
    CHECK(value == 1 && statuses[0].MPI_SOURCE == me, "value %d source %d", value, statuses[0].MPI_SOURCE);
    check_status(&statuses[1], __LINE__);
}

static void cancelled_and_freed(void)
{
    struct state s;
    MPI_Status status;
    int flag = -1;
    MPI_Request request = start(&s), copy;
    CHECK_OK(MPI_Cancel(&request));
    CHECK(s.cancels == 1 && !s.cancelled_complete, "%d cancels", s.cancels);
    CHECK_OK(MPI_Grequest_complete(request));
    CHECK_OK(MPI_Cancel(&request));
    CHECK(s.cancels == 2 && s.cancelled_complete, "%d cancels", s.cancels);
    CHECK_OK(MPI_Wait(&request, &status));
    CHECK_OK(MPI_Test_cancelled(&status, &flag));
    CHECK(flag, "cancelled %d", flag);
    request = copy = start(&s);
    CHECK_OK(MPI_Request_free(&request));
    CHECK(s.frees == 0, "%d frees", s.frees);
    CHECK_OK(MPI_Grequest_complete(copy));
    CHECK(s.frees == 1 && s.queries == 0, "%d frees, %d queries", s.frees, s.queries);
    request = start(&s);
    CHECK_OK(MPI_Grequest_complete(request));
    CHECK_OK(MPI_Request_free(&request));
    CHECK(s.frees == 1 && s.queries == 0, "%d frees, %d queries", s.frees, s.queries);
}

static void failing(void)
{
    struct state s;
    MPI_Status status[1];
    MPI_Request request = start(&s);
    s.fails = MPI_ERR_BUFFER;
    CHECK_OK(MPI_Grequest_complete(request));
    CHECK_CLASS(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_BUFFER);
    CHECK(s.frees == 1, "%d frees", s.frees);
    request = start(&s);
    s.fails = MPI_ERR_BUFFER;
    CHECK_OK(MPI_Grequest_complete(request));
    CHECK_CLASS(MPI_Waitall(1, &request, status), MPI_ERR_IN_STATUS);
    CHECK(class_of(status[0].MPI_ERROR) == MPI_ERR_BUFFER, "error %d", status[0].MPI_ERROR);
    CHECK_CLASS(MPI_Grequest_start(NULL, release, cancel, &s, &request), MPI_ERR_ARG);
    MPI_Irecv(&s, 0, MPI_INT, me, 5, MPI_COMM_WORLD, &request);
    CHECK_CLASS(MPI_Grequest_complete(request), MPI_ERR_REQUEST);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    check_return_errors();
    wait_and_test();
    among_others();
    cancelled_and_freed();
    failing();
    return check_finish();
}
