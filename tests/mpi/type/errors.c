/* What constructors and calls with datatypes refuse. */
#include "../check.h"
#include <limits.h>

#define REFUSES(class, call) check_class(__FILE__, __LINE__, #call, call, class)

static int memory[100];

static void constructors(void)
{
    MPI_Datatype t = MPI_DATATYPE_NULL, null = MPI_DATATYPE_NULL;
    const int one = 1, minus = -1;
    const MPI_Aint far = PTRDIFF_MAX - 2;
    REFUSES(MPI_ERR_COUNT, MPI_Type_contiguous(-1, MPI_INT, &t));
    REFUSES(MPI_ERR_TYPE, MPI_Type_contiguous(1, MPI_DATATYPE_NULL, &t));
    REFUSES(MPI_ERR_TYPE, MPI_Type_contiguous(1, (MPI_Datatype)0x2ff, &t));
    REFUSES(MPI_ERR_TYPE, MPI_Type_contiguous(1, (MPI_Datatype)(void *)memory, &t));
    REFUSES(MPI_ERR_ARG, MPI_Type_contiguous(1, MPI_INT, NULL));
    REFUSES(MPI_ERR_COUNT, MPI_Type_vector(-1, 1, 1, MPI_INT, &t));
    REFUSES(MPI_ERR_COUNT, MPI_Type_vector(1, -1, 1, MPI_INT, &t));
    REFUSES(MPI_ERR_ARG, MPI_Type_create_hvector(3, 1, PTRDIFF_MAX / 2 + 1, MPI_INT, &t));
    REFUSES(MPI_ERR_COUNT, MPI_Type_indexed(-1, &one, &one, MPI_INT, &t));
    REFUSES(MPI_ERR_ARG, MPI_Type_indexed(1, &minus, &one, MPI_INT, &t));
    REFUSES(MPI_ERR_ARG, MPI_Type_indexed(1, NULL, &one, MPI_INT, &t));
    REFUSES(MPI_ERR_ARG, MPI_Type_indexed(1, &one, NULL, MPI_INT, &t));
    REFUSES(MPI_ERR_ARG, MPI_Type_create_hindexed(1, &one, &far, MPI_INT, &t));
    REFUSES(MPI_ERR_ARG, MPI_Type_create_indexed_block(1, -1, &one, MPI_INT, &t));
    REFUSES(MPI_ERR_TYPE, MPI_Type_create_struct(1, &one, &far, &null, &t));
    REFUSES(MPI_ERR_ARG, MPI_Type_create_struct(1, &one, &far, NULL, &t));
    REFUSES(MPI_ERR_ARG, MPI_Type_create_resized(MPI_INT, PTRDIFF_MAX, 1, &t));
    REFUSES(MPI_ERR_ARG, MPI_Type_contiguous_c(LLONG_MAX, MPI_INT, &t));
    REFUSES(MPI_ERR_ARG, MPI_Type_vector_c(LLONG_MAX, LLONG_MAX, 1, MPI_CHAR, &t));
    CHECK(t == MPI_DATATYPE_NULL, "a handle was given out");
}

static void arrays(void)
{
    MPI_Datatype t;
    const int size = 4, sub = 3, zero = 0, start = 2, block = MPI_DISTRIBUTE_BLOCK, one = 1, two = 2;
    REFUSES(MPI_ERR_ARG, MPI_Type_create_subarray(0, &size, &sub, &zero, MPI_ORDER_C, MPI_INT, &t));
    REFUSES(MPI_ERR_ARG, MPI_Type_create_subarray(1, &size, &sub, &start, MPI_ORDER_C, MPI_INT, &t));
    REFUSES(MPI_ERR_ARG, MPI_Type_create_subarray(1, &size, &zero, &zero, MPI_ORDER_C, MPI_INT, &t));
    REFUSES(MPI_ERR_ARG, MPI_Type_create_subarray(1, &size, &sub, &zero, 99, MPI_INT, &t));
    REFUSES(MPI_ERR_ARG, MPI_Type_create_darray(2, 0, 1, &size, &block, &one, &two, MPI_ORDER_C, MPI_INT, &t));
    REFUSES(MPI_ERR_ARG, MPI_Type_create_darray(3, 0, 1, &size, &block, &two, &two, MPI_ORDER_C, MPI_INT, &t));
    REFUSES(MPI_ERR_ARG, MPI_Type_create_darray(2, 2, 1, &size, &block, &two, &two, MPI_ORDER_C, MPI_INT, &t));
    REFUSES(MPI_ERR_ARG, MPI_Type_create_darray(2, 0, 1, &size, &size, &two, &two, MPI_ORDER_C, MPI_INT, &t));
}

static void uses(void)
{
    MPI_Datatype t, copy, named = MPI_INT;
    int position = 0, i[4];
    MPI_Aint a[1];
    MPI_Datatype d[1];
    MPI_Type_vector(2, 1, 2, MPI_INT, &t);
    REFUSES(MPI_ERR_TYPE, MPI_Send(memory, 1, t, me, 0, MPI_COMM_WORLD)); /* not committed */
    REFUSES(MPI_ERR_TYPE, MPI_Pack(memory, 1, t, memory, 8, &position, MPI_COMM_WORLD));
    REFUSES(MPI_ERR_ARG, MPI_Type_get_contents(t, 2, 0, 1, i, a, d));
    REFUSES(MPI_ERR_ARG, MPI_Type_get_contents(t, 3, 0, 0, i, a, d));
    MPI_Type_commit(&t);
    REFUSES(MPI_ERR_COUNT, MPI_Send(memory, -1, t, me, 0, MPI_COMM_WORLD));
    REFUSES(MPI_ERR_OP, MPI_Allreduce(memory, memory + 10, 1, t, MPI_SUM, MPI_COMM_WORLD));
    copy = t;
    MPI_Type_free(&t);
    REFUSES(MPI_ERR_TYPE, MPI_Send(memory, 1, copy, me, 0, MPI_COMM_WORLD)); /* freed */
    REFUSES(MPI_ERR_TYPE, MPI_Type_free(&copy));
    REFUSES(MPI_ERR_TYPE, MPI_Type_commit(&t));
    REFUSES(MPI_ERR_TYPE, MPI_Type_free(&t));
    REFUSES(MPI_ERR_TYPE, MPI_Type_free(&named));
    REFUSES(MPI_SUCCESS, MPI_Type_commit(&named));
    REFUSES(MPI_ERR_TYPE, MPI_Type_size(MPI_DATATYPE_NULL, &position));
    REFUSES(MPI_ERR_BUFFER, MPI_Send(NULL, 1, MPI_INT, me, 0, MPI_COMM_WORLD));
    REFUSES(MPI_ERR_ARG, MPI_Get_address(memory, NULL));
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    check_return_errors();
    constructors();
    arrays();
    uses();
    return check_finish();
}
