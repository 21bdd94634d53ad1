/* Doubles, complex numbers and pairs through short and long messages; the gaps of a pair stay as they were. */
#include "check.h"
#include <stddef.h>

enum { MOST = CHECK_SMALL ? 500 : 20000 };
struct shape {
    MPI_Datatype type;
    size_t extent, first, second, second_at; /* bytes; second is 0 where there is no pair */
};

struct short_int {
    short value;
    int place;
};
struct float_int {
    float value;
    int place;
};
struct long_int {
    long value;
    int place;
};
struct double_int {
    double value;
    int place;
};
struct long_double_int {
    long double value;
    int place;
};

#define PAIR(type, c, value_type)                                                                                      \
    {                                                                                                                  \
        type, sizeof(struct c), sizeof(value_type), sizeof(int), offsetof(struct c, place)                             \
    }
static const struct shape shapes[] = {
    {MPI_DOUBLE, 8, 8, 0, 0},
    {MPI_LONG_DOUBLE, sizeof(long double), sizeof(long double), 0, 0},
    {MPI_C_FLOAT_COMPLEX, 8, 8, 0, 0},
    {MPI_C_DOUBLE_COMPLEX, 16, 16, 0, 0},
    {MPI_C_LONG_DOUBLE_COMPLEX, 2 * sizeof(long double), 2 * sizeof(long double), 0, 0},
    {MPI_2INT, 8, 4, 4, 4},
    PAIR(MPI_SHORT_INT, short_int, short),
    PAIR(MPI_FLOAT_INT, float_int, float),
    PAIR(MPI_LONG_INT, long_int, long),
    PAIR(MPI_DOUBLE_INT, double_int, double),
    PAIR(MPI_LONG_DOUBLE_INT, long_double_int, long double),
};

static int is_data(const struct shape *s, size_t at)
{
    at %= s->extent;
    return at < s->first || (at >= s->second_at && at < s->second_at + s->second);
}

int main(int argc, char **argv)
{
    const int counts[] = {0, 1, 3, 100, MOST};
    check_start(&argc, &argv);
    unsigned char *out = check_alloc(MOST * 32), *in = check_alloc(MOST * 32);
    for (size_t t = 0; t < sizeof shapes / sizeof shapes[0]; t++) {
        const struct shape *s = &shapes[t];
        for (int k = 0; k < 10; k++) {
            int count = counts[k / 2], got = -1;
            size_t bytes = (size_t)count * s->extent;
            MPI_Request q;
            MPI_Status status;
            fill_bytes(out, bytes, me + k);
            memset(in, 0xEE, bytes);
            if (k % 2) { /* expected; otherwise the message comes first */
                MPI_Irecv(in, count, s->type, left_of(me), 0, MPI_COMM_WORLD, &q);
                MPI_Send(out, count, s->type, right_of(me), 0, MPI_COMM_WORLD);
                MPI_Wait(&q, &status);
            } else {
                MPI_Isend(out, count, s->type, right_of(me), 0, MPI_COMM_WORLD, &q);
                MPI_Probe(left_of(me), 0, MPI_COMM_WORLD, &status);
                MPI_Recv(in, count, s->type, left_of(me), 0, MPI_COMM_WORLD, &status);
                MPI_Wait(&q, MPI_STATUS_IGNORE);
            }
            MPI_Get_count(&status, s->type, &got);
            CHECK(got == count, "type %zu: count %d, wanted %d", t, got, count);
            for (size_t i = 0; i < bytes; i++) {
                unsigned wanted = is_data(s, i) ? pattern(left_of(me) + k, i) : 0xEE;
                CHECK(in[i] == wanted, "type %zu, count %d: byte %zu is %u, wanted %u", t, count, i, in[i], wanted);
            }
        }
    }
    free(out);
    free(in);
    return check_finish();
}
