/* node.c: see node.h. */
#include "node.h"

#include "base/text.h"

enum { LEFT_FD = 3, RIGHT_FD = 4, LINE_BYTES = 320 };

void mpico_pipe_print(const char *format, ...)
{
    char line[LINE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    size_t n = mpico_text_vformat(line, sizeof line, format, arguments);
    va_end(arguments);
    mpico_sys_print(line, n);
}

/* A whole number of an environment variable, -1 where there is none, -2 where it is no number up to PIPE_NODES. */
static int variable(const char *name)
{
    const char *c = mpico_sys_variable(name);
    int n = 0;
    if (!c)
        return -1;
    if (!*c)
        return -2;
    for (; *c; c++) {
        if (*c < '0' || *c > '9' || n > PIPE_NODES / 10)
            return -2;
        n = n * 10 + *c - '0';
    }
    return n <= PIPE_NODES ? n : -2;
}

/* One variable without the other is a mistake of whoever starts the program. */
int mpico_pipe_identity(int *rank, int *size)
{
    *rank = variable("MPICO_BOARD_RANK");
    *size = variable("MPICO_BOARD_SIZE");
    if (*rank == -1 && *size == -1) {
        *rank = 0;
        *size = 1;
        return 0;
    }
    if (*rank >= 0 && *rank < *size)
        return 0;
    mpico_pipe_print("mpico: MPI_Init: MPICO_BOARD_RANK and MPICO_BOARD_SIZE do not name a rank of 1 to %d\n",
                     PIPE_NODES);
    return -1;
}

int mpico_pipe_lanes(struct pipe_lane *left, struct pipe_lane *right, int rank, int size)
{
    if (size == 1)
        return 0;
    if (!mpico_pipe_lane_init(left, LEFT_FD) && !mpico_pipe_lane_init(right, RIGHT_FD))
        return 0;
    mpico_pipe_print("mpico: rank %d: MPI_Init: descriptors %d and %d, the links to the neighbours, are not open: "
                     "start the job with mpiexec --board\n",
                     rank, LEFT_FD, RIGHT_FD);
    return -1;
}
