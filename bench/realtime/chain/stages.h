/* stages.h: one run of a stage through all blocks. */
#pragma once

#include "chain/seat.h"

/* Mean square error that the sink takes for right, root, relative to the block: two transforms in single precision make 3e-7. */
#define SINK_TOLERANCE 1e-5

void source_run(struct seat *, struct run *);
void node_run(struct seat *, struct run *);
void sink_run(struct seat *, struct run *);
void alone_run(struct seat *, struct run *);
