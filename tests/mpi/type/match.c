/* Types by size, by precision and range, and by their members; names. */
#include "../check.h"

static void sizes(void)
{
    static const struct {
        int class, size;
        MPI_Datatype type;
    } want[] = {{MPI_TYPECLASS_INTEGER, 1, MPI_INTEGER1},  {MPI_TYPECLASS_INTEGER, 2, MPI_INTEGER2},
                {MPI_TYPECLASS_INTEGER, 4, MPI_INTEGER4},  {MPI_TYPECLASS_INTEGER, 8, MPI_INTEGER8},
                {MPI_TYPECLASS_REAL, 4, MPI_REAL4},        {MPI_TYPECLASS_REAL, 8, MPI_REAL8},
                {MPI_TYPECLASS_REAL, 16, MPI_REAL16},      {MPI_TYPECLASS_COMPLEX, 8, MPI_COMPLEX8},
                {MPI_TYPECLASS_COMPLEX, 16, MPI_COMPLEX16}};
    MPI_Datatype t;
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        MPI_Type_match_size(want[i].class, want[i].size, &t);
        CHECK(t == want[i].type, "class %d, size %d", want[i].class, want[i].size);
    }
    CHECK(class_of(MPI_Type_match_size(MPI_TYPECLASS_REAL, 3, &t)) == MPI_ERR_ARG, "no real has 3 bytes");
    CHECK(class_of(MPI_Type_match_size(MPI_TYPECLASS_COMPLEX, 9, &t)) == MPI_ERR_ARG, "no complex has 9 bytes");
    CHECK(class_of(MPI_Type_match_size(5, 4, &t)) == MPI_ERR_ARG, "5 is no class");
}

static void ranges(void)
{
    MPI_Datatype t, again;
    int size = 0, i[2] = {0, 0}, ni, na, nd, combiner;
    static const int digits[][2] = {{2, 1}, {3, 2}, {4, 2}, {5, 4}, {9, 4}, {10, 8}, {18, 8}};
    for (size_t k = 0; k < sizeof digits / sizeof *digits; k++) {
        MPI_Type_create_f90_integer(digits[k][0], &t);
        MPI_Type_size(t, &size);
        CHECK(size == digits[k][1], "range %d: size %d", digits[k][0], size);
    }
    MPI_Type_create_f90_real(6, 30, &t);
    MPI_Type_create_f90_real(6, 30, &again);
    CHECK(t == again, "another type for the same question");
    MPI_Type_size(t, &size);
    CHECK(size == 4, "size %d", size);
    MPI_Type_get_envelope(t, &ni, &na, &nd, &combiner);
    MPI_Type_get_contents(t, 2, 0, 0, i, NULL, NULL);
    CHECK(combiner == MPI_COMBINER_F90_REAL && ni == 2 && nd == 0 && i[0] == 6 && i[1] == 30, "envelope");
    float in = (float)(me + 1), sum = 0; /* it is a predefined type: it reduces, and cannot be freed */
    MPI_Allreduce(&in, &sum, 1, t, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == (float)(np * (np + 1) / 2), "sum %g", (double)sum);
    CHECK(class_of(MPI_Type_free(&t)) == MPI_ERR_TYPE, "it was freed");
    MPI_Type_create_f90_real(15, MPI_UNDEFINED, &t);
    MPI_Type_size(t, &size);
    CHECK(size == 8, "size %d", size);
    MPI_Type_create_f90_complex(MPI_UNDEFINED, 300, &t);
    MPI_Type_size(t, &size);
    CHECK(size == 16, "size %d", size);
    CHECK(class_of(MPI_Type_create_f90_real(99, 3, &t)) == MPI_ERR_ARG, "99 digits");
    CHECK(class_of(MPI_Type_create_f90_real(MPI_UNDEFINED, MPI_UNDEFINED, &t)) == MPI_ERR_ARG, "nothing asked");
}

static void pairs(void)
{
    MPI_Datatype t;
    MPI_Type_get_value_index(MPI_DOUBLE, MPI_INT, &t);
    CHECK(t == MPI_DOUBLE_INT, "double and int");
    MPI_Type_get_value_index(MPI_INT, MPI_INT, &t);
    CHECK(t == MPI_2INT, "int and int");
    MPI_Type_get_value_index(MPI_DOUBLE, MPI_FLOAT, &t);
    CHECK(t == MPI_DATATYPE_NULL, "double and float");
    CHECK(class_of(MPI_Type_get_value_index(MPI_DATATYPE_NULL, MPI_INT, &t)) == MPI_ERR_TYPE, "null");
}

static void expect_name(MPI_Datatype t, const char *want)
{
    char name[MPI_MAX_OBJECT_NAME];
    int len = -1;
    MPI_Type_get_name(t, name, &len);
    CHECK(!strcmp(name, want) && len == (int)strlen(want), "'%s', wanted '%s'", name, want);
}

static void names(void)
{
    MPI_Datatype t, copy;
    expect_name(MPI_INT, "MPI_INT");
    expect_name(MPI_DATATYPE_NULL, "MPI_DATATYPE_NULL");
    MPI_Type_contiguous(2, MPI_INT, &t);
    expect_name(t, "");
    MPI_Type_set_name(t, "two");
    expect_name(t, "two");
    MPI_Type_set_name(t, "a pair of ints");
    expect_name(t, "a pair of ints");
    MPI_Type_dup(t, &copy);
    expect_name(copy, "");
    MPI_Type_free(&copy);
    MPI_Type_free(&t);
    MPI_Type_set_name(MPI_DOUBLE, "real");
    expect_name(MPI_DOUBLE, "real");
    MPI_Type_set_name(MPI_DOUBLE, "MPI_DOUBLE");
    expect_name(MPI_DOUBLE, "MPI_DOUBLE");
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    check_return_errors();
    sizes();
    ranges();
    pairs();
    names();
    return check_finish();
}
