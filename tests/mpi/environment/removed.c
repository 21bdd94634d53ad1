/* The functions of MPI 1 that MPI 3.0 removed still do what they did. */
#include "check.h"
#include <stddef.h>

struct particle {
    int kind;
    double place[3];
};

static int called;

static void count_call(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    called += class_of(*code) == MPI_ERR_RANK;
}

static void handlers(void)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL, got = MPI_ERRHANDLER_NULL;
    int value = 0;
    CHECK_OK(MPI_Errhandler_create(count_call, &handler));
    CHECK_OK(MPI_Errhandler_set(MPI_COMM_WORLD, handler));
    CHECK_OK(MPI_Errhandler_get(MPI_COMM_WORLD, &got));
    CHECK(got == handler, "another handler");
    CHECK_CLASS(MPI_Send(&value, 1, MPI_INT, np, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
    CHECK(called == 1, "%d calls", called);
    MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&got);
    MPI_Errhandler_free(&handler);
}

static void bounds(MPI_Datatype type, MPI_Aint wanted_lb, MPI_Aint wanted_ub, int line)
{
    MPI_Aint lb = -77, ub = -77, extent = -77;
    CHECK_OK(MPI_Type_lb(type, &lb));
    CHECK_OK(MPI_Type_ub(type, &ub));
    CHECK_OK(MPI_Type_extent(type, &extent));
    CHECK(lb == wanted_lb && ub == wanted_ub && extent == ub - lb, "from line %d: %ld to %ld, extent %ld", line,
          (long)lb, (long)ub, (long)extent);
}

/* Two particles travel as a type whose markers say where the next one begins. */
static void structs(void)
{
    struct particle out[2] = {{me, {1, 2, 3}}, {me + 1, {4, 5, 6}}}, in[2] = {{-1, {0, 0, 0}}, {-1, {0, 0, 0}}};
    int lengths[] = {1, 1, 3, 1};
    MPI_Aint places[4], start = 0;
    MPI_Datatype types[] = {MPI_LB, MPI_INT, MPI_DOUBLE, MPI_UB}, type = MPI_DATATYPE_NULL;
    MPI_Address(&out[0], &start);
    MPI_Address(&out[0].kind, &places[1]);
    MPI_Address(&out[0].place, &places[2]);
    places[0] = 0;
    places[1] -= start;
    places[2] -= start;
    places[3] = (MPI_Aint)sizeof out[0];
    CHECK(places[2] == (MPI_Aint)offsetof(struct particle, place), "%ld", (long)places[2]);
    CHECK_OK(MPI_Type_struct(4, lengths, places, types, &type));
    CHECK_OK(MPI_Type_commit(&type));
    bounds(type, 0, (MPI_Aint)sizeof out[0], __LINE__);
    MPI_Sendrecv(out, 2, type, right_of(me), 4, in, 2, type, left_of(me), 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(in[0].kind == left_of(me) && in[1].kind == left_of(me) + 1 && in[1].place[2] == 6, "%d %d %g", in[0].kind,
          in[1].kind, in[1].place[2]);
    MPI_Type_free(&type);
}

/* The second and the fourth of four integers, said in bytes in two ways. */
static void strides(void)
{
    int lengths[] = {1, 1}, numbers[4] = {10, 11, 12, 13}, got[2] = {0, 0};
    MPI_Aint places[] = {sizeof(int), 3 * sizeof(int)};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    CHECK_OK(MPI_Type_hindexed(2, lengths, places, MPI_INT, &type));
    CHECK_OK(MPI_Type_commit(&type));
    bounds(type, (MPI_Aint)sizeof(int), 4 * (MPI_Aint)sizeof(int), __LINE__);
    MPI_Sendrecv(numbers, 1, type, 0, 5, got, 2, MPI_INT, 0, 5, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    CHECK(got[0] == 11 && got[1] == 13, "%d %d", got[0], got[1]);
    MPI_Type_free(&type);
    CHECK_OK(MPI_Type_hvector(2, 1, 2 * (MPI_Aint)sizeof(int), MPI_INT, &type));
    CHECK_OK(MPI_Type_commit(&type));
    MPI_Sendrecv(numbers, 1, type, 0, 6, got, 2, MPI_INT, 0, 6, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    CHECK(got[0] == 10 && got[1] == 12, "%d %d", got[0], got[1]);
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    handlers();
    structs();
    strides();
    return check_finish();
}
