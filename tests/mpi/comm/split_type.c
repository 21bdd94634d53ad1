/* Communicators of those who share something. */
#include "check.h"

static void use(MPI_Comm comm, int line)
{
    int one = 1, sum = -1, size = 0;
    CHECK(comm != MPI_COMM_NULL, "null, from line %d", line);
    MPI_Comm_size(comm, &size);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK(sum == size, "from line %d: sum %d of %d", line, sum, size);
    MPI_Comm_free(&comm);
}

static void guided(int type, MPI_Info info)
{
    MPI_Comm comm;
    char value[40] = "";
    int len = sizeof value, flag = 0;
    CHECK_OK(MPI_Comm_split_type(MPI_COMM_WORLD, type, 0, MPI_INFO_NULL, &comm));
    CHECK(comm == MPI_COMM_NULL, "without hints, type %d", type);
    MPI_Info_set(info, "mpi_hw_resource_type", "org.example.none");
    CHECK_OK(MPI_Comm_split_type(MPI_COMM_WORLD, type, 0, info, &comm));
    CHECK(comm == MPI_COMM_NULL, "an unknown resource, type %d", type);
    MPI_Info_set(info, "mpi_hw_resource_type", "mpi_shared_memory");
    CHECK_OK(MPI_Comm_split_type(MPI_COMM_WORLD, type, 0, info, &comm));
    use(comm, __LINE__);
    MPI_Info_get_string(info, "mpi_hw_resource_type", &len, value, &flag);
    CHECK(flag && strcmp(value, "mpi_shared_memory") == 0, "'%s'", value);
    CHECK_OK(MPI_Comm_split_type(MPI_COMM_WORLD, me ? MPI_UNDEFINED : type, 0, info, &comm));
    CHECK((comm == MPI_COMM_NULL) == (me != 0), "rank %d", me);
    if (comm != MPI_COMM_NULL)
        use(comm, __LINE__);
    MPI_Info_delete(info, "mpi_hw_resource_type");
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    MPI_Comm comm, smaller;
    MPI_Info info;
    int shared = 0, size = 0, rank = -1;
    CHECK_OK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -me, MPI_INFO_NULL, &comm));
    MPI_Comm_size(comm, &shared);
    MPI_Comm_rank(comm, &rank);
    CHECK(rank == (shared == 1 ? 0 : np - 1 - me), "rank %d of %d", rank, shared);
    use(comm, __LINE__);
    CHECK_OK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_UNDEFINED, 0, MPI_INFO_NULL, &comm));
    CHECK(comm == MPI_COMM_NULL, "undefined, rank %d", me);
    MPI_Info_create(&info);
    guided(MPI_COMM_TYPE_HW_GUIDED, info);
    guided(MPI_COMM_TYPE_RESOURCE_GUIDED, info);
    /* Unguided, each step is smaller than the last. */
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    while (comm != MPI_COMM_NULL) {
        int before;
        MPI_Comm_size(comm, &before);
        CHECK_OK(MPI_Comm_split_type(comm, MPI_COMM_TYPE_HW_UNGUIDED, 0, info, &smaller));
        MPI_Comm_free(&comm);
        comm = smaller;
        if (comm == MPI_COMM_NULL)
            break;
        MPI_Comm_size(comm, &size);
        CHECK(size < before, "%d of %d", size, before);
    }
    MPI_Info_free(&info);
    check_return_errors();
    CHECK_CLASS(MPI_Comm_split_type(MPI_COMM_WORLD, 1234567, 0, MPI_INFO_NULL, &comm), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, NULL), MPI_ERR_ARG);
    return check_finish();
}
