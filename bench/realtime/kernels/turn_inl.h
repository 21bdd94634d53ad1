/* turn_inl.h: the corner turn of a part of a matrix, by tiles in registers. */

INLINE void turn_few(const float *in, size_t in_stride, float *out, size_t out_stride, size_t rows, size_t columns)
{
    for (size_t c = 0; c < columns; c++)
        for (size_t r = 0; r < rows; r++) {
            out[c * out_stride + 2 * r] = in[r * in_stride + 2 * c];
            out[c * out_stride + 2 * r + 1] = in[r * in_stride + 2 * c + 1];
        }
}

INLINE void turn_tile(const float *in, size_t in_stride, float *out, size_t out_stride)
{
    vec x[PAIRS], y[PAIRS];
#pragma GCC unroll 4
    for (size_t i = 0; i < PAIRS; i++)
        x[i] = load(in + i * in_stride);
    turn_vectors(x, y);
#pragma GCC unroll 4
    for (size_t i = 0; i < PAIRS; i++)
        store(out + i * out_stride, y[i]);
}

static void turn_part(const float *in, size_t in_stride, float *out, size_t out_stride, size_t rows, size_t columns)
{
    size_t tiled_rows = rows - rows % PAIRS, tiled_columns = columns - columns % PAIRS;
    for (size_t c = 0; c < tiled_columns; c += PAIRS)
        for (size_t r = 0; r < tiled_rows; r += PAIRS)
            turn_tile(in + r * in_stride + 2 * c, in_stride, out + c * out_stride + 2 * r, out_stride);
    turn_few(in + 2 * tiled_columns, in_stride, out + tiled_columns * out_stride, out_stride, rows,
             columns - tiled_columns);
    turn_few(in + tiled_rows * in_stride, in_stride, out + 2 * tiled_rows, out_stride, rows - tiled_rows,
             tiled_columns);
}
