/* Datatypes are named as the standard spells them; of two spellings of one type the first (MPI 5.0, sections 3.2.2 and 7.8). */
#include "check.h"

static void named(MPI_Datatype type, const char *wanted)
{
    char name[MPI_MAX_OBJECT_NAME] = "?";
    int length = -1;
    CHECK_OK(MPI_Type_get_name(type, name, &length));
    CHECK(strcmp(name, wanted) == 0 && length == (int)strlen(wanted), "'%s' (%d), wanted '%s'", name, length, wanted);
}

#define NAMED(type) named(type, #type)

static void predefined(void)
{
    NAMED(MPI_CHAR), NAMED(MPI_SIGNED_CHAR), NAMED(MPI_UNSIGNED_CHAR), NAMED(MPI_WCHAR), NAMED(MPI_BYTE);
    NAMED(MPI_SHORT), NAMED(MPI_INT), NAMED(MPI_LONG), NAMED(MPI_LONG_LONG_INT), NAMED(MPI_UNSIGNED_SHORT);
    NAMED(MPI_UNSIGNED), NAMED(MPI_UNSIGNED_LONG), NAMED(MPI_UNSIGNED_LONG_LONG), NAMED(MPI_PACKED);
    NAMED(MPI_INT8_T), NAMED(MPI_INT16_T), NAMED(MPI_INT32_T), NAMED(MPI_INT64_T);
    NAMED(MPI_UINT8_T), NAMED(MPI_UINT16_T), NAMED(MPI_UINT32_T), NAMED(MPI_UINT64_T);
    NAMED(MPI_AINT), NAMED(MPI_COUNT), NAMED(MPI_OFFSET), NAMED(MPI_C_BOOL), NAMED(MPI_CXX_BOOL);
    NAMED(MPI_FLOAT), NAMED(MPI_DOUBLE), NAMED(MPI_LONG_DOUBLE);
    NAMED(MPI_C_COMPLEX), NAMED(MPI_C_DOUBLE_COMPLEX), NAMED(MPI_C_LONG_DOUBLE_COMPLEX);
    NAMED(MPI_CXX_FLOAT_COMPLEX), NAMED(MPI_CXX_DOUBLE_COMPLEX), NAMED(MPI_CXX_LONG_DOUBLE_COMPLEX);
    NAMED(MPI_FLOAT_INT), NAMED(MPI_DOUBLE_INT), NAMED(MPI_LONG_INT), NAMED(MPI_2INT), NAMED(MPI_SHORT_INT);
    NAMED(MPI_LONG_DOUBLE_INT), NAMED(MPI_2REAL), NAMED(MPI_2DOUBLE_PRECISION), NAMED(MPI_2INTEGER);
    NAMED(MPI_INTEGER), NAMED(MPI_REAL), NAMED(MPI_DOUBLE_PRECISION), NAMED(MPI_COMPLEX), NAMED(MPI_DOUBLE_COMPLEX);
    NAMED(MPI_LOGICAL), NAMED(MPI_CHARACTER), NAMED(MPI_INTEGER1), NAMED(MPI_REAL16), NAMED(MPI_COMPLEX32);
    NAMED(MPI_DATATYPE_NULL);
    named(MPI_LONG_LONG, "MPI_LONG_LONG_INT");
    named(MPI_C_FLOAT_COMPLEX, "MPI_C_COMPLEX");
}

int main(int argc, char **argv)
{
    MPI_Datatype type;
    check_start(&argc, &argv);
    check_return_errors();
    predefined();
    CHECK_OK(MPI_Type_set_name(MPI_INT, "number"));
    named(MPI_INT, "number");
    named(MPI_INT32_T, "MPI_INT32_T");
    CHECK_OK(MPI_Type_contiguous(2, MPI_INT, &type));
    named(type, "");
    CHECK_OK(MPI_Type_set_name(type, "two"));
    named(type, "two");
    CHECK_OK(MPI_Type_free(&type));
    return check_finish();
}
