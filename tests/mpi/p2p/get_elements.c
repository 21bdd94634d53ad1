/* MPI_Get_count and MPI_Get_elements where the bytes are no whole number of datatypes: MPI_UNDEFINED, and parts of a pair. */
#include "check.h"

static void expect(const MPI_Status *status, MPI_Datatype type, int count, int elements, int line)
{
    int got_count = -9, got_elements = -9;
    MPI_Count got_long = -9;
    MPI_Get_count(status, type, &got_count);
    MPI_Get_elements(status, type, &got_elements);
    MPI_Get_elements_x(status, type, &got_long);
    CHECK(got_count == count, "from line %d: count %d, wanted %d", line, got_count, count);
    CHECK(got_elements == elements, "from line %d: %d elements, wanted %d", line, got_elements, elements);
    CHECK(got_long == elements, "from line %d: %lld elements, wanted %d", line, (long long)got_long, elements);
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    char out[12] = {0};
    struct {
        double value;
        int place;
    } in[3] = {{0, 0}};
    MPI_Status status;
    MPI_Sendrecv(out, 12, MPI_BYTE, right_of(me), 0, in, 48, MPI_BYTE, left_of(me), 0, MPI_COMM_WORLD, &status);
    expect(&status, MPI_BYTE, 12, 12, __LINE__);
    expect(&status, MPI_INT, 3, 3, __LINE__);
    expect(&status, MPI_DOUBLE, MPI_UNDEFINED, MPI_UNDEFINED, __LINE__);
    expect(&status, MPI_DOUBLE_INT, 1, 2, __LINE__);
    MPI_Sendrecv(out, 0, MPI_BYTE, right_of(me), 0, in, 48, MPI_BYTE, left_of(me), 0, MPI_COMM_WORLD, &status);
    expect(&status, MPI_DOUBLE, 0, 0, __LINE__);
    expect(&status, MPI_DOUBLE_INT, 0, 0, __LINE__);
    double one = 1.5; /* the first half of a pair */
    MPI_Sendrecv(&one, 1, MPI_DOUBLE, right_of(me), 0, in, 3, MPI_DOUBLE_INT, left_of(me), 0, MPI_COMM_WORLD, &status);
    CHECK(in[0].value >= 1.5 && in[0].value <= 1.5, "%g", in[0].value);
    expect(&status, MPI_DOUBLE_INT, MPI_UNDEFINED, 1, __LINE__);
    MPI_Status_set_elements(&status, MPI_DOUBLE_INT, 3);
    expect(&status, MPI_DOUBLE_INT, MPI_UNDEFINED, 3, __LINE__);
    MPI_Status_set_elements_x(&status, MPI_DOUBLE_INT, 4);
    expect(&status, MPI_DOUBLE_INT, 2, 4, __LINE__);
    if (sizeof(void *) < sizeof(MPI_Count)) /* a status counts bytes of memory */
        return check_finish();
    MPI_Status_set_elements_x(&status, MPI_BYTE, (MPI_Count)1 << 40); /* more than an int holds */
    int small = 0;
    MPI_Count large = 0;
    MPI_Get_count(&status, MPI_BYTE, &small);
    CHECK(small == MPI_UNDEFINED, "count %d", small);
    MPI_Get_elements(&status, MPI_BYTE, &small);
    CHECK(small == MPI_UNDEFINED, "%d elements", small);
    MPI_Get_elements_x(&status, MPI_BYTE, &large);
    CHECK(large == (MPI_Count)1 << 40, "%lld elements", (long long)large);
    return check_finish();
}
