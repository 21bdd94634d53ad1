/* counter.h: a shared library that keeps a number. */
#ifndef BENCH_SIMGRID_COUNTER_H
#define BENCH_SIMGRID_COUNTER_H

void counter_add(int amount);
int counter_value(void);

#endif
