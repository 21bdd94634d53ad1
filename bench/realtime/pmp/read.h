/* read.h: the language of patterns, as docs/pmp.md describes it. */
#pragma once

#include "pmp/pattern.h"

/* Reads a pattern from text, which ends in '\0'. Sends without a size have default_bytes, or the size of the header where that is
 * below 0. False: the complaint says why and where, and there is nothing to free. */
bool pattern_read(const char *text, int default_bytes, struct pattern *, struct complaint *);

/* The size in a header line such as "(messages size 1/8 MB)"; -1 if it names none, -2 if it is no whole number of bytes.
 * Reads up to the end of the line. */
int header_bytes(const char *line);
