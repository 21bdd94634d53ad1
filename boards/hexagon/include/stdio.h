/* stdio.h: text to the two outputs. Standard output is written line by line; standard error at the end of each call. The
 * conversions are d i u x X o c s p f e g with flags, width, precision, and the lengths hh h l ll z t j.
 */
#ifndef MPICO_HEXAGON_STDIO_H
#define MPICO_HEXAGON_STDIO_H

#include <stdarg.h>
#include <stddef.h>

#define EOF (-1)
typedef struct mpico_file FILE;
extern FILE *const mpico_stdout, *const mpico_stderr;
#define stdout mpico_stdout
#define stderr mpico_stderr

int printf(const char *restrict, ...) __attribute__((format(printf, 1, 2)));
int fprintf(FILE *restrict, const char *restrict, ...) __attribute__((format(printf, 2, 3)));
int snprintf(char *restrict, size_t, const char *restrict, ...) __attribute__((format(printf, 3, 4)));
int vfprintf(FILE *restrict, const char *restrict, va_list);
int vsnprintf(char *restrict, size_t, const char *restrict, va_list);
int puts(const char *);
int putchar(int);
int fputc(int, FILE *);
int fputs(const char *restrict, FILE *restrict);
size_t fwrite(const void *restrict, size_t size, size_t count, FILE *restrict);
int fflush(FILE *);

#endif
