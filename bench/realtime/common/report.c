/* report.c: JSON lines, or lines of text, on stdout of rank 0. */
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

bool *report_plain(void)
{
    static bool plain;
    return &plain;
}

/* Control characters and bytes beyond ASCII become their code, as Latin 1: the line is JSON whatever the text holds. */
static void print_text(const char *text)
{
    if (*report_plain()) {
        fputs(text, stdout);
        return;
    }
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
    bool plain = *report_plain();
    if (isfinite(value))
        printf(plain ? "%.5g" : "%.9g", value);
    else
        fputs(plain ? "-" : "null", stdout);
}

static void print_key(const char *key)
{
    if (*report_plain()) {
        printf("\n  %-18s ", key);
        return;
    }
    fputs(", ", stdout);
    print_text(key);
    fputs(": ", stdout);
}

static void print_json(const char *mark)
{
    if (!*report_plain())
        fputs(mark, stdout);
}

void report_begin(const char *record)
{
    if (!speaks())
        return;
    print_json("{\"record\": ");
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
    print_json("[");
    for (int i = 0; i < n; i++) {
        fputs(i ? ", " : "", stdout);
        print_number(values[i]);
    }
    print_json("]");
}

void report_texts(const char *key, const char *const *texts, int n)
{
    if (!speaks())
        return;
    print_key(key);
    print_json("[");
    for (int i = 0; i < n; i++) {
        fputs(i ? ", " : "", stdout);
        print_text(texts[i]);
    }
    print_json("]");
}

void report_end(void)
{
    if (!speaks())
        return;
    print_json("}");
    putchar('\n');
    fflush(stdout);
}
