/* sar_scene.c: what a scene is by default and in a file, and what follows from it.
 *
 * A file has one NAME VALUE a line, `target RANGE AZIMUTH AMPLITUDE` once a target, and comments from # on.
 */
#include "sar.h"
#include "common/random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double light_m_per_s = 299792458, sampling = 1.25, sinc_3db = 0.8859;
enum { GUARD = 2, APART_CELLS = 7, TRIES = 20000 };

double scene_bin_m(const struct scene *s) { return light_m_per_s / (2 * sampling * s->bandwidth_hz); }

double scene_range_cell_m(const struct scene *s) { return sinc_3db * light_m_per_s / (2 * s->bandwidth_hz); }

static double aperture_m(const struct scene *s) { return s->aperture * s->spacing_m; }

double scene_azimuth_cell_m(const struct scene *s)
{
    return sinc_3db * s->wavelength_m * s->range_m / (2 * aperture_m(s));
}

double scene_migration_bins(const struct scene *s)
{
    double half = aperture_m(s) / 2;
    return (hypot(s->range_m, half) - s->range_m) / scene_bin_m(s);
}

struct scene scene_default(const struct shape *s)
{
    return (struct scene){
        .wavelength_m = 0.0086,
        .bandwidth_hz = 150e6,
        .spacing_m = 0.25,
        .chirp = s->rows / 4,
        .aperture = s->columns / 2,
        .seed = 1,
    };
}

struct field {
    const char *name;
    double *real;
    int *whole;
};

static const char *read_target(struct scene *s, const char *rest, int line)
{
    struct target t;
    char more;
    if (sscanf(rest, "%lf %lf %lf %c", &t.range_m, &t.azimuth_m, &t.amplitude, &more) != 3 || !isfinite(t.range_m) ||
        !isfinite(t.azimuth_m) || !(t.amplitude > 0) || !isfinite(t.amplitude))
        return "a target is: target RANGE AZIMUTH AMPLITUDE, metres and an amplitude above zero";
    if (s->targets == TARGETS_MOST)
        return "too many targets; a scene has at most 64";
    s->line[s->targets] = line;
    s->target[s->targets++] = t;
    return NULL;
}

static const char *read_value(struct scene *s, const char *name, const char *rest)
{
    const struct field fields[] = {
        {"wavelength_m", &s->wavelength_m, NULL},
        {"bandwidth_hz", &s->bandwidth_hz, NULL},
        {"spacing_m", &s->spacing_m, NULL},
        {"range_m", &s->range_m, NULL},
        {"noise", &s->noise, NULL},
        {"chirp", NULL, &s->chirp},
        {"aperture", NULL, &s->aperture},
        {"seed", NULL, &s->seed},
    };
    double value;
    char more;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (strcmp(fields[i].name, name) != 0)
            continue;
        if (sscanf(rest, "%lf %c", &value, &more) != 1 || !(value >= 0 && value < 1e15))
            return "a number from 0 on is wanted after the name";
        if (fields[i].whole && (value != floor(value) || value > 1e9))
            return "a whole number below a billion is wanted here";
        if (fields[i].whole)
            *fields[i].whole = (int)value;
        else
            *fields[i].real = value;
        return NULL;
    }
    return "unknown name; there are wavelength_m, bandwidth_hz, spacing_m, range_m, noise, chirp, aperture, seed and "
           "target";
}

static const char *read_line(struct scene *s, char *line, int number)
{
    char name[32];
    int used = 0;
    line[strcspn(line, "#\r")] = 0;
    if (sscanf(line, "%31s%n", name, &used) < 1)
        return NULL;
    return strcmp(name, "target") == 0 ? read_target(s, line + used, number) : read_value(s, name, line + used);
}

const char *scene_read(struct scene *s, const char *file, const char *text, char *wrong, size_t room)
{
    int number = 1;
    s->targets = 0;
    for (const char *at = text; *at; number++) {
        char line[256];
        size_t length = strcspn(at, "\n");
        const char *why = length < sizeof line ? NULL : "the line is longer than 255 characters; shorten it";
        if (!why) {
            memcpy(line, at, length);
            line[length] = 0;
            why = read_line(s, line, number);
        }
        if (why) {
            snprintf(wrong, room, "%s:%d: %s", file, number, why);
            return wrong;
        }
        at += length + (at[length] == '\n');
    }
    return NULL;
}

/* Where the whole chirp and the whole aperture of a target are inside, in metres. */
static void limits(const struct scene *s, const struct shape *shape, double least[2], double most[2])
{
    least[0] = GUARD * scene_bin_m(s);
    most[0] = (shape->rows - s->chirp - GUARD) * scene_bin_m(s);
    least[1] = (s->aperture / 2.0 + GUARD) * s->spacing_m;
    most[1] = (shape->columns - s->aperture / 2.0 - GUARD) * s->spacing_m;
}

/* Far enough from all others in both directions that nobody's sidelobes lie in the way. */
static bool apart(const struct scene *s, const struct target *t)
{
    for (int i = 0; i < s->targets; i++)
        if (fabs(t->range_m - s->target[i].range_m) < APART_CELLS * scene_range_cell_m(s) ||
            fabs(t->azimuth_m - s->target[i].azimuth_m) < APART_CELLS * scene_azimuth_cell_m(s))
            return false;
    return true;
}

static bool make_up(struct scene *s, const struct shape *shape, int count)
{
    double least[2], most[2];
    limits(s, shape, least, most);
    for (uint64_t i = 0; i < TRIES && s->targets < count; i++) {
        struct target t = {.amplitude = 1};
        t.range_m = least[0] + (most[0] - least[0]) * random_share((uint64_t)s->seed, 2 * i);
        t.azimuth_m = least[1] + (most[1] - least[1]) * random_share((uint64_t)s->seed, 2 * i + 1);
        if (apart(s, &t))
            s->target[s->targets++] = t;
    }
    return s->targets == count;
}

/* Without a range, the one at which the pulses sample the echoes' spectrum 1.25 times as often as needed. */
const char *scene_complete(struct scene *s, const struct shape *shape, int count, char *wrong, size_t room)
{
    if (s->range_m == 0)
        s->range_m = 2 * aperture_m(s) * s->spacing_m * sampling / s->wavelength_m;
    if (s->targets > 0 || scene_wrong(s, shape, "", wrong, room) || make_up(s, shape, count))
        return NULL; /* what is wrong is said by who asks for it */
    snprintf(wrong, room,
             "%d targets far enough apart do not fit %d range bins x %d pulses; ask for fewer (--targets) or a larger "
             "matrix",
             count, shape->rows, shape->columns);
    return wrong;
}

static const char *wrong_numbers(const struct scene *s, const struct shape *shape)
{
    if (!(s->wavelength_m > 0 && s->bandwidth_hz > 0 && s->spacing_m > 0 && s->range_m > 0))
        return "wavelength_m, bandwidth_hz, spacing_m and range_m have to be above zero";
    if (s->chirp < 4 || s->chirp > shape->rows - 2 * GUARD - 2)
        return "the chirp has to be at least 4 samples and shorter than a column; mend chirp or ask for more rows";
    if (s->aperture < 4 || s->aperture > shape->columns - 2 * GUARD - 2)
        return "the aperture has to be at least 4 pulses and shorter than a row; mend aperture or ask for more columns";
    if (2 * aperture_m(s) * s->spacing_m > s->wavelength_m * s->range_m * (1 + 1e-9))
        return "the pulses are too far apart for this aperture, and targets would show twice; mend spacing_m, aperture "
               "or range_m";
    if (scene_migration_bins(s) > 0.5)
        return "echoes move through more than half a range bin, which is not corrected; mend aperture, bandwidth_hz or "
               "range_m";
    return NULL;
}

const char *scene_wrong(const struct scene *s, const struct shape *shape, const char *file, char *wrong, size_t room)
{
    const char *why = wrong_numbers(s, shape);
    if (why) {
        snprintf(wrong, room, "%s%s%s", file, file[0] ? ": " : "", why);
        return wrong;
    }
    double least[2], most[2];
    limits(s, shape, least, most);
    for (int i = 0; i < s->targets; i++) {
        const struct target *t = &s->target[i];
        if (t->range_m >= least[0] && t->range_m <= most[0] && t->azimuth_m >= least[1] && t->azimuth_m <= most[1])
            continue;
        snprintf(
            wrong, room,
            "%s:%d: target %d at %g m, %g m is not seen whole; range has to be %.4g to %.4g m, azimuth %.4g to %.4g m",
            file, s->line[i], i + 1, t->range_m, t->azimuth_m, least[0], most[0], least[1], most[1]);
        return wrong;
    }
    return NULL;
}
