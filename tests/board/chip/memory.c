/* memcpy(), memmove() and memset() of the chip's library, at all alignments and many lengths, against loops over
 * bytes. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { ROOM = 256, LENGTHS = 150, ALIGN = 16 };

static unsigned char source[ROOM], got[ROOM], wanted[ROOM];
static int wrong;

/* Calls that the compiler does not replace. */
static void *(*volatile copy)(void *, const void *, size_t) = memcpy;
static void *(*volatile move)(void *, const void *, size_t) = memmove;
static void *(*volatile set)(void *, int, size_t) = memset;

static void fill(void)
{
    for (int i = 0; i < ROOM; i++)
        got[i] = wanted[i] = (unsigned char)(3 * i + 1), source[i] = (unsigned char)(7 * i + 5);
}

static void compare(const char *what, int to, int from, int n)
{
    for (int i = 0; i < ROOM; i++)
        if (got[i] != wanted[i] && wrong++ < 5)
            printf("%s: to %d, from %d, %d bytes: byte %d is %d instead of %d\n", what, to, from, n, i, got[i],
                   wanted[i]);
}

static void one(int to, int from, int n)
{
    fill();
    wrong += copy(got + to, source + from, (size_t)n) != got + to;
    for (int i = 0; i < n; i++)
        wanted[to + i] = source[from + i];
    compare("memcpy", to, from, n);

    fill();
    unsigned char before[ROOM];
    for (int i = 0; i < ROOM; i++)
        before[i] = got[i];
    wrong += move(got + 32 + to, got + 32 + from, (size_t)n) != got + 32 + to;
    for (int i = 0; i < n; i++)
        wanted[32 + to + i] = before[32 + from + i];
    compare("memmove", to, from, n);

    fill();
    wrong += set(got + to, 0x100 | from, (size_t)n) != got + to;
    for (int i = 0; i < n; i++)
        wanted[to + i] = (unsigned char)from;
    compare("memset", to, from, n);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int n = 0; n < LENGTHS; n++)
        for (int to = 0; to < ALIGN; to++)
            for (int from = 0; from < ALIGN; from++)
                one(to, from, n);
    MPI_Finalize();
    return wrong ? 1 : 0;
}
