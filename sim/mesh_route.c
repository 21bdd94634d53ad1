/* mesh_route.c: dimension-order routing: a packet goes the whole way along axis 0, then along axis 1, and so on. On a
 * torus it goes the shorter way round, upward when both are as long.
 *
 * Without deadlock: an axis is finished before the next begins, so only the channels of one ring of a torus could
 * wait for each other in a circle. There a packet that has the wrap-around link before it takes low virtual channels,
 * and high ones once it has not (Dally and Seitz, "Deadlock-free message routing in multiprocessor interconnection
 * networks", IEEE Trans. Computers 36, 1987). High ones are never used on the wrap-around link, and none but high
 * ones after it: no circle.
 */
#include "mesh.h"

static int upward(const struct mesh *m, int axis, int from, int to)
{
    if (!m->d.torus)
        return to > from;
    int extent = m->d.extent[axis], up = (to - from + extent) % extent;
    return up <= extent - up;
}

struct mesh_route mesh_route(const struct mesh *m, int router, int to)
{
    const int *here = &m->coordinate[router * m->d.axes], *there = &m->coordinate[to * m->d.axes];
    for (int axis = 0; axis < m->d.axes; axis++) {
        if (here[axis] == there[axis])
            continue;
        int up = upward(m, axis, here[axis], there[axis]);
        int wraps = up ? here[axis] > there[axis] : here[axis] < there[axis];
        enum mesh_class class = !m->d.torus ? MESH_ANY : wraps ? MESH_LOW : MESH_HIGH;
        return (struct mesh_route){2 * axis + !up, class};
    }
    return (struct mesh_route){mesh_local_port(m), MESH_ANY};
}
