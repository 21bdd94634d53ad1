/* turn_plain.c: the corner turn as two loops. */
#include "turn.h"

void turn_plain(const float *in, size_t in_stride, float *out, size_t out_stride, size_t rows, size_t columns)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++) {
            out[2 * (c * out_stride + r)] = in[2 * (r * in_stride + c)];
            out[2 * (c * out_stride + r) + 1] = in[2 * (r * in_stride + c) + 1];
        }
}
