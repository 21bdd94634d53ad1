/* wishes.c: the options of `realtime grid`. */
#include "run.h"
#include "common/options.h"
#include "common/report.h"
#include "common/text_file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MOST = 65536, ROOM = 512 };

static const char *settle(struct wishes *w, int argc, char **argv, char *wrong)
{
    bool sar = strcmp(w->chain, "sar") == 0, paired = strcmp(w->turn, "paired") == 0;
    if (argc > 1)
        snprintf(wrong, ROOM, "'%.100s' is no option; grid takes options only, see --help", argv[1]);
    else if (!sar && strcmp(w->chain, "fft2d") != 0)
        snprintf(wrong, ROOM, "there is no chain '%.100s'; there are fft2d and sar", w->chain);
    else if (!paired && strcmp(w->turn, "alltoall") != 0)
        snprintf(wrong, ROOM, "there is no turn '%.100s'; there are alltoall and paired", w->turn);
    else if (!sar && (w->scene_file || w->npy || w->pgm))
        snprintf(wrong, ROOM, "--scene, --npy and --pgm are about images; add --chain sar");
    w->sar = sar;
    w->shape.sink |= sar;
    w->shape.turn = paired ? TURN_PAIRED : TURN_ALLTOALL;
    return wrong[0] ? wrong : NULL;
}

bool wishes_read(struct wishes *w, int argc, char **argv, int *status)
{
    *w = (struct wishes){
        .shape = {.rows = 256, .columns = 256, .lines = 2, .stages = 3},
        .chain = "fft2d",
        .turn = "alltoall",
        .noise = -1,
        .targets = 5,
        .seed = -1,
        .search = {.least_s = 1e-6, .width = 0.01, .duration_s = 2, .periods_least = 20, .confidence = 0.95},
    };
    const struct option_spec specs[] = {
        {"lines", OPT_WHOLE, &w->shape.lines, 1, LINES_MOST, "places of a stage (2)"},
        {"stages", OPT_WHOLE, &w->shape.stages, 2, 3,
         "3: columns, corner turn, rows; 2: the turn between the two others (3)"},
        {"rows", OPT_WHOLE, &w->shape.rows, 2, FFT_POINTS_MOST, "of the matrix; a power of two (256)"},
        {"columns", OPT_WHOLE, &w->shape.columns, 2, FFT_POINTS_MOST, "of the matrix; a power of two (256)"},
        {"chain", OPT_TEXT, &w->chain, 0, 0, "fft2d: transforms (default); sar: radar images"},
        {"turn", OPT_TEXT, &w->turn, 0, 0, "alltoall: MPI_Alltoall (default); paired: swaps and quads"},
        {"sink", OPT_FLAG, &w->shape.sink, 0, 0, "one more rank takes the results of each period (sar always has it)"},
        {"alone", OPT_FLAG, &w->alone, 0, 0, "also the shortest period of each stage without the others"},
        {"period", OPT_REAL, &w->period_s, 0, 3600, "seconds; 0: the shortest is sought (0)"},
        {"most", OPT_REAL, &w->most_s, 0, 3600, "the longest period tried, seconds; 0: from a first run (0)"},
        {"width", OPT_REAL, &w->search.width, 1e-6, 1, "of the period found, relative (0.01)"},
        {"duration", OPT_REAL, &w->search.duration_s, 0, 1e6, "of the run that proves it, seconds (2)"},
        {"periods", OPT_WHOLE, &w->search.periods_least, 1, INT_MAX / 2, "at least so many in each run (20)"},
        {"confidence", OPT_REAL, &w->search.confidence, 0, 1, "of the bound on misses (0.95)"},
        {"scene", OPT_TEXT, &w->scene_file, 0, 0, "sar: file of the scene"},
        {"targets", OPT_WHOLE, &w->targets, 1, TARGETS_MOST, "sar: targets made up where the file has none (5)"},
        {"noise", OPT_REAL, &w->noise, 0, 1e6,
         "sar: standard deviation, an echo's amplitude being 1 (the scene's, else 0)"},
        {"seed", OPT_WHOLE, &w->seed, 0, INT_MAX, "sar: of noise and of targets made up (the scene's, else 1)"},
        {"text", OPT_FLAG, report_plain(), 0, 0, "lines of text instead of JSON lines"},
        {"npy", OPT_TEXT, &w->npy, 0, 0, "sar: the image as a file of NumPy"},
        {"pgm", OPT_TEXT, &w->pgm, 0, 0, "sar: the image as a picture"},
    };
    char wrong[ROOM] = "";
    bool good = options_read("grid", specs, sizeof specs / sizeof specs[0], &argc, argv, wrong, sizeof wrong) &&
                !settle(w, argc, argv, wrong);
    if (!good)
        *status = refuse("grid", wrong);
    return good;
}

static const char *read_file(const struct wishes *w, struct scene *s, char *wrong, size_t room)
{
    char *text = text_load_all(w->scene_file, FILE_MOST, "scene", MPI_COMM_WORLD, wrong, room);
    const char *why = text ? scene_read(s, w->scene_file, text, wrong, room) : wrong;
    free(text);
    return why;
}

const char *wishes_scene(const struct wishes *w, struct scene *s, char *wrong, size_t room)
{
    const char *file = w->scene_file ? w->scene_file : "", *why = NULL;
    *s = scene_default(&w->shape);
    if (w->scene_file)
        why = read_file(w, s, wrong, room);
    if (why)
        return why;
    s->noise = w->noise >= 0 ? w->noise : s->noise;
    s->seed = w->seed >= 0 ? w->seed : s->seed;
    why = scene_complete(s, &w->shape, w->targets, wrong, room);
    return why ? why : scene_wrong(s, &w->shape, file, wrong, room);
}
