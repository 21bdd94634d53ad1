/* complete_some.c: waiting for one or some of many requests (MPI 5.0, section 3.7.5). */
#include "complete.h"
#include "finish.h"

enum { WAITED_MAX = 8 }; /* shown in the note of a wait that lasts */

/* The index of a done request, or -1; `active` says if there is any that may still be done. */
static int find_done(int count, const MPI_Request *requests, int *active)
{
    *active = 0;
    for (int i = 0; i < count; i++) {
        const struct request *q = complete_active(requests[i]);
        if (!q)
            continue;
        if (q->flags & REQUEST_DONE)
            return i;
        *active = 1;
    }
    return -1;
}

/* Until one is done: its index, or MPI_UNDEFINED when none is active. */
static int wait_for_any(struct rank *r, int count, const MPI_Request *requests)
{
    struct request *shown[WAITED_MAX];
    int active, shown_count = 0, done = find_done(count, requests, &active);
    if (done >= 0 || !active)
        return done >= 0 ? done : MPI_UNDEFINED;
    for (int i = 0; i < count && shown_count < WAITED_MAX; i++)
        if ((shown[shown_count] = complete_active(requests[i])))
            shown_count++;
    uint32_t idle = 0;
    do
        mpico_wait_turn(r, &idle, shown, shown_count);
    while ((done = find_done(count, requests, &active)) < 0);
    mpico_wait_over(r);
    return done;
}

static int finish_any(struct rank *r, MPI_Request *requests, int index, MPI_Status *status)
{
    if (index == MPI_UNDEFINED) {
        api_status_empty(status);
        return MPI_SUCCESS;
    }
    struct outcome o = {0};
    complete_one(r, &requests[index], status, &o);
    return o.first ? complete_report(r, &o, o.error) : MPI_SUCCESS;
}

#pragma weak MPI_Waitany = PMPI_Waitany
int PMPI_Waitany(int count, MPI_Request array_of_requests[], int *index, MPI_Status *status)
{
    struct rank *r = api_enter("MPI_Waitany");
    int e;
    if ((e = complete_check_array(r, count, array_of_requests)) || (e = check_pointer(r, index, "index")))
        return api_error(r, NULL, e);
    *index = wait_for_any(r, count, array_of_requests);
    return finish_any(r, array_of_requests, *index, status);
}

#pragma weak MPI_Testany = PMPI_Testany
int PMPI_Testany(int count, MPI_Request array_of_requests[], int *index, int *flag, MPI_Status *status)
{
    struct rank *r = api_enter("MPI_Testany");
    int e, active;
    if ((e = complete_check_array(r, count, array_of_requests)) || (e = check_pointer(r, index, "index")) ||
        (e = check_pointer(r, flag, "flag")))
        return api_error(r, NULL, e);
    mpico_poll(r, find_done(count, array_of_requests, &active) >= 0);
    int done = find_done(count, array_of_requests, &active);
    *flag = done >= 0 || !active;
    *index = done >= 0 ? done : MPI_UNDEFINED;
    return *flag ? finish_any(r, array_of_requests, *index, status) : MPI_SUCCESS;
}

/* Hand over every done request. */
static int finish_some(struct rank *r, int count, MPI_Request *requests, int *outcount, int *indices,
                       MPI_Status *statuses)
{
    struct outcome o = {0};
    int n = 0;
    for (int i = 0; i < count; i++) {
        const struct request *q = complete_active(requests[i]);
        if (!q || !(q->flags & REQUEST_DONE))
            continue;
        MPI_Status *s = statuses ? &statuses[n] : MPI_STATUS_IGNORE;
        complete_one(r, &requests[i], s, &o);
        if (s)
            s->MPI_ERROR = o.error;
        indices[n++] = i;
    }
    *outcount = n;
    return o.first ? complete_report(r, &o, MPI_ERR_IN_STATUS) : MPI_SUCCESS;
}

static int check_some(struct rank *r, int incount, const MPI_Request *requests, const int *outcount, const int *indices)
{
    int e;
    if ((e = complete_check_array(r, incount, requests)) || (e = check_pointer(r, outcount, "outcount")))
        return e;
    return incount > 0 ? check_pointer(r, indices, "array_of_indices") : MPI_SUCCESS;
}

#pragma weak MPI_Waitsome = PMPI_Waitsome
int PMPI_Waitsome(int incount, MPI_Request array_of_requests[], int *outcount, int array_of_indices[],
                  MPI_Status array_of_statuses[])
{
    struct rank *r = api_enter("MPI_Waitsome");
    int e = check_some(r, incount, array_of_requests, outcount, array_of_indices);
    if (e)
        return api_error(r, NULL, e);
    if (wait_for_any(r, incount, array_of_requests) == MPI_UNDEFINED) {
        *outcount = MPI_UNDEFINED;
        return MPI_SUCCESS;
    }
    return finish_some(r, incount, array_of_requests, outcount, array_of_indices, array_of_statuses);
}

#pragma weak MPI_Testsome = PMPI_Testsome
int PMPI_Testsome(int incount, MPI_Request array_of_requests[], int *outcount, int array_of_indices[],
                  MPI_Status array_of_statuses[])
{
    struct rank *r = api_enter("MPI_Testsome");
    int active, e = check_some(r, incount, array_of_requests, outcount, array_of_indices);
    if (e)
        return api_error(r, NULL, e);
    mpico_progress(r);
    if (find_done(incount, array_of_requests, &active) < 0 && !active) {
        *outcount = MPI_UNDEFINED;
        return MPI_SUCCESS;
    }
    return finish_some(r, incount, array_of_requests, outcount, array_of_indices, array_of_statuses);
}
