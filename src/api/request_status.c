/* request_status.c: looking at requests that stay as they are (MPI 5.0, section 3.7.6). */
#include "complete.h"
#include "finish.h"

static int is_done(const struct request *q) { return !q || q->flags & REQUEST_DONE; }

/* The status that completing it would give. 0 or an error class. */
static int look(struct rank *r, struct request *q, MPI_Status *status)
{
    int e = MPI_SUCCESS;
    if (!q)
        api_status_empty(status);
    else if (q->kind == REQUEST_GENERAL)
        e = api_general_query(r, q, status);
    else
        api_status_set(status, q);
    return e;
}

/* The first that is done, or MPI_UNDEFINED; `active` says whether there is any that may be. */
static int first_done(int count, const MPI_Request *requests, int *active)
{
    *active = 0;
    for (int i = 0; i < count; i++) {
        const struct request *q = complete_active(requests[i]);
        *active |= q != NULL;
        if (q && is_done(q))
            return i;
    }
    return MPI_UNDEFINED;
}

#pragma weak MPI_Request_get_status = PMPI_Request_get_status
int PMPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
    struct rank *r = api_enter("MPI_Request_get_status");
    int e;
    if ((e = check_request(r, &request, "request")) || (e = check_pointer(r, flag, "flag")))
        return api_error(r, NULL, e);
    struct request *q = complete_active(request);
    mpico_poll(r, is_done(q));
    *flag = is_done(q);
    if (*flag)
        e = look(r, q, status);
    return e ? api_error(r, NULL, e) : MPI_SUCCESS;
}

#pragma weak MPI_Request_get_status_any = PMPI_Request_get_status_any
int PMPI_Request_get_status_any(int count, const MPI_Request array_of_requests[], int *index, int *flag,
                                MPI_Status *status)
{
    struct rank *r = api_enter("MPI_Request_get_status_any");
    int e, active;
    if ((e = complete_check_array(r, count, array_of_requests)) || (e = check_pointer(r, index, "index")) ||
        (e = check_pointer(r, flag, "flag")))
        return api_error(r, NULL, e);
    mpico_poll(r, first_done(count, array_of_requests, &active) != MPI_UNDEFINED);
    *index = first_done(count, array_of_requests, &active);
    *flag = *index != MPI_UNDEFINED || !active;
    if (*flag)
        e = look(r, *index == MPI_UNDEFINED ? NULL : api_request(array_of_requests[*index]), status);
    return e ? api_error(r, NULL, e) : MPI_SUCCESS;
}

static int all_done(int count, const MPI_Request *requests)
{
    for (int i = 0; i < count; i++)
        if (!is_done(complete_active(requests[i])))
            return 0;
    return 1;
}

#pragma weak MPI_Request_get_status_all = PMPI_Request_get_status_all
int PMPI_Request_get_status_all(int count, const MPI_Request array_of_requests[], int *flag,
                                MPI_Status *array_of_statuses)
{
    struct rank *r = api_enter("MPI_Request_get_status_all");
    int e;
    if ((e = complete_check_array(r, count, array_of_requests)) || (e = check_pointer(r, flag, "flag")))
        return api_error(r, NULL, e);
    mpico_poll(r, all_done(count, array_of_requests));
    *flag = all_done(count, array_of_requests);
    for (int i = 0; *flag && array_of_statuses && i < count; i++)
        if ((e = look(r, complete_active(array_of_requests[i]), &array_of_statuses[i])))
            return api_error(r, NULL, e);
    return MPI_SUCCESS;
}

#pragma weak MPI_Request_get_status_some = PMPI_Request_get_status_some
int PMPI_Request_get_status_some(int incount, const MPI_Request array_of_requests[], int *outcount,
                                 int array_of_indices[], MPI_Status *array_of_statuses)
{
    struct rank *r = api_enter("MPI_Request_get_status_some");
    int e, active = 0, n = 0;
    if ((e = complete_check_array(r, incount, array_of_requests)) || (e = check_pointer(r, outcount, "outcount")) ||
        (incount > 0 && (e = check_pointer(r, array_of_indices, "array_of_indices"))))
        return api_error(r, NULL, e);
    mpico_progress(r);
    for (int i = 0; i < incount; i++) {
        struct request *q = complete_active(array_of_requests[i]);
        active |= q != NULL;
        if (!q || !is_done(q))
            continue;
        if (array_of_statuses && (e = look(r, q, &array_of_statuses[n])))
            return api_error(r, NULL, e);
        array_of_indices[n++] = i;
    }
    *outcount = active ? n : MPI_UNDEFINED;
    return MPI_SUCCESS;
}
