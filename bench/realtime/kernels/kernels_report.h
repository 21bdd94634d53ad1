/* kernels_report.h: what a race showed, as a record or as a line of a table. */
#ifndef REALTIME_KERNELS_REPORT_H
#define REALTIME_KERNELS_REPORT_H

#include <stdbool.h>

#include "contest.h"

/* Record "libraries", or the table's head; where FFTW is absent, a sentence on stderr that says how to get it. */
void kernels_report_start(enum simd, bool fftw, bool patient, bool text);
void kernels_report(const struct contest *, bool text);

#endif
