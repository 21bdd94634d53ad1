/* Uses what the binary interface fixes, and not only names: values of handles and constants, the layout of a status,
 * callbacks. Rank 0 prints "interop ok" and the library that it ran on. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int me, np;

#define CHECK(what)                                                                                                    \
    do { /* a macro for the line and the words of the condition */                                                     \
        if (!(what)) {                                                                                                 \
            fprintf(stderr, "rank %d, line %d: %s\n", me, __LINE__, #what);                                            \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                                              \
        }                                                                                                              \
    } while (0)

static void larger(void *in, void *inout, int *n, MPI_Datatype *type)
{
    CHECK(*type == MPI_INT);
    const int *a = in;
    int *b = inout;
    for (int i = 0; i < *n; i++)
        b[i] = a[i] > b[i] ? a[i] : b[i];
}

static void check_status(void)
{
    const int to = (me + 1) % np, from = (me + np - 1) % np;
    double sent[3] = {me, me + 0.5, me + 0.25}, got[4] = {0};
    MPI_Status status;
    int count = 0;
    MPI_Request request;
    MPI_Isend(sent, 3, MPI_DOUBLE, to, 77, MPI_COMM_WORLD, &request);
    MPI_Recv(got, 4, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(request == MPI_REQUEST_NULL);
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    CHECK(status.MPI_SOURCE == from && status.MPI_TAG == 77 && count == 3);
    CHECK(got[0] == from && got[1] == from + 0.5 && got[2] == from + 0.25);
    MPI_Recv(got, 4, MPI_DOUBLE, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &status);
    CHECK(status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
}

static void check_reductions(void)
{
    int value = me + 1, top = 0;
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(value == np * (np + 1) / 2);
    long most = me;
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
    CHECK(most == np - 1);
    struct {
        double value;
        int rank;
    } mine = {.value = -me, .rank = me}, least;
    MPI_Allreduce(&mine, &least, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
    CHECK(least.rank == np - 1 && least.value == 1 - np);
    MPI_Op op;
    MPI_Op_create(larger, 1, &op);
    MPI_Allreduce(&me, &top, 1, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    CHECK(top == np - 1 && op == MPI_OP_NULL);
}

static void check_types(void)
{
    const struct {
        MPI_Datatype type;
        int bytes;
    } basic[] = {
        {MPI_CHAR, 1},
        {MPI_SHORT, sizeof(short)},
        {MPI_INT, sizeof(int)},
        {MPI_LONG, sizeof(long)},
        {MPI_FLOAT, 4},
        {MPI_DOUBLE, 8},
        {MPI_INT8_T, 1},
        {MPI_UINT16_T, 2},
        {MPI_INT32_T, 4},
        {MPI_UINT64_T, 8},
        {MPI_BYTE, 1},
        {MPI_AINT, sizeof(MPI_Aint)},
        {MPI_LONG_DOUBLE, sizeof(long double)},
    };
    for (size_t i = 0; i < sizeof basic / sizeof *basic; i++) {
        int bytes = -1;
        MPI_Type_size(basic[i].type, &bytes);
        CHECK(bytes == basic[i].bytes);
    }
}

static void check_communicators(void)
{
    MPI_Comm half;
    int size = 0, same = -1, class = 0;
    MPI_Comm_split(MPI_COMM_WORLD, me % 2, -me, &half);
    MPI_Comm_size(half, &size);
    CHECK(size == (np + 1 - me % 2) / 2);
    MPI_Comm_compare(half, half, &same);
    CHECK(same == MPI_IDENT);
    MPI_Comm_free(&half);
    CHECK(half == MPI_COMM_NULL);
    MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, 0, &half);
    CHECK(half == MPI_COMM_NULL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Send(&me, 1, MPI_INT, np, 0, MPI_COMM_WORLD), &class);
    CHECK(class == MPI_ERR_RANK);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0, provided = -1;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    CHECK(provided >= MPI_THREAD_SINGLE && np > 1);
    check_status();
    check_reductions();
    check_types();
    check_communicators();
    MPI_Get_library_version(library, &length);
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0)
        printf("interop ok on %s\n", library);
    MPI_Finalize();
    return 0;
}
