/* report.h: JSON lines on stdout of rank 0 of MPI_COMM_WORLD.
 *
 * A record is one object on one line: report_begin(), its keys in order, report_end(). On other ranks all of these do nothing,
 * so that they may be called on all ranks or only where rank 0 runs. Keys are plain words; values that are no number become null.
 */
#pragma once

#include "common/clock.h"

#include <stdbool.h>

/* Whether records are lines of a key and a value each instead, for people; at first they are not. For --text.
 * A terminal is not asked for: a launcher may give one to every rank (Open MPI) or to none.
 */
bool *report_plain(void);

void report_begin(const char *record);
void report_text(const char *key, const char *text);
void report_number(const char *key, double value);
void report_whole(const char *key, long long value);
void report_flag(const char *key, bool value);
void report_list(const char *key, const double *values, int n);
void report_texts(const char *key, const char *const *texts, int n);
void report_end(void);

/* Collective over MPI_COMM_WORLD. The first line of every run: record "environment" with library (its version's first line),
 * ranks, hosts (each once), virtual, tick_s, subcommand, arguments, and date (UTC) unless time is virtual. */
void report_environment(const struct clock *, int argc, char **argv);
