/* shape.c: whether a grid fits its matrix and its ranks. */
#include "grid.h"

#include <limits.h>
#include <stdio.h>

static bool power_of_two(int n) { return n > 0 && (n & (n - 1)) == 0; }

/* What is wrong with one dimension, or an empty text. */
static void check_side(const char *name, int n, int lines, const char *who, char *wrong, size_t room)
{
    if (!power_of_two(n) || n < 2)
        snprintf(wrong, room, "%s have %d points, which is no power of two from 2 on; the transforms need one", name,
                 n);
    else if (n % lines != 0 || n < lines)
        snprintf(wrong, room, "%s: %d do not divide among the %d places of %s; ask for --lines that divides %d", name,
                 n, lines, who, n);
}

const char *shape_wrong(const struct shape *s, int ranks, char *wrong, size_t room)
{
    const char *last = s->stages == 3 ? "stage 3" : "stage 2";
    wrong[0] = 0;
    if (s->stages != 2 && s->stages != 3)
        snprintf(wrong, room, "a grid has 2 or 3 stages, not %d", s->stages);
    if (!wrong[0])
        check_side("the columns of the matrix (--columns)", s->columns, s->lines, "stage 1", wrong, room);
    if (!wrong[0])
        check_side("the rows of the matrix (--rows)", s->rows, s->lines, last, wrong, room);
    if (!wrong[0] && s->stages == 2 && s->turn != TURN_ALLTOALL)
        snprintf(wrong, room, "--turn chooses the exchange of stage 2 of three; leave it out with --stages 2");
    if (!wrong[0] && shape_block(s) * 8 * (s->sink ? (size_t)s->lines : 1) > INT_MAX)
        snprintf(wrong, room,
                 "%d x %d on lines of %d makes blocks above 2 GB; ask for a smaller matrix or longer lines", s->rows,
                 s->columns, s->lines);
    if (!wrong[0] && ranks != shape_ranks(s))
        snprintf(wrong, room, "%d stages of %d ranks%s are %d ranks, but %d were started; start %d or change --lines",
                 s->stages, s->lines, s->sink ? " and a sink" : "", shape_ranks(s), ranks, shape_ranks(s));
    return wrong[0] ? wrong : NULL;
}
