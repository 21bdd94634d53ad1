/* Messages between different types that match, short, long and longer than any copy: vector, indexed, struct, subarray and
 * resized ones to blocks and back, expected and not, blocking and not. */
#include "../check.h"

enum { KINDS = 6, TAG = 5 };

/* `n` doubles of a buffer of 4 n, in another pattern for each kind; where[i]: the place of the i-th. */
static MPI_Datatype make(int kind, int n, int *where)
{
    MPI_Datatype t = MPI_DATATYPE_NULL, inner;
    int k = 0, half = n / 2;
    int *lens = check_alloc(sizeof(int) * (size_t)(n + 1)), *places = check_alloc(sizeof(int) * (size_t)(n + 1));
    switch (kind) {
    case 0:
        MPI_Type_contiguous(n, MPI_DOUBLE, &t);
        for (; k < n; k++)
            where[k] = k;
        break;
    case 1:
        MPI_Type_vector(n, 1, 2, MPI_DOUBLE, &t);
        for (; k < n; k++)
            where[k] = 2 * k;
        break;
    case 2: { /* blocks of 1, 2, 3, 1, 2, 3 .. with growing gaps */
        int blocks = 0, at = 0;
        while (k < n) {
            lens[blocks] = blocks % 3 + 1 < n - k ? blocks % 3 + 1 : n - k;
            places[blocks] = at;
            for (int i = 0; i < lens[blocks]; i++)
                where[k++] = at + i;
            at += lens[blocks] + 1 + blocks % 2;
            blocks++;
        }
        MPI_Type_indexed(blocks, lens, places, MPI_DOUBLE, &t);
        break;
    }
    case 3: { /* one half forwards, the other backwards, of two types */
        MPI_Type_vector(n - half, 1, -1, MPI_DOUBLE, &inner);
        MPI_Type_create_struct(2, (const int[]){half, 1}, (const MPI_Aint[]){0, 8 * (MPI_Aint)(3 * n)},
                               (const MPI_Datatype[]){MPI_DOUBLE, inner}, &t);
        MPI_Type_free(&inner);
        for (; k < half; k++)
            where[k] = k;
        for (; k < n; k++)
            where[k] = 3 * n - (k - half);
        break;
    }
    case 4: { /* a column of a matrix with rows of 4, and a block */
        int rows = n / 2 + 1;
        MPI_Type_create_subarray(2, (const int[]){rows + 1, 4}, (const int[]){rows, 1}, (const int[]){0, 1},
                                 MPI_ORDER_C, MPI_DOUBLE, &inner);
        MPI_Type_create_struct(2, (const int[]){1, n - rows}, (const MPI_Aint[]){0, 8 * (MPI_Aint)(2 * n + 8)},
                               (const MPI_Datatype[]){inner, MPI_DOUBLE}, &t);
        MPI_Type_free(&inner);
        for (; k < rows; k++)
            where[k] = 4 * k + 1;
        for (; k < n; k++)
            where[k] = 2 * n + 8 + k - rows;
        break;
    }
    default:
        MPI_Type_create_resized(MPI_DOUBLE, 0, 24, &inner);
        MPI_Type_contiguous(n, inner, &t);
        MPI_Type_free(&inner);
        for (; k < n; k++)
            where[k] = 3 * k;
    }
    MPI_Type_commit(&t);
    free(lens);
    free(places);
    return t;
}

static double value(int from, int i) { return from * 1e7 + i; }

static void check_received(const double *buffer, const int *where, int n, int from, int kind, int room)
{
    for (int i = 0; i < n; i++)
        CHECK(buffer[where[i]] == value(from, i), "kind %d, %d doubles: element %d is %g, wanted %g", kind, n, i,
              buffer[where[i]], value(from, i));
    int touched = 0;
    for (int i = 0; i < room; i++)
        touched += buffer[i] != -1;
    CHECK(touched == n, "kind %d, %d doubles: %d places were written", kind, n, touched);
}

/* Every type is freed before its message is over. */
static void exchange(int out_kind, int in_kind, int n, int late)
{
    int room = 4 * n + 16, to = right_of(me), from = left_of(me);
    int *out_at = check_alloc(sizeof(int) * (size_t)n), *in_at = check_alloc(sizeof(int) * (size_t)n);
    double *out = check_alloc(sizeof(double) * (size_t)room), *in = check_alloc(sizeof(double) * (size_t)room);
    MPI_Datatype out_type = make(out_kind, n, out_at), in_type = make(in_kind, n, in_at);
    for (int i = 0; i < room; i++)
        out[i] = in[i] = -1;
    for (int i = 0; i < n; i++)
        out[out_at[i]] = value(me, i);
    MPI_Request q[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status s[2];
    if (!late)
        MPI_Irecv(in, 1, in_type, from, TAG, MPI_COMM_WORLD, &q[0]);
    MPI_Isend(out, 1, out_type, to, TAG, MPI_COMM_WORLD, &q[1]);
    MPI_Type_free(&out_type);
    if (late)
        MPI_Irecv(in, 1, in_type, from, TAG, MPI_COMM_WORLD, &q[0]);
    MPI_Type_free(&in_type);
    MPI_Waitall(2, q, s);
    CHECK(bytes_of(&s[0]) == 8 * n, "%d bytes came, wanted %d", bytes_of(&s[0]), 8 * n);
    check_received(in, in_at, n, from, in_kind, room);
    free(out_at);
    free(in_at);
    free(out);
    free(in);
}

/* A receive that is shorter than its type, and one that is longer. */
static void part_of_a_vector(void)
{
    MPI_Datatype t;
    double in[64], out[5] = {1, 2, 3, 4, 5};
    MPI_Status s;
    MPI_Type_vector(8, 2, 4, MPI_DOUBLE, &t);
    MPI_Type_commit(&t);
    for (int i = 0; i < 64; i++)
        in[i] = -1;
    MPI_Sendrecv(out, 5, MPI_DOUBLE, right_of(me), TAG, in, 2, t, left_of(me), TAG, MPI_COMM_WORLD, &s);
    int count = 0, elements = 0;
    MPI_Get_count(&s, t, &count);
    MPI_Get_elements(&s, t, &elements);
    CHECK(count == MPI_UNDEFINED && elements == 5, "count %d, elements %d", count, elements);
    CHECK(in[0] == 1 && in[1] == 2 && in[4] == 3 && in[5] == 4 && in[8] == 5 && in[9] == -1 && in[2] == -1,
          "misplaced");
    MPI_Type_free(&t);
}

int main(int argc, char **argv)
{
    static const int lengths[] = {1, 2, 3, 7, 30, 500, 3000, 20000, 140000};
    check_start(&argc, &argv);
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        int n = lengths[k], every = n > 500 ? 5 : 1;
        if (n > 3000 && np > 8)
            break;
        for (int pair = 0; pair < KINDS * KINDS; pair += every) {
            exchange(pair / KINDS, pair % KINDS, n, 0);
            exchange(pair / KINDS, pair % KINDS, n, 1);
        }
    }
    part_of_a_vector();
    return check_finish();
}
