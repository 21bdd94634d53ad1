/* What the command line may say. */
#ifndef MFT_OPTIONS_H
#define MFT_OPTIONS_H

#include <stdbool.h>

struct options {
    const char *data, *output;
    double steps, hypotheses, slice, tones, seed;
    double from_min, to_min, leg_min, snapshot_s;
    double snr_db, source_depth, speed_max;
    double tilt_deg, tilt_bearing_deg, bow_m;
    bool quick, paper, mismatch, check_modes, help;
};

/* Fills in defaults, then reads the arguments. 0, or -1 after complaining. */
int options_read(struct options *options, int argc, char **argv);

/* Prints usage to stdout. */
void options_help(void);

#endif
