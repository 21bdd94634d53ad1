/* pipe_libc.c: what an MPI program asks of a C library, printed: a DSP's own library and the host's must print the same. Ends with 9. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void integers(void)
{
    printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d] [%i]\n", -42, 42, 42, 42, 42, 42, 42);
    printf("[%u] [%x] [%#X] [%o] [%#o] [%08x] [%.4x]\n", 42u, 255u, 255u, 8u, 8u, 255u, 255u);
    printf("[%ld] [%lld] [%llu] [%zu] [%jd]\n", -5L, INT64_MIN + 0LL, UINT64_MAX + 0ULL, (size_t)77, (intmax_t)-1);
    printf("[%hhd] [%hd] [%hhu] [%*d] [%-*d] [%5.3d] [%.0d]\n", (signed char)-3, (short)-300, (unsigned char)250, 6, 9,
           6, 9, 7, 0);
}

static void texts(void)
{
    char cut[8];
    printf("[%c] [%s] [%.3s] [%8s|%-8s] [%%]\n", 'z', "hello", "hello", "ab", "cd");
    int n = snprintf(cut, sizeof cut, "%s", "0123456789");
    printf("%d %s %s %s\n", n, cut, strstr("abcabd", "abd"), strchr("hallo", 'l'));
    memmove(cut + 1, cut, 5);
    printf("%s %d %d\n", cut, strcmp("abc", "abd") < 0, memcmp("b", "a", 1) > 0);
}

static void reals(void)
{
    static const double value[] = {0,     1,    -1,   0.5, 1.5,  2.5,   123456.789,       1e-5,   0.0001,   1e10,
                                   1e15,  1e17, 1e20, 0.1, -0.0, 1e300, 3.14159265358979, 1e-300, 999999.5, 1.0 / 0.0,
                                   5e-324};
    for (size_t i = 0; i < sizeof value / sizeof *value; i++) {
        double v = value[i], small = v < 1e12 ? v : 0;
        printf("[%f] [%.3f] [%.0f] [%10.2f] [%010.3f] [%+.1f]\n", small, small, small, small, small, small);
        printf("[%g] [%.9g] [%e] [%-10.1e] [%12g]\n", v, v, v, v, v);
    }
}

static void quotients(void)
{
    uint64_t a = UINT64_C(0x123456789abcdef1), b = 1;
    for (int i = 0; i < 60; i++, a = a * 6364136223846793005u + 1, b = b * 3 + (a >> 61)) {
        double x = (double)a / (double)b;
        uint64_t bits;
        memcpy(&bits, &x, sizeof bits);
        printf("%llu %llu %lld %d %u %llx\n", (unsigned long long)(a / b), (unsigned long long)(a % b),
               (long long)((int64_t)a / (int64_t)(b | 1)), (int)((int32_t)a / (int32_t)(b | 1)),
               (unsigned)((uint32_t)a % (uint32_t)(b | 1)), (unsigned long long)bits);
    }
}

static void memory(void)
{
    int number[100];
    unsigned char *block[50];
    for (int i = 0; i < 100; i++)
        number[i] = i * 7919 % 101;
    qsort(number, 100, sizeof *number, by_value);
    for (int i = 1; i < 100; i++)
        if (number[i - 1] > number[i])
            printf("not sorted at %d\n", i);
    for (size_t i = 0; i < 50; i++)
        block[i] = memset(malloc(i * 1000 + 1), (int)i, i * 1000 + 1);
    for (size_t i = 0; i < 50; i++) {
        block[i] = realloc(block[i], i * 3000 + 1);
        if (block[i][i * 1000] != i)
            printf("block %zu has changed\n", i);
    }
    for (size_t i = 0; i < 50; i++)
        free(block[i]);
    printf("%d\n", malloc(SIZE_MAX / 2) == NULL);
}

int main(int argc, char **argv)
{
    integers();
    texts();
    reals();
    quotients();
    memory();
    printf("%d %ld %ld %ld\n", atoi(" -17x"), strtol("0x1fz", NULL, 0), strtol("777", NULL, 8), strtol("zz", NULL, 36));
    printf("%d arguments, the last %s, no variable: %d", argc, argv[argc - 1], getenv("MPICO_NOT_THERE") == NULL);
    return 9;
}
