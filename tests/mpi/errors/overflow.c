/* Counts, lengths and displacements that are negative or more than memory can hold: an error class, at once, from every rank alike. */
#include "check.h"

static const MPI_Count huge[] = {INT64_MAX, INT64_MAX / 2, INT64_MAX / 8 + 1};
enum { HUGE_COUNTS = 3 };

static void messages(MPI_Datatype big)
{
    double x[2] = {0};
    MPI_Request q;
    MPI_Status s;
    MPI_Comm w = MPI_COMM_WORLD;
    for (int i = 0; i < HUGE_COUNTS; i++) {
        CHECK_CLASS(MPI_Send_c(x, huge[i], MPI_DOUBLE, 0, 0, w), MPI_ERR_COUNT);
        CHECK_CLASS(MPI_Isend_c(x, huge[i], MPI_DOUBLE, 0, 0, w, &q), MPI_ERR_COUNT);
        CHECK_CLASS(MPI_Recv_c(x, huge[i], MPI_DOUBLE, 0, 0, w, &s), MPI_ERR_COUNT);
        CHECK_CLASS(MPI_Send_init_c(x, huge[i], MPI_DOUBLE, 0, 0, w, &q), MPI_ERR_COUNT);
        CHECK_CLASS(MPI_Sendrecv_c(x, huge[i], MPI_DOUBLE, 0, 0, x + 1, 1, MPI_DOUBLE, 0, 0, w, &s), MPI_ERR_COUNT);
        CHECK_CLASS(MPI_Psend_init(x, 2, huge[i], MPI_DOUBLE, 0, 0, w, MPI_INFO_NULL, &q), MPI_ERR_COUNT);
    }
    CHECK_CLASS(MPI_Send(x, INT32_MAX, big, 0, 0, w), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Bsend(x, INT32_MAX, big, 0, 0, w), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Irecv(x, INT32_MAX, big, 0, 0, w, &q), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Send_c(x, -1, MPI_DOUBLE, 0, 0, w), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Send_c(x, INT64_MIN, MPI_DOUBLE, 0, 0, w), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Send(x, INT32_MIN, MPI_DOUBLE, 0, 0, w), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Send(MPI_IN_PLACE, 1, MPI_DOUBLE, 0, 0, w), MPI_ERR_BUFFER);
    CHECK_CLASS(MPI_Send(NULL, 1, MPI_DOUBLE, 0, 0, w), MPI_ERR_BUFFER);
    CHECK_CLASS(MPI_Waitall(-1, &q, MPI_STATUSES_IGNORE), MPI_ERR_COUNT);
}

static void collectives(MPI_Datatype big)
{
    double x[2] = {0}, *many = check_alloc((size_t)np * sizeof *many);
    MPI_Count *counts = check_alloc((size_t)np * sizeof *counts);
    MPI_Aint *far = check_alloc((size_t)np * sizeof *far);
    MPI_Request q;
    MPI_Comm w = MPI_COMM_WORLD;
    for (int i = 0; i < np; i++) {
        counts[i] = 1;
        far[i] = (MPI_Aint)(INT64_MAX / 4);
    }
    CHECK_CLASS(MPI_Bcast_c(x, INT64_MAX, MPI_DOUBLE, 0, w), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Bcast(x, INT32_MAX, big, 0, w), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Allreduce_c(x, x + 1, INT64_MAX, MPI_DOUBLE, MPI_SUM, w), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Iallgather_c(x, INT64_MAX, MPI_DOUBLE, many, 1, MPI_DOUBLE, w, &q), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Allgatherv_c(x, 1, MPI_DOUBLE, many, counts, far, MPI_DOUBLE, w), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Alltoallv_c(many, counts, far, MPI_DOUBLE, many, counts, far, MPI_DOUBLE, w), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Scatterv_c(many, counts, far, MPI_DOUBLE, x, 1, MPI_DOUBLE, me, w), MPI_ERR_ARG);
    counts[np - 1] = -1;
    CHECK_CLASS(MPI_Allgatherv_c(x, 1, MPI_DOUBLE, many, counts, far, MPI_BYTE, w), MPI_ERR_COUNT);
    free(counts);
    free(many);
    free(far);
}

static void types(void)
{
    MPI_Datatype t;
    const MPI_Count count[] = {1, INT64_MAX}, place[] = {0, INT64_MAX};
    for (int i = 0; i < HUGE_COUNTS; i++) {
        CHECK_CLASS(MPI_Type_contiguous_c(huge[i], MPI_DOUBLE, &t), MPI_ERR_ARG);
        CHECK_CLASS(MPI_Type_vector_c(2, 1, huge[i], MPI_DOUBLE, &t), MPI_ERR_ARG);
        CHECK_CLASS(MPI_Type_vector_c(huge[i], huge[i], 1, MPI_DOUBLE, &t), MPI_ERR_ARG);
    }
    CHECK_CLASS(MPI_Type_contiguous(-1, MPI_INT, &t), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Type_indexed_c(2, count, place, MPI_INT, &t), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Type_create_hindexed_c(2, (const MPI_Count[]){1, 1}, place, MPI_INT, &t), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Type_create_resized_c(MPI_INT, INT64_MAX, 1, &t), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Type_create_subarray_c(2, huge, huge, (const MPI_Count[]){0, 0}, MPI_ORDER_C, MPI_INT, &t),
                MPI_ERR_ARG);
}

static void windows(void)
{
    static int memory[4];
    int x = 0;
    MPI_Win win;
    CHECK_CLASS(MPI_Win_create(memory, -1, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win), MPI_ERR_SIZE);
    CHECK_CLASS(MPI_Win_create(memory, 4, 0, MPI_INFO_NULL, MPI_COMM_WORLD, &win), MPI_ERR_DISP);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    CHECK_CLASS(MPI_Put(&x, 1, MPI_INT, 0, 4, 1, MPI_INT, win), MPI_ERR_RMA_RANGE);
    CHECK_CLASS(MPI_Put(&x, 1, MPI_INT, 0, -1, 1, MPI_INT, win), MPI_ERR_DISP);
    CHECK_CLASS(MPI_Put(&x, 1, MPI_INT, 0, (MPI_Aint)INT64_MAX, 1, MPI_INT, win), MPI_ERR_RMA_RANGE);
    CHECK_CLASS(MPI_Get_c(&x, 1, MPI_INT, 0, 0, INT64_MAX, MPI_INT, win), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Put(&x, -1, MPI_INT, 0, 0, 1, MPI_INT, win), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Put(&x, 1, MPI_INT, np, 0, 1, MPI_INT, win), MPI_ERR_RANK);
    MPI_Win_unlock(0, win);
    MPI_Win_free(&win);
}

static void outputs(void)
{
    int x = 0;
    char name[MPI_MAX_ERROR_STRING];
    CHECK_CLASS(MPI_Initialized(NULL), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Finalized(NULL), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Query_thread(NULL), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Is_thread_main(NULL), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Get_version(&x, NULL), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Get_library_version(NULL, &x), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Error_class(MPI_ERR_RANK, NULL), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Error_string(MPI_ERR_RANK, name, NULL), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Comm_rank(MPI_COMM_WORLD, NULL), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Type_size(MPI_INT, NULL), MPI_ERR_ARG);
}

int main(int argc, char **argv)
{
    MPI_Datatype big;
    check_start(&argc, &argv);
    if (sizeof(void *) < sizeof(MPI_Count)) /* what is too much elsewhere cannot even be said */
        return check_skip();
    check_return_errors();
    MPI_Type_contiguous_c(INT64_MAX / 16, MPI_BYTE, &big);
    MPI_Type_commit(&big);
    messages(big);
    collectives(big);
    types();
    windows();
    outputs();
    MPI_Type_free(&big);
    return check_finish();
}
