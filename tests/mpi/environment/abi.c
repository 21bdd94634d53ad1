/* What the library says about its binary interface: sizes of its integers, its Fortran types and booleans, which a program may
 * repeat but not change; and the hardware it names. */
#include "check.h"

static void value_of(MPI_Info info, const char *key, char *value)
{
    int room = MPI_MAX_INFO_VAL, there = 0;
    CHECK_OK(MPI_Info_get_string(info, key, &room, value, &there));
    CHECK(there, "no %s", key);
}

static void same_size(MPI_Info info, const char *key, MPI_Datatype type)
{
    char value[MPI_MAX_INFO_VAL];
    int size = -1;
    value_of(info, key, value);
    MPI_Type_size(type, &size);
    CHECK(atoi(value) == size, "%s is %s, its type has %d", key, value, size);
}

static void sizes(void)
{
    MPI_Info info = MPI_INFO_NULL;
    int major = -1, minor = -1;
    CHECK_OK(MPI_Abi_get_version(&major, &minor));
    CHECK(major == MPI_ABI_VERSION && minor == MPI_ABI_SUBVERSION, "%d.%d", major, minor);
    CHECK_OK(MPI_Abi_get_info(&info));
    same_size(info, "mpi_aint_size", MPI_AINT);
    same_size(info, "mpi_count_size", MPI_COUNT);
    same_size(info, "mpi_offset_size", MPI_OFFSET);
    MPI_Info_free(&info);
}

static void fortran(void)
{
    char value[MPI_MAX_INFO_VAL];
    MPI_Info info = MPI_INFO_NULL, other = MPI_INFO_NULL;
    CHECK_OK(MPI_Abi_get_fortran_info(&info));
    same_size(info, "mpi_integer_size", MPI_INTEGER);
    same_size(info, "mpi_logical_size", MPI_LOGICAL);
    same_size(info, "mpi_real_size", MPI_REAL);
    same_size(info, "mpi_double_precision_size", MPI_DOUBLE_PRECISION);
    value_of(info, "mpi_complex16_supported", value);
    CHECK(!strcmp(value, "true"), "%s", value);
    CHECK_OK(MPI_Abi_set_fortran_info(info));
    MPI_Info_create(&other);
    MPI_Info_set(other, "mpi_integer_size", "3");
    CHECK_CLASS(MPI_Abi_set_fortran_info(other), MPI_ERR_ABI);
    MPI_Info_free(&other);
    MPI_Info_free(&info);
}

static void booleans(void)
{
    int32_t yes = -1, no = -1;
    int set = 0;
    CHECK_OK(MPI_Abi_get_fortran_booleans((int)sizeof yes, &yes, &no, &set));
    CHECK(set && yes == 1 && no == 0, "%d: %d and %d", set, (int)yes, (int)no);
    CHECK_OK(MPI_Abi_set_fortran_booleans((int)sizeof yes, &yes, &no));
    yes = -1;
    CHECK_CLASS(MPI_Abi_set_fortran_booleans((int)sizeof yes, &yes, &no), MPI_ERR_ABI);
    CHECK_CLASS(MPI_Abi_get_fortran_booleans(3, &yes, &no, &set), MPI_ERR_ARG);
}

static void hardware(void)
{
    char value[MPI_MAX_INFO_VAL];
    MPI_Info info = MPI_INFO_NULL;
    CHECK_OK(MPI_Get_hw_resource_info(&info));
    value_of(info, "mpi_shared_memory", value);
    CHECK(!strcmp(value, "true"), "%s", value);
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    check_return_errors();
    sizes();
    fortran();
    booleans();
    hardware();
    return check_finish();
}
