/* report.c: JSON lines on stdout of rank 0. */
#include "common/report.h"

#include <math.h>
#include <mpi.h>
#include <stdio.h>

static bool speaks(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == 0;
}

/* Control characters and bytes beyond ASCII become their code, as Latin 1: the line is JSON whatever the text holds. */
static void print_text(const char *text)
{
    putchar('"');
    for (const char *c = text; *c; c++) {
        unsigned code = (unsigned char)*c;
        if (code == '"' || code == '\\')
            printf("\\%c", *c);
        else if (code < 0x20 || code > 0x7e)
            printf("\\u%04x", code);
        else
            putchar(*c);
    }
    putchar('"');
}

static void print_number(double value)
{
    if (isfinite(value))
        printf("%.9g", value);
    else
        fputs("null", stdout);
}

static void print_key(const char *key)
{
    fputs(", ", stdout);
    print_text(key);
    fputs(": ", stdout);
}

void report_begin(const char *record)
{
    if (!speaks())
        return;
    fputs("{\"record\": ", stdout);
    print_text(record);
}

void report_text(const char *key, const char *text)
{
    if (!speaks())
        return;
    print_key(key);
    print_text(text);
}

void report_number(const char *key, double value)
{
    if (!speaks())
        return;
    print_key(key);
    print_number(value);
}

void report_whole(const char *key, long long value)
{
    if (!speaks())
        return;
    print_key(key);
    printf("%lld", value);
}

void report_flag(const char *key, bool value)
{
    if (!speaks())
        return;
    print_key(key);
    fputs(value ? "true" : "false", stdout);
}

void report_list(const char *key, const double *values, int n)
{
    if (!speaks())
        return;
    print_key(key);
    putchar('[');
    for (int i = 0; i < n; i++) {
        fputs(i ? ", " : "", stdout);
        print_number(values[i]);
    }
    putchar(']');
}

void report_texts(const char *key, const char *const *texts, int n)
{
    if (!speaks())
        return;
    print_key(key);
    putchar('[');
    for (int i = 0; i < n; i++) {
        fputs(i ? ", " : "", stdout);
        print_text(texts[i]);
    }
    putchar(']');
}

void report_end(void)
{
    if (!speaks())
        return;
    puts("}");
    fflush(stdout);
}
