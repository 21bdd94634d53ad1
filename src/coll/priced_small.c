/* priced_small.c: in place of priced.c in small builds, where each collective has one algorithm and nothing is priced. */
#include "select.h"
