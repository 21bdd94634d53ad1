/* What is refused on intercommunicators, and where one is needed. */
#include "sides.h"

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    check_return_errors();
    struct sides s = sides_make(1, 0);
    int n = 0, in[64] = {0}, out[64] = {0}, beyond = s.others;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Group group;
    MPI_Request q;
    MPI_Comm_set_errhandler(s.inter, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(s.part, MPI_ERRORS_RETURN);
    CHECK_CLASS(MPI_Comm_remote_size(s.part, &n), MPI_ERR_COMM);
    CHECK_CLASS(MPI_Comm_remote_group(MPI_COMM_WORLD, &group), MPI_ERR_COMM);
    CHECK_CLASS(MPI_Intercomm_merge(s.part, 0, &comm), MPI_ERR_COMM);
    CHECK_CLASS(MPI_Comm_remote_size(s.inter, NULL), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Send(&n, 1, MPI_INT, beyond, 0, s.inter), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Bcast(&n, 1, MPI_INT, beyond, s.inter), MPI_ERR_ROOT);
    CHECK_CLASS(MPI_Bcast(&n, 1, MPI_INT, MPI_ANY_SOURCE, s.inter), MPI_ERR_ROOT);
    CHECK_CLASS(MPI_Ibcast(&n, 1, MPI_INT, -7, s.inter, &q), MPI_ERR_ROOT);
    CHECK_CLASS(MPI_Gather(&n, 1, MPI_INT, in, 1, MPI_INT, beyond, s.inter), MPI_ERR_ROOT);
    CHECK_CLASS(MPI_Scatter(out, 1, MPI_INT, in, 1, MPI_INT, beyond, s.inter), MPI_ERR_ROOT);
    CHECK_CLASS(MPI_Reduce(out, in, 1, MPI_INT, MPI_SUM, beyond, s.inter), MPI_ERR_ROOT);
    CHECK_CLASS(MPI_Reduce(MPI_IN_PLACE, in, 1, MPI_INT, MPI_SUM, 0, s.inter), MPI_ERR_BUFFER);
    CHECK_CLASS(MPI_Allreduce(MPI_IN_PLACE, in, 1, MPI_INT, MPI_SUM, s.inter), MPI_ERR_BUFFER);
    CHECK_CLASS(MPI_Allgather(MPI_IN_PLACE, 1, MPI_INT, in, 1, MPI_INT, s.inter), MPI_ERR_BUFFER);
    CHECK_CLASS(MPI_Gather(MPI_IN_PLACE, 1, MPI_INT, in, 1, MPI_INT, 0, s.inter), MPI_ERR_BUFFER);
    CHECK_CLASS(MPI_Scan(out, in, 1, MPI_INT, MPI_SUM, s.inter), MPI_ERR_COMM);
    CHECK_CLASS(MPI_Exscan(out, in, 1, MPI_INT, MPI_SUM, s.inter), MPI_ERR_COMM);
    CHECK_CLASS(MPI_Bcast(&n, 1, MPI_INT, MPI_ROOT, MPI_COMM_WORLD), MPI_ERR_ROOT);
    CHECK_CLASS(MPI_Bcast(&n, 1, MPI_INT, MPI_PROC_NULL, MPI_COMM_WORLD), MPI_ERR_ROOT);
    CHECK_CLASS(MPI_Intercomm_create(s.inter, 0, MPI_COMM_WORLD, 0, 0, &comm), MPI_ERR_COMM);
    CHECK_CLASS(MPI_Intercomm_create(s.part, s.size, MPI_COMM_WORLD, 0, 0, &comm), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Intercomm_create(s.part, 0, MPI_COMM_WORLD, 0, -1, &comm), MPI_ERR_TAG);
    CHECK_CLASS(MPI_Intercomm_create(s.part, 0, MPI_COMM_WORLD, 0, 0, NULL), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, np, 0, &comm), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_NULL, 0, 0, &comm), MPI_ERR_COMM);
    /* With oneself: the groups are not disjoint. */
    CHECK_CLASS(MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, me, 0, &comm), MPI_ERR_COMM);
    CHECK_CLASS(MPI_Comm_create_group(s.inter, MPI_GROUP_EMPTY, 0, &comm), MPI_ERR_COMM);
    MPI_Comm_remote_group(s.inter, &group);
    CHECK_CLASS(MPI_Comm_create(s.inter, group, &comm), MPI_ERR_GROUP);
    MPI_Group_free(&group);
    MPI_Barrier(s.inter);
    sides_free(&s);
    return check_finish();
}
