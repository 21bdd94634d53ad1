/* What the run found: the file that plot.py and sweep.py read. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report.h"
#include "text.h"

static void write_settings(FILE *out, const struct findings *f)
{
    const struct options *o = f->options;
    const struct timing *t = &f->timing;

    fprintf(out,
            "\"snr_db\": %g, \"snr_range_m\": %g, \"tilt_deg\": %g, \"tilt_bearing_deg\": %g, \"bow_m\": %g, "
            "\"mismatch\": %s,\n",
            o->snr_db, scene_ref_range, o->tilt_deg, o->tilt_bearing_deg, o->bow_m, o->mismatch ? "true" : "false");
    fprintf(out,
            "\"ranks\": %d, \"steps\": %d, \"setup_s\": %.6f, \"search_s\": %.6f, \"computing_s\": %.6f, "
            "\"communicating_s\": %.6f, \"allgathers\": %ld,\n",
            t->ranks, f->plan->steps, t->setup_s, t->search_s, t->computing_s, t->communicating_s, t->allgathers);
}

static void write_array(FILE *out, const struct array *array)
{
    fprintf(out, "\"phones\": [");
    for (int i = 0; i < array->n; i++)
        fprintf(out, "%s[%.3f, %.3f, %.3f]", i ? ", " : "", array->x[i], array->y[i], array->z[i]);
    fprintf(out, "],\n");
}

static void write_corners(FILE *out, const struct findings *f)
{
    fprintf(out, "\"corners\": [\n");
    for (int i = 0; i <= f->plan->n_legs; i++) {
        const struct source *c = &f->result->corner[i];

        fprintf(out, "%s{\"t_s\": %.17g, \"x_m\": %.17g, \"y_m\": %.17g, \"z_m\": %.17g", i ? ",\n" : "",
                f->plan->start_s + i * f->plan->leg_s, c->x, c->y, c->z);
        if (i < f->plan->n_legs)
            fprintf(out, ", \"match\": %.17g", f->result->match[i]);
        fprintf(out, "}");
    }
    fprintf(out, "\n],\n");
}

static void write_track(FILE *out, const struct findings *f)
{
    const struct data *data = &f->scene->data;

    fprintf(out, "\"track\": [\n");
    for (int i = 0; i < data->n_snapshots; i++) {
        struct source s = search_at(f->result, f->plan, data->t[i]);
        double x, y;

        track_at(&f->scene->track, data->t[i], &x, &y);
        fprintf(out, "%s{\"t_s\": %g, \"found\": [%.3f, %.3f, %.3f], \"true\": [%.3f, %.3f, %.3f]}", i ? ",\n" : "",
                data->t[i], s.x, s.y, s.z, x, y, f->options->source_depth);
    }
    fprintf(out, "\n],\n");
}

static void write_surface(FILE *out, const struct surface *s)
{
    fprintf(out, "{\"kind\": \"%s\", \"t_s\": %g, \"x\": [%g, %g], \"y\": [%g, %g], \"value\": [\n", s->kind, s->t,
            s->x_low, s->x_high, s->y_low, s->y_high);
    for (int row = 0; row < SURFACE_ROWS; row++) {
        for (int i = 0; i < SURFACE_COLUMNS; i++)
            fprintf(out, "%s%.3f", i ? "," : row ? ",\n[" : "[", s->value[row][i]);
        fprintf(out, "]");
    }
    fprintf(out, "]}");
}

int report_write(const struct findings *f, const char *path)
{
    FILE *out = fopen(path, "w");
    int failed;

    if (!out)
        return complain("cannot write %s (%s); name another file with --output.", path, strerror(errno));
    fprintf(out, "{\n");
    write_settings(out, f);
    write_array(out, &f->scene->replicas.array);
    write_corners(out, f);
    write_track(out, f);
    fprintf(out, "\"surfaces\": [\n");
    for (int i = 0; i < f->n_surfaces; i++) {
        if (i)
            fprintf(out, ",\n");
        write_surface(out, &f->surface[i]);
    }
    fprintf(out, "\n]}\n");
    failed = ferror(out);
    if (fclose(out) || failed)
        return complain("writing %s failed (%s); free some space.", path, strerror(errno));
    return 0;
}
