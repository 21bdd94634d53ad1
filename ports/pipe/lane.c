/* lane.c: bytes through one descriptor. A closed end is not an error here: nothing comes any more, as on a cut cable. */
#include "lane.h"

static size_t lane_put(struct lane *lane, const void *bytes, size_t len)
{
    struct pipe_lane *l = (struct pipe_lane *)lane;
    if (l->wire.fd < 0)
        return len; /* a wire that leads nowhere takes everything */
    long n = mpico_sys_write(l->wire.fd, bytes, len);
    if (n < 0) {
        l->wire.fd = -1;
        return len;
    }
    l->wire.wants_room = (size_t)n < len;
    return (size_t)n;
}

static size_t lane_get(struct lane *lane, void *bytes, size_t len)
{
    struct pipe_lane *l = (struct pipe_lane *)lane;
    if (l->wire.fd < 0)
        return 0;
    long n = mpico_sys_read(l->wire.fd, bytes, len);
    if (n < 0) {
        l->wire.fd = -1;
        return 0;
    }
    l->came += (uint32_t)n;
    return (size_t)n;
}

int mpico_pipe_lane_init(struct pipe_lane *l, int fd)
{
    *l = (struct pipe_lane){.lane = {.put = lane_put, .get = lane_get}, .wire = {.fd = fd}};
    return mpico_sys_open(fd);
}
