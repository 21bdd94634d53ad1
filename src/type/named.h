/* named.h: the table of predefined datatypes. */
#ifndef MPICO_NAMED_H
#define MPICO_NAMED_H

#include "type.h"

extern const struct type mpico_type_table[];
/* By the low byte of a handle of the ABI: the index in the table and 1; 0: no datatype. */
extern const uint8_t mpico_type_place[256];

#endif
