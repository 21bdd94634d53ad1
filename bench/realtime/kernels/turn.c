/* turn.c: the corner turn in memory, by blocks of a few cache lines each way, so that a line is used up before it leaves the cache, also
 * when rows are a power of two apart and fall on the same few places of it. */
#include "turn.h"

#include "kind.h"

enum { BLOCK_ROWS = 256, BLOCK_COLUMNS = 8 }; /* one line wide, and 16 KiB of lines each way */

void turn(enum simd which, const float *in, size_t in_stride, float *out, size_t out_stride, size_t rows,
          size_t columns)
{
    const struct kind *kind = kernels_of(simd_choose(which));
    for (size_t c = 0; c < columns; c += BLOCK_COLUMNS)
        for (size_t r = 0; r < rows; r += BLOCK_ROWS)
            kind->turn(in + 2 * (r * in_stride + c), 2 * in_stride, out + 2 * (c * out_stride + r), 2 * out_stride,
                       rows - r < BLOCK_ROWS ? rows - r : BLOCK_ROWS,
                       columns - c < BLOCK_COLUMNS ? columns - c : BLOCK_COLUMNS);
}
