/* stdlib.h: what MPI programs use of it. Memory comes from a static heap of 32 MB. */
#ifndef MPICO_HEXAGON_STDLIB_H
#define MPICO_HEXAGON_STDLIB_H

#include <stddef.h>

enum { EXIT_SUCCESS = 0, EXIT_FAILURE = 1 };
#define RAND_MAX 0x7fffffff

void *malloc(size_t);
void *calloc(size_t count, size_t size);
void *realloc(void *, size_t);
void free(void *);
__attribute__((noreturn)) void exit(int);
__attribute__((noreturn)) void abort(void);
char *getenv(const char *);
int atoi(const char *);
long strtol(const char *restrict, char **restrict end, int base);
int abs(int);
long labs(long);
int rand(void);
void srand(unsigned);
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));

#endif
