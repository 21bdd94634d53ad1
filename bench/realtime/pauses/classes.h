/* classes.h: pauses of similar length, and how regularly they come. */
#pragma once

#include "watch.h"

enum { CLASSES = 8, CLASS_LEAST = 4 };

struct pause_class {
    long count;
    double least_s, median_s, most_s; /* length */
    double lost_s;
    double distance_s; /* the most frequent one between successive pauses of the class */
    double regular;    /* share of the distances that are it, within a tenth */
};

/* Sorts pauses into at most CLASSES classes of at least CLASS_LEAST members each: the first is the window of lengths within 30 %
 * of each other that holds most pauses, the next the same of what remains, and so on. Returns how many; -1: no memory. */
int classes_find(const struct pause *, long count, struct pause_class classes[CLASSES]);
