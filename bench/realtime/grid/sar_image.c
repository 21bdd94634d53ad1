/* sar_image.c: an image as a file. */
#include "sar.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double shown_db = 60;

static bool finish(FILE *file, bool good) { return (fclose(file) == 0) & good; }

/* Version 1.0 of the format: magic, length of the header, the header padded to 64 bytes in all. */
bool image_write_npy(const char *path, const struct shape *s, const float *image)
{
    char header[128];
    int room = (int)sizeof header - 10;
    uint16_t one = 1;
    bool little = *(unsigned char *)&one;
    int used = snprintf(header + 10, (size_t)room, "{'descr': '%cc8', 'fortran_order': False, 'shape': (%d, %d), }",
                        little ? '<' : '>', s->rows, s->columns);
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    header[8] = (char)room;
    header[9] = 0;
    memset(header + 10 + used, ' ', (size_t)(room - used));
    header[sizeof header - 1] = '\n';
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    size_t pixels = (size_t)s->rows * (size_t)s->columns;
    return finish(file, fwrite(header, sizeof header, 1, file) == 1 && fwrite(image, 8, pixels, file) == pixels);
}

bool image_write_pgm(const char *path, const struct shape *s, const float *image)
{
    size_t pixels = (size_t)s->rows * (size_t)s->columns;
    float highest = 0;
    for (size_t i = 0; i < pixels; i++)
        highest = fmaxf(highest, hypotf(image[2 * i], image[2 * i + 1]));
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    bool good = fprintf(file, "P5\n%d %d\n255\n", s->columns, s->rows) > 0;
    for (size_t i = 0; good && i < pixels; i++) {
        double db = 20 * log10(hypot(image[2 * i], image[2 * i + 1]) / fmax(highest, 1e-30) + 1e-30);
        good = putc((int)lround(255 * fmax(0, 1 + db / shown_db)), file) != EOF;
    }
    return finish(file, good);
}
