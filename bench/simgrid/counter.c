/* counter.c: see counter.h. One for a process that runs one rank; is it one for each rank of a simulator? */
#include "counter.h"

static int total;

void counter_add(int amount) { total += amount; }
int counter_value(void) { return total; }
