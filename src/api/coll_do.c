/* coll_do.c: check a collective's arguments, build its schedule, launch it: the three steps of every form but the blocking ones
 * of coll.c.
 */
#include "coll_args.h"

int api_do_barrier(struct rank *r, MPI_Comm comm, coll_launch *launch, MPI_Request *request)
{
    struct comm *c = NULL;
    struct coll_call x;
    int e = api_coll_barrier(r, &x, comm, &c);
    return api_coll_launch(r, c, &x, launch, request, e);
}

int api_do_bcast(struct rank *r, const struct buffer *b, int root, MPI_Comm comm, coll_launch *launch,
                 MPI_Request *request)
{
    struct comm *c = NULL;
    struct coll_call x;
    int e = api_coll_bcast(r, &x, b, root, comm, &c);
    return api_coll_launch(r, c, &x, launch, request, e);
}

int api_do_rooted(struct rank *r, enum coll what, const struct buffer *send, const struct buffer *recv, int root,
                  MPI_Comm comm, coll_launch *launch, MPI_Request *request)
{
    struct comm *c = NULL;
    struct coll_call x;
    int e = api_coll_rooted(r, &x, what, send, recv, root, comm, &c);
    return api_coll_launch(r, c, &x, launch, request, e);
}

int api_do_all(struct rank *r, enum coll what, const struct buffer *send, const struct buffer *recv, MPI_Comm comm,
               coll_launch *launch, MPI_Request *request)
{
    struct comm *c = NULL;
    struct coll_call x;
    int e = api_coll_all(r, &x, what, send, recv, comm, &c);
    return api_coll_launch(r, c, &x, launch, request, e);
}

int api_do_reduction(struct rank *r, enum coll what, const void *send, const struct buffer *recv, MPI_Op op, int root,
                     MPI_Comm comm, coll_launch *launch, MPI_Request *request)
{
    struct comm *c = NULL;
    struct coll_call x;
    int e = api_coll_reduction(r, &x, what, send, recv, op, root, comm, &c);
    return api_coll_launch(r, c, &x, launch, request, e);
}
