/* complete.c: waiting for requests and testing them (MPI 5.0, section 3.7). A null request and an inactive
 * persistent one are complete with the empty status and do not count where counting matters.
 */
#include "complete.h"

#include "finish.h"
#include "state.h"
#include "status.h"

struct request *complete_active(MPI_Request h)
{
    if (h == MPI_REQUEST_NULL)
        return NULL;
    struct request *q = api_request(h);
    return q->flags & REQUEST_PERSISTENT && !(q->flags & (REQUEST_ACTIVE | REQUEST_DONE)) ? NULL : q;
}

/* The communicator of a request, unless it is gone: a collective's request does not keep it. */
static struct comm *comm_of(struct rank *r, const struct request *q)
{
    for (struct list *l = r->comms.next; l != &r->comms; l = l->next)
        if (list_entry(l, struct comm, all) == q->comm)
            return q->comm;
    return NULL;
}

/* The program's functions have a say in the status, and are told that it is over. */
static void general_end(struct rank *r, struct request *q, MPI_Status *status)
{
    int e = api_general_query(r, q, status), freed = api_general_free(r, q);
    q->error = e ? e : freed;
}

void complete_one(struct rank *r, MPI_Request *h, MPI_Status *status, struct outcome *o)
{
    struct request *q = complete_active(*h);
    o->error = MPI_SUCCESS;
    if (!q) {
        api_status_empty(status);
        return;
    }
    mpico_cost_settle();
    if (q->kind == REQUEST_GENERAL)
        general_end(r, q, status);
    else
        api_status_set(status, q);
    if (q->error) {
        o->error = q->error;
        if (!o->first)
            api_request_fault(r, q);
        if (!o->first++ && (o->comm = comm_of(r, q)))
            mpico_comm_keep(o->comm);
    }
    if (q->flags & REQUEST_PERSISTENT) {
        q->flags &= (uint16_t)~REQUEST_DONE;
        return;
    }
    api_request_drop(r, q);
    *h = MPI_REQUEST_NULL;
}

int complete_report(struct rank *r, struct outcome *o, int e)
{
    e = api_error(r, o->comm, e);
    if (o->comm)
        mpico_comm_release(r, o->comm);
    return e;
}

int complete_check_array(struct rank *r, int count, const MPI_Request *requests)
{
    int e = check_count(r, count, "count");
    if (!e && count > 0)
        e = check_pointer(r, requests, "array_of_requests");
    for (int i = 0; i < count && !e; i++)
        e = check_request(r, &requests[i], "array_of_requests");
    return e;
}

int complete_all(struct rank *r, int count, MPI_Request *requests, MPI_Status *statuses)
{
    struct outcome o = {0};
    for (int i = 0; i < count; i++) {
        MPI_Status *s = statuses ? &statuses[i] : MPI_STATUS_IGNORE;
        complete_one(r, &requests[i], s, &o);
        if (s)
            s->MPI_ERROR = o.error;
    }
    return o.first ? complete_report(r, &o, MPI_ERR_IN_STATUS) : MPI_SUCCESS;
}

#pragma weak MPI_Wait = PMPI_Wait
int PMPI_Wait(MPI_Request *request, MPI_Status *status)
{
    struct rank *r API_HELD = (api_enter)("MPI_Wait");
    int e = check_request(r, request, "request");
    if (e)
        return api_error(r, NULL, e);
    struct request *q = complete_active(*request);
    if (q && !(q->flags & REQUEST_DONE))
        mpico_wait(r, q);
    struct outcome o = {0};
    complete_one(r, request, status, &o);
    return o.first ? complete_report(r, &o, o.error) : MPI_SUCCESS;
}

#pragma weak MPI_Test = PMPI_Test
int PMPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    struct rank *r API_HELD = (api_enter)("MPI_Test");
    int e;
    if ((e = check_request(r, request, "request")) || (e = check_pointer(r, flag, "flag")))
        return api_error(r, NULL, e);
    struct request *q = complete_active(*request);
    mpico_poll(r, !q || q->flags & REQUEST_DONE);
    *flag = !q || q->flags & REQUEST_DONE;
    if (!*flag)
        return MPI_SUCCESS;
    struct outcome o = {0};
    complete_one(r, request, status, &o);
    return o.first ? complete_report(r, &o, o.error) : MPI_SUCCESS;
}

#pragma weak MPI_Waitall = PMPI_Waitall
int PMPI_Waitall(int count, MPI_Request array_of_requests[], MPI_Status array_of_statuses[])
{
    struct rank *r API_HELD = (api_enter)("MPI_Waitall");
    int e = complete_check_array(r, count, array_of_requests);
    if (e)
        return api_error(r, NULL, e);
    for (int i = 0; i < count; i++) {
        struct request *q = complete_active(array_of_requests[i]);
        if (q && !(q->flags & REQUEST_DONE))
            mpico_wait(r, q);
    }
    return complete_all(r, count, array_of_requests, array_of_statuses);
}

static int all_done(int count, const MPI_Request *requests)
{
    for (int i = 0; i < count; i++) {
        const struct request *q = complete_active(requests[i]);
        if (q && !(q->flags & REQUEST_DONE))
            return 0;
    }
    return 1;
}

#pragma weak MPI_Testall = PMPI_Testall
int PMPI_Testall(int count, MPI_Request array_of_requests[], int *flag, MPI_Status array_of_statuses[])
{
    struct rank *r = api_enter("MPI_Testall");
    int e;
    if ((e = complete_check_array(r, count, array_of_requests)) || (e = check_pointer(r, flag, "flag")))
        return api_error(r, NULL, e);
    mpico_poll(r, all_done(count, array_of_requests));
    *flag = all_done(count, array_of_requests);
    return *flag ? complete_all(r, count, array_of_requests, array_of_statuses) : MPI_SUCCESS;
}

/* Requests that were freed while under way are still the program's messages. */
static struct request *detached_send(const struct rank *r)
{
    for (const struct list *l = r->requests.next; l != &r->requests; l = l->next) {
        struct request *q = list_entry(l, struct request, all);
        if (q->flags & REQUEST_DETACHED && q->kind == REQUEST_SEND)
            return q;
    }
    return NULL;
}

static void finish_detached_sends(struct rank *r)
{
    uint32_t idle = 0;
    for (struct request *q; (q = detached_send(r));) {
        struct request *const waited[1] = {q};
        mpico_wait_turn(r, &idle, waited, 1);
    }
}

#pragma weak MPI_Request_free = PMPI_Request_free
int PMPI_Request_free(MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Request_free");
    int e = check_request(r, request, "request");
    if (!e && *request == MPI_REQUEST_NULL)
        e = mpico_fault(r, MPI_ERR_REQUEST, "request: is MPI_REQUEST_NULL");
    if (e)
        return api_error(r, NULL, e);
    struct request *q = api_request(*request);
    if (q->kind == REQUEST_COLL && (q->flags & REQUEST_ACTIVE || !(q->flags & REQUEST_PERSISTENT)))
        return api_error(r, NULL,
                         mpico_fault(r, MPI_ERR_REQUEST, "request: a collective's cannot be freed, wait for it"));
    if (q->kind == REQUEST_COLL)
        api_kept_free(r, q);
    *request = MPI_REQUEST_NULL;
    if (q->kind == REQUEST_PARTS)
        return api_parts_free(r, q);
    if (!(q->flags & REQUEST_ACTIVE)) {
        if (q->kind == REQUEST_GENERAL)
            e = api_general_free(r, q);
        api_request_drop(r, q);
        return e ? api_error(r, NULL, e) : MPI_SUCCESS;
    }
    /* Under way: the core keeps the communicator until the end and frees the request then. */
    if (q->flags & REQUEST_OWNS_COMM)
        mpico_comm_release(r, q->comm);
    q->flags = (uint16_t)((q->flags & ~REQUEST_OWNS_COMM) | REQUEST_DETACHED);
    api_state(r)->finish_detached = finish_detached_sends;
    return MPI_SUCCESS;
}

#pragma weak MPI_Cancel = PMPI_Cancel
int PMPI_Cancel(MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Cancel");
    int e = check_request(r, request, "request");
    struct request *q = e ? NULL : complete_active(*request);
    if (!e && !q)
        e = mpico_fault(r, MPI_ERR_REQUEST, "request: nothing is under way that could be cancelled");
    if (!e && q->kind == REQUEST_COLL)
        e = mpico_fault(r, MPI_ERR_REQUEST, "request: a collective cannot be cancelled");
    if (!e && q->kind == REQUEST_GENERAL)
        e = api_general_cancel(r, q);
    if (e)
        return api_error(r, NULL, e);
    /* A send is never cancelled: it may be matched at any time, and the standard lets us say so. */
    if (q->kind == REQUEST_RECV)
        mpico_recv_cancel(r, q);
    return MPI_SUCCESS;
}

#pragma weak MPI_Test_cancelled = PMPI_Test_cancelled
int PMPI_Test_cancelled(const MPI_Status *status, int *flag)
{
    struct rank *r = api_enter("MPI_Test_cancelled");
    int e;
    if ((e = check_pointer(r, status, "status")) || (e = check_pointer(r, flag, "flag")))
        return api_error(r, NULL, e);
    *flag = status_cancelled(status);
    return MPI_SUCCESS;
}
