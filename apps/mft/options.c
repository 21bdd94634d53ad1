/* What the command line may say: one table makes the parser and the help. */
#include "options.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "scene.h"
#include "search.h"
#include "text.h"

#ifndef MFT_DATA
#define MFT_DATA "apps/mft/data"
#endif

enum kind { FLAG, NUMBER, WHOLE, TEXT };

struct option {
    const char *name;
    enum kind kind;
    size_t offset;
    double low, high;
    const char *help;
};

static const struct option table[] = {
    {"--data", TEXT, offsetof(struct options, data), 0, 0, "DIR  folder of the SWellEx-96 files"},
    {"--output", TEXT, offsetof(struct options, output), 0, 0, "FILE  results for plot.py (default mft.json)"},
    {"--steps", WHOLE, offsetof(struct options, steps), 100, 1e7,
     "N  steps of the search, an Allgather each (default 20000)"},
    {"--hypotheses", WHOLE, offsetof(struct options, hypotheses), 2, 65536, "N  hypotheses of one step (default 16)"},
    {"--slice", WHOLE, offsetof(struct options, slice), 1, LATTICE_RING,
     "N  points of the first stage's lattice in one step (default 468, a ring)"},
    {"--tones", WHOLE, offsetof(struct options, tones), 1, SCENE_TONES,
     "N  use only the N lowest tones of the source (default 13)"},
    {"--seed", WHOLE, offsetof(struct options, seed), 0, 1e9, "N  of noise and search (default 1)"},
    {"--from", NUMBER, offsetof(struct options, from_min), 0, 75, "MIN  first minute of event S5 to use (default 0)"},
    {"--to", NUMBER, offsetof(struct options, to_min), 0, 75, "MIN  last minute (default 75)"},
    {"--leg", NUMBER, offsetof(struct options, leg_min), 1, 75,
     "MIN  length of a straight leg of the track (default 5)"},
    {"--snapshot", NUMBER, offsetof(struct options, snapshot_s), 1, 300, "S  seconds between snapshots (default 30)"},
    {"--snr", NUMBER, offsetof(struct options, snr_db), -40, 80,
     "DB  per phone and tone with the source at 5 km (default 10)"},
    {"--source-depth", NUMBER, offsetof(struct options, source_depth), 1, 200,
     "M  of the synthesised source (default 54)"},
    {"--speed-max", NUMBER, offsetof(struct options, speed_max), 0.1, 20,
     "M/S  fastest source searched for (default 5)"},
    {"--tilt", NUMBER, offsetof(struct options, tilt_deg), 0, 15, "DEG  known lean of the array (default 2.5)"},
    {"--tilt-bearing", NUMBER, offsetof(struct options, tilt_bearing_deg), 0, 360,
     "DEG  towards which it leans (default 60)"},
    {"--bow", NUMBER, offsetof(struct options, bow_m), -20, 20,
     "M  known bow of the array, across the lean (default 3)"},
    {"--mismatch", FLAG, offsetof(struct options, mismatch), 0, 0,
     "search with another sound-speed profile than the data's"},
    {"--quick", FLAG, offsetof(struct options, quick), 0, 0,
     "a small run: minutes 50 to 60, 1200 steps, a snapshot a minute"},
    {"--paper", FLAG, offsetof(struct options, paper), 0, 0,
     "the ring paper's pattern: 20000 steps with little work between; see README"},
    {"--check-modes", FLAG, offsetof(struct options, check_modes), 0, 0,
     "compare wavenumbers with KRAKEN's print-out; 0 if within 1e-4"},
    {"--help", FLAG, offsetof(struct options, help), 0, 0, "this text"},
};
enum { N_OPTIONS = sizeof table / sizeof *table };

static void defaults(struct options *options)
{
    *options = (struct options){.data = MFT_DATA,
                                .output = "mft.json",
                                .steps = 20000,
                                .hypotheses = 16,
                                .slice = LATTICE_RING,
                                .tones = SCENE_TONES,
                                .seed = 1,
                                .to_min = 75,
                                .leg_min = 5,
                                .snapshot_s = 30,
                                .snr_db = 10,
                                .source_depth = 54,
                                .speed_max = 5,
                                .tilt_deg = 2.5,
                                .tilt_bearing_deg = 60,
                                .bow_m = 3};
}

static void make_quick(struct options *options)
{
    options->from_min = 50;
    options->to_min = 60;
    options->steps = 1200;
    options->snapshot_s = 60;
}

/* Little enough work between two Allgathers that a ring of 40 MHz processors feels them. 24 hypotheses share out
   evenly among 1, 2, 3, 4, 6 and 8 ranks. */
static void make_paper(struct options *options)
{
    options->hypotheses = 24;
    options->slice = 24;
    options->tones = 1;
    options->snapshot_s = 150;
}

static int read_value(const struct option *option, void *field, const char *text)
{
    char *end;
    double value;

    if (!text)
        return complain("option %s needs a value; see --help.", option->name);
    if (option->kind == TEXT) {
        if (!*text)
            return complain("option %s needs a name that is not empty.", option->name);
        *(const char **)field = text;
        return 0;
    }
    value = strtod(text, &end);
    if (end == text || *end || !(value >= option->low && value <= option->high) ||
        (option->kind == WHOLE && value != floor(value)))
        return complain("option %s: \"%.40s\" is not a %snumber from %g to %g.", option->name, text,
                        option->kind == WHOLE ? "whole " : "", option->low, option->high);
    *(double *)field = value;
    return 0;
}

static const struct option *find(const char *name)
{
    for (int i = 0; i < N_OPTIONS; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

static int check_together(const struct options *options)
{
    double legs = (options->to_min - options->from_min) / options->leg_min;

    if (!(legs >= 1 && legs <= MAX_LEGS))
        return complain("minutes %g to %g hold %.2g legs of %g minutes; choose --from, --to and --leg for 1 to %d.",
                        options->from_min, options->to_min, legs, options->leg_min, MAX_LEGS);
    if (options->snapshot_s * 2 > options->leg_min * 60)
        return complain("a leg of %g minutes needs at least three snapshots; lower --snapshot.", options->leg_min);
    return 0;
}

int options_read(struct options *options, int argc, char **argv)
{
    defaults(options);
    for (int i = 1; i < argc; i++) /* what is said beside --quick or --paper outranks it */
        if (strcmp(argv[i], "--quick") == 0)
            make_quick(options);
        else if (strcmp(argv[i], "--paper") == 0)
            make_paper(options);
    for (int i = 1; i < argc; i++) {
        const struct option *option = find(argv[i]);
        void *field;

        if (!option)
            return complain("unknown option \"%.40s\"; see --help.", argv[i]);
        field = (char *)options + option->offset;
        if (option->kind == FLAG)
            *(bool *)field = true;
        else if (read_value(option, field, i + 1 < argc ? argv[++i] : NULL))
            return -1;
    }
    return check_together(options);
}

void options_help(void)
{
    printf("mft: tracks the deep source of SWellEx-96 event S5 by matched-field processing.\n\n"
           "usage: mpiexec -n RANKS mft [options]\n\n");
    for (int i = 0; i < N_OPTIONS; i++)
        printf("  %-15s %s\n", table[i].name, table[i].help);
    printf("\nexit status: 0, 1 (modes differ), 2 (bad option or data file)\n");
}
