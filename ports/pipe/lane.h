/* lane.h (pipe): a descriptor, inherited and duplex, as a lane (src/net/lane.h). */
#ifndef MPICO_PIPE_LANE_H
#define MPICO_PIPE_LANE_H

#include "net/lane.h"
#include "sys.h"

struct pipe_lane {
    struct lane lane;     /* first: a struct lane * of this port is a struct pipe_lane * */
    uint32_t came;        /* bytes so far */
    struct sys_wire wire; /* fd -1 once the other end is closed: silence, which the hop above notices */
};

/* 0; negative when `fd` is not open. */
int mpico_pipe_lane_init(struct pipe_lane *, int fd);

#endif
