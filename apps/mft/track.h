/* The towing ship's logged positions during one event, in metres about the array. */
#ifndef MFT_TRACK_H
#define MFT_TRACK_H

#include "limits.h"

struct track {
    int n;
    double t[MAX_FIXES]; /* seconds from the start of the event, increasing */
    double x[MAX_FIXES]; /* m east of the array */
    double y[MAX_FIXES]; /* m north of the array */
};

/* Reads the log of consecutive days, corrects its clock and keeps the fixes from two minutes before the event's start
   to two minutes after its end. 0, or -1 after complaining; the event must be covered without a gap above five
   minutes. */
int track_read(struct track *track, const char *folder, const char *const names[], int n_names, double length_s);

/* Position at t, linear between fixes (a ship does not jump; missing minutes are bridged). */
void track_at(const struct track *track, double t, double *x, double *y);

#endif
