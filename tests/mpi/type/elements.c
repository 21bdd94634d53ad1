/* What Get_count and Get_elements make of statuses whose data ends anywhere in a type. */
#include "../check.h"

static void expect(int line, MPI_Status *s, MPI_Datatype t, int bytes, int count, int elements)
{
    int c = -9, e = -9;
    MPI_Count c_c = -9, e_c = -9, e_x = -9;
    MPI_Status_set_elements(s, MPI_BYTE, bytes);
    MPI_Get_count(s, t, &c);
    MPI_Get_elements(s, t, &e);
    MPI_Get_count_c(s, t, &c_c);
    MPI_Get_elements_c(s, t, &e_c);
    MPI_Get_elements_x(s, t, &e_x);
    CHECK(c == count && e == elements, "line %d, %d bytes: count %d, elements %d, wanted %d, %d", line, bytes, c, e,
          count, elements);
    CHECK(c_c == count && e_c == elements && e_x == elements, "line %d: the large forms differ", line);
    if (elements == MPI_UNDEFINED)
        return;
    int again = -9;
    MPI_Status_set_elements(s, t, elements);
    MPI_Get_count(s, MPI_BYTE, &again);
    CHECK(again == bytes, "line %d: %d elements are %d bytes, wanted %d", line, elements, again, bytes);
    MPI_Status_set_elements_c(s, t, elements);
    MPI_Get_elements(s, t, &again);
    CHECK(again == elements, "line %d: %d elements, wanted %d", line, again, elements);
}

int main(int argc, char **argv)
{
    const int U = MPI_UNDEFINED;
    check_start(&argc, &argv);
    MPI_Status s;
    MPI_Datatype mixed, pairs, nest, empty;
    MPI_Type_create_struct(3, (const int[]){2, 1, 3}, (const MPI_Aint[]){0, 8, 16},
                           (const MPI_Datatype[]){MPI_SHORT, MPI_DOUBLE, MPI_CHAR}, &mixed); /* 2 2 8 1 1 1 */
    static const int mixed_at[] = {0, -1, 1, -1, 2, -1, -1, -1, -1, -1, -1, -1, 3, 4, 5};
    for (int i = 0; i < 45; i++) {
        int in = mixed_at[i % 15];
        expect(__LINE__, &s, mixed, i, i % 15 ? U : i / 15, in < 0 ? U : i / 15 * 6 + in);
    }
    MPI_Type_contiguous(2, MPI_DOUBLE_INT, &pairs); /* 8 4 8 4 */
    for (int i = 0; i < 48; i++) {
        int in = i % 12;
        expect(__LINE__, &s, pairs, i, i % 24 ? U : i / 24, in == 0 ? i / 12 * 2 : in == 8 ? i / 12 * 2 + 1 : U);
    }
    MPI_Type_vector(2, 1, 3, mixed, &nest);
    expect(__LINE__, &s, nest, 15, U, 6);
    expect(__LINE__, &s, nest, 19, U, 8);
    expect(__LINE__, &s, nest, 30, 1, 12);
    expect(__LINE__, &s, nest, 77, U, 31);
    expect(__LINE__, &s, nest, 80, U, U);
    MPI_Type_contiguous(0, MPI_INT, &empty);
    expect(__LINE__, &s, empty, 0, 0, 0);
    int c = 0;
    MPI_Status_set_elements(&s, MPI_BYTE, 5);
    MPI_Get_count(&s, empty, &c);
    CHECK(c == U, "count %d", c);
    MPI_Type_free(&mixed);
    MPI_Type_free(&pairs);
    MPI_Type_free(&nest);
    MPI_Type_free(&empty);
    return check_finish();
}
