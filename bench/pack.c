/* How fast derived types are packed and unpacked: MPI_Pack and MPI_Unpack against the loop that a programmer would write, in the same run.
 * One rank. Prints a record a type: nanoseconds a block, bytes a second of both ways, and the ratio (1: as fast as by hand).
 *
 * Usage: mpiexec -n 1 pack [--bytes N] [--times N] */
#include "common.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct particle {
    double place[3];
    int id;
    double speed[3];
    char kind;
};

static size_t bytes; /* of packed data */
static int times;
static char *memory, *block;

/* Each loop packs all of it once; `n` is the type's count of blocks. */
typedef void by_hand(size_t n, char *out);

static void vector_8(size_t n, char *out)
{
    const double *in = (const double *)(void *)memory;
    double *to = (double *)(void *)out;
    for (size_t i = 0; i < n; i++)
        to[i] = in[2 * i];
}

static void vector_4(size_t n, char *out)
{
    const float *in = (const float *)(void *)memory;
    float *to = (float *)(void *)out;
    for (size_t i = 0; i < n; i++)
        to[i] = in[3 * i];
}

static void vector_16(size_t n, char *out)
{
    for (size_t i = 0; i < n; i++)
        memcpy(out + 16 * i, memory + 48 * i, 16);
}

static void vector_100(size_t n, char *out)
{
    for (size_t i = 0; i < n; i++)
        memcpy(out + 100 * i, memory + 200 * i, 100);
}

static int *places;

static void indexed_8(size_t n, char *out)
{
    const double *in = (const double *)(void *)memory;
    double *to = (double *)(void *)out;
    for (size_t i = 0; i < n; i++)
        to[i] = in[places[i]];
}

static void particles(size_t n, char *out)
{
    const struct particle *in = (const struct particle *)(void *)memory;
    for (size_t i = 0; i < n; i++, out += 53) {
        memcpy(out, &in[i].place, 24);
        memcpy(out + 24, &in[i].id, 4);
        memcpy(out + 28, &in[i].speed, 24);
        out[52] = in[i].kind;
    }
}

enum { SIDE = 64, CUT = 16 };

static void cubes(size_t n, char *out)
{
    const double *in = (const double *)(void *)memory;
    for (size_t k = 0; k < n; k++, in += SIDE * SIDE * SIDE)
        for (int a = 0; a < CUT; a++)
            for (int b = 0; b < CUT; b++, out += CUT * 8)
                memcpy(out, in + ((size_t)(a + 3) * SIDE + (size_t)b + 5) * SIDE + 7, CUT * 8);
}

static double seconds(by_hand *hand, size_t n, MPI_Datatype t, int count, int in)
{
    double *took = malloc((size_t)times * sizeof *took);
    for (int i = 0; i < times; i++) {
        int at = 0;
        uint64_t start = now_ns();
        if (hand)
            hand(n, block);
        else if (in)
            MPI_Unpack(block, (int)bytes, &at, memory, count, t, MPI_COMM_SELF);
        else
            MPI_Pack(memory, count, t, block, (int)bytes, &at, MPI_COMM_SELF);
        took[i] = (double)(now_ns() - start) * 1e-9;
    }
    double m = median(took, times);
    free(took);
    return m;
}

/* `count` elements of n / count blocks each. */
static void measure(const char *name, MPI_Datatype *t, int count, by_hand *hand, size_t n)
{
    int size;
    MPI_Type_commit(t);
    MPI_Type_size(*t, &size);
    size_t all = (size_t)size * (size_t)count;
    if (all > bytes)
        give_up("a type that is longer than the block");
    char *wanted = malloc(all);
    hand(n, block);
    memcpy(wanted, block, all);
    memset(block, 0, bytes);
    int at = 0;
    MPI_Pack(memory, count, *t, block, (int)bytes, &at, MPI_COMM_SELF);
    if (memcmp(wanted, block, all) != 0)
        give_up("the two ways pack other bytes");
    double by_loop = seconds(hand, n, *t, count, 0), packed = seconds(NULL, n, *t, count, 0),
           unpacked = seconds(NULL, n, *t, count, 1);
    printf("{\"bench\": \"pack\", \"type\": \"%s\", \"ns\": %.3f, \"pack_per_s\": %.4g, \"unpack_per_s\": %.4g, "
           "\"by_hand_per_s\": %.4g, \"ratio\": %.3f}\n",
           name, packed * 1e9 / (double)n, (double)all / packed, (double)all / unpacked, (double)all / by_loop,
           by_loop / packed);
    free(wanted);
    MPI_Type_free(t);
}

static void strided(void)
{
    MPI_Datatype t;
    size_t n = bytes / 8;
    MPI_Type_vector((int)n, 1, 2, MPI_DOUBLE, &t);
    measure("vector 8", &t, 1, vector_8, n);
    MPI_Type_vector((int)(bytes / 4), 1, 3, MPI_FLOAT, &t);
    measure("vector 4", &t, 1, vector_4, bytes / 4);
    MPI_Type_vector((int)(bytes / 16), 2, 6, MPI_DOUBLE, &t);
    measure("vector 16", &t, 1, vector_16, bytes / 16);
    MPI_Type_vector((int)(bytes / 100), 100, 200, MPI_CHAR, &t);
    measure("vector 100", &t, 1, vector_100, bytes / 100);
}

static void listed(void)
{
    MPI_Datatype t;
    size_t n = bytes / 8;
    places = malloc(n * sizeof *places);
    for (size_t i = 0; i < n; i++)
        places[i] = (int)(2 * i + (i * 7 % 5 > 2));
    MPI_Type_create_indexed_block((int)n, 1, places, MPI_DOUBLE, &t);
    measure("indexed 8", &t, 1, indexed_8, n);
    free(places);
}

static void structs(void)
{
    MPI_Datatype one, t;
    struct particle p;
    MPI_Aint at[5];
    MPI_Get_address(&p, &at[4]);
    MPI_Get_address(&p.place, &at[0]);
    MPI_Get_address(&p.id, &at[1]);
    MPI_Get_address(&p.speed, &at[2]);
    MPI_Get_address(&p.kind, &at[3]);
    for (int i = 0; i < 4; i++)
        at[i] = MPI_Aint_diff(at[i], at[4]);
    MPI_Type_create_struct(4, (const int[]){3, 1, 3, 1}, at,
                           (const MPI_Datatype[]){MPI_DOUBLE, MPI_INT, MPI_DOUBLE, MPI_CHAR}, &one);
    MPI_Type_create_resized(one, 0, sizeof p, &t);
    MPI_Type_free(&one);
    measure("struct", &t, (int)(bytes / 53), particles, bytes / 53);
}

static void arrays(void)
{
    MPI_Datatype t;
    const int sizes[] = {SIDE, SIDE, SIDE}, cut[] = {CUT, CUT, CUT}, from[] = {3, 5, 7};
    size_t n = bytes / (CUT * CUT * CUT * 8);
    n = n * SIDE * SIDE * SIDE * 8 > 4 * bytes ? 4 * bytes / (SIDE * SIDE * SIDE * 8) : n;
    if (n == 0)
        return;
    MPI_Type_create_subarray(3, sizes, cut, from, MPI_ORDER_C, MPI_DOUBLE, &t);
    measure("subarray", &t, (int)n, cubes, n);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    bytes = (size_t)option_int(argc, argv, "--bytes", 1 << 20);
    times = option_int(argc, argv, "--times", 200);
    memory = malloc(4 * bytes + SIDE);
    block = malloc(bytes);
    for (size_t i = 0; i < 4 * bytes; i++)
        memory[i] = (char)(i * 7);
    strided();
    listed();
    structs();
    arrays();
    MPI_Finalize();
    return 0;
}
