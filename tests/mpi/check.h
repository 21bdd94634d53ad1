/* What every conformance program shares: start and finish, a check that names rank, place and values, and
 * buffers whose contents can be told from any other message's.
 *
 * A program prints nothing and exits 0 when all is well. The first check that fails prints one line and
 * ends the whole job, so that a wrong answer never shows up as a hang. */
#ifndef MPICO_TESTS_MPI_CHECK_H
#define MPICO_TESTS_MPI_CHECK_H

#include <mpi.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 1: for machines whose memory is counted in KB and their wires' speed in KB/s. Programs keep to what these bear. */
#ifndef CHECK_SMALL
#define CHECK_SMALL 0
#endif

static int me = -1; /* rank in MPI_COMM_WORLD */
static int np = 0;  /* ranks of MPI_COMM_WORLD */

/* Macros only to name the caller's file, line and expression. */
#define CHECK(condition, ...)                                                                                          \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            check_fail(__FILE__, __LINE__, #condition, __VA_ARGS__);                                                   \
        }                                                                                                              \
    } while (0)
#define CHECK_OK(call) check_class(__FILE__, __LINE__, #call, (call), MPI_SUCCESS)
#define CHECK_CLASS(call, wanted) check_class(__FILE__, __LINE__, #call, (call), (wanted))

static inline void check_fail(const char *file, int line, const char *what, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static inline void check_fail(const char *file, int line, const char *what, const char *format, ...)
{
    char values[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(values, sizeof values, format, arguments);
    va_end(arguments);
    fprintf(stderr, "rank %d of %d: %s:%d: %s: %s\n", me, np, file, line, what, values);
    fflush(stderr);
    int up = 0, down = 0;
    MPI_Initialized(&up);
    MPI_Finalized(&down);
    if (up && !down) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    exit(1);
}

/* The class of an error code; MPI_SUCCESS is its own class. */
static inline int class_of(int code)
{
    int class = -1;
    MPI_Error_class(code, &class);
    return class;
}

static inline void check_class(const char *file, int line, const char *call, int code, int wanted)
{
    int class = class_of(code);
    if (class != wanted) {
        char text[MPI_MAX_ERROR_STRING] = "";
        int length = 0;
        MPI_Error_string(code, text, &length);
        check_fail(file, line, call, "class %d, wanted %d (code %d: %.200s)", class, wanted, code, text);
    }
}

static inline void check_start(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
}

/* Errors come back as codes, also those that belong to no communicator (which MPI 4 raises on MPI_COMM_SELF). */
static inline void check_return_errors(void)
{
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
}

static inline int check_finish(void)
{
    MPI_Finalize();
    return 0;
}

/* The exit code that CTest counts as skipped; all ranks must agree to call it. */
static inline int check_skip(void)
{
    MPI_Finalize();
    return 77;
}

/* A random number that depends on nothing but its two arguments (splitmix64's finaliser). */
static inline uint64_t check_random(uint64_t seed, uint64_t counter)
{
    uint64_t z = seed * UINT64_C(0xD1342543DE82EF95) + (counter + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static inline unsigned char pattern(int seed, size_t i)
{
    return (unsigned char)((unsigned)seed * 37u + (unsigned)i * 11u + (unsigned)(i >> 8) * 5u + 1u);
}

static inline void fill_bytes(unsigned char *buffer, size_t length, int seed)
{
    for (size_t i = 0; i < length; i++) {
        buffer[i] = pattern(seed, i);
    }
}

/* Index of the first byte that differs from the pattern, or -1. */
static inline long wrong_byte(const unsigned char *buffer, size_t length, int seed)
{
    for (size_t i = 0; i < length; i++) {
        if (buffer[i] != pattern(seed, i)) {
            return (long)i;
        }
    }
    return -1;
}

/* Memory of at least one byte, so that a pointer to an empty buffer is still a pointer. */
static inline void *check_alloc(size_t bytes)
{
    void *memory = malloc(bytes + 1);
    CHECK(memory, "no memory for %lu bytes", (unsigned long)bytes);
    return memory;
}

static inline int bytes_of(const MPI_Status *status)
{
    int count = -1;
    MPI_Get_count(status, MPI_BYTE, &count);
    return count;
}

/* The empty status of the standard: any source, any tag, success, count 0, not cancelled. */
static inline void check_empty_status(const MPI_Status *status, int line)
{
    int cancelled = -1;
    MPI_Test_cancelled(status, &cancelled);
    CHECK(status->MPI_SOURCE == MPI_ANY_SOURCE && status->MPI_TAG == MPI_ANY_TAG && bytes_of(status) == 0 && !cancelled,
          "from line %d: source %d, tag %d, %d bytes, cancelled %d", line, status->MPI_SOURCE, status->MPI_TAG,
          bytes_of(status), cancelled);
}

/* A status of a receive from MPI_PROC_NULL. */
static inline void check_null_status(const MPI_Status *status, int line)
{
    CHECK(status->MPI_SOURCE == MPI_PROC_NULL && status->MPI_TAG == MPI_ANY_TAG && bytes_of(status) == 0,
          "from line %d: source %d, tag %d, %d bytes", line, status->MPI_SOURCE, status->MPI_TAG, bytes_of(status));
}

/* A test's longest length, kept bearable where many ranks share a processor and all their bytes its time. */
static inline int check_bearable(int longest)
{
    if (CHECK_SMALL)
        return longest < 1500 ? longest : 1500;
    return np > 16 ? longest / 8 : longest;
}

static inline int right_of(int rank) { return (rank + 1) % np; }
static inline int left_of(int rank) { return (rank + np - 1) % np; }

/* Message lengths around every border an implementation is likely to have. */
static const int border_bytes[] = {0,   1, 7, 8, 23, 24, 25, 31, 32, 33, 63, 64, 65, 1000,
#if CHECK_SMALL
                                   2500
#else
                                   4095,  4096,  4097,  8191,  8192,   8193,   16383, 16384,
                                   16385, 65535, 65536, 65537, 262144, 1048576
#endif
};
enum { BORDERS = sizeof border_bytes / sizeof border_bytes[0] };

#endif
