/* Reads a KRAKEN environment file. The format is list-directed Fortran, described in M. B. Porter, "The KRAKEN normal
   mode program", SACLANTCEN Memorandum SM-245 (1991). Only what mode computation in fluids needs is kept: shear
   speeds must be 0. */
#include "env.h"

#include <math.h>

#include "text.h"

/* Fortran keeps the previous line's value of a column that a '/' leaves out; so does this. */
static int read_profile(struct reader *in, struct layer *layer, double z_top)
{
    double v[6] = {0, 0, 0, 1, 0, 0};

    layer->n = 0;
    do {
        int i = layer->n;

        if (reader_need(in, "the end of a sound-speed profile"))
            return -1;
        if (text_numbers(in->line, v, 6) < 2 || v[1] <= 0 || v[3] <= 0 || v[4] < 0)
            return reader_reject(in, "a profile point (depth, speed > 0, shear speed, density > 0, attenuation >= 0)");
        if (v[2] != 0)
            return reader_reject(in, "a fluid (shear speed 0)");
        if (i == MAX_PROFILE)
            return complain("%s line %d: more than %d profile points in a layer; thin them.", in->path, in->line_no,
                            MAX_PROFILE);
        if (i == 0 ? fabs(v[0] - z_top) > 1e-6 : v[0] <= layer->z[i - 1])
            return reader_reject(in, "deeper than the point before (a layer starts at the bottom of the one above)");
        layer->z[i] = v[0];
        layer->c[i] = v[1];
        layer->rho[i] = v[3];
        layer->atten[i] = v[4];
        layer->n++;
    } while (v[0] < layer->depth - 1e-6);
    return layer->n < 2 ? reader_reject(in, "a second point of the layer") : 0;
}

static int read_layer(struct reader *in, struct layer *layer, double z_top)
{
    double v[3];

    if (reader_need(in, "the mesh line of a layer"))
        return -1;
    if (text_numbers(in->line, v, 3) < 3 || v[0] < 10 || v[0] > 20000 || v[2] <= z_top)
        return reader_reject(in, "a mesh line (10 to 20000 points, roughness, depth below the layer above)");
    layer->n_mesh = (int)v[0];
    layer->depth = v[2];
    return read_profile(in, layer, z_top);
}

static int read_basement(struct reader *in, struct env *env)
{
    double v[5];

    if (reader_need(in, "the bottom option") || reader_need(in, "the half-space"))
        return -1;
    if (text_numbers(in->line, v, 5) < 5 || v[1] <= 0 || v[2] != 0 || v[3] <= 0 || v[4] < 0)
        return reader_reject(in, "a fluid half-space (depth, speed, 0, density, attenuation)");
    env->basement_c = v[1];
    env->basement_rho = v[3];
    env->basement_atten = v[4];
    if (reader_need(in, "the phase speed limits"))
        return -1;
    if (text_numbers(in->line, v, 2) < 2 || v[1] <= 0 || v[1] >= env->basement_c)
        return reader_reject(in, "two phase speeds below the half-space's speed");
    env->c_high = v[1];
    return 0;
}

static int read_phones(struct reader *in, struct env *env)
{
    double count;

    /* maximum range, number of source depths, source depths: not needed here */
    if (reader_need(in, "the range") || reader_need(in, "the source count") || reader_need(in, "the source depths") ||
        reader_need(in, "the receiver count"))
        return -1;
    if (text_numbers(in->line, &count, 1) < 1 || count < 1 || count > MAX_PHONES)
        return reader_reject(in, "a number of phones from 1 to 24");
    env->n_phones = (int)count;
    if (reader_need(in, "the receiver depths"))
        return -1;
    if (text_numbers(in->line, env->phone_z, (size_t)env->n_phones) < (size_t)env->n_phones)
        return reader_reject(in, "as many receiver depths as announced");
    for (int i = 0; i < env->n_phones; i++)
        if (env->phone_z[i] <= 0 || env->phone_z[i] > env->layer[0].depth)
            return reader_reject(in, "a list of depths within the water");
    return 0;
}

static int read_body(struct reader *in, struct env *env)
{
    double v;

    if (reader_need(in, "the title") || reader_need(in, "the frequency"))
        return -1;
    if (text_numbers(in->line, &env->freq, 1) < 1 || env->freq <= 0)
        return reader_reject(in, "a frequency");
    if (reader_need(in, "the number of layers"))
        return -1;
    if (text_numbers(in->line, &v, 1) < 1 || v < 1 || v > MAX_LAYERS)
        return reader_reject(in, "a number of layers from 1 to 6");
    env->n_layers = (int)v;
    if (reader_need(in, "the options"))
        return -1;
    /* C: speed linear between points; V: vacuum above; F: attenuation in dB/(m kHz) */
    if (in->line[0] != '\'' || in->line[1] != 'C' || in->line[2] != 'V' || in->line[3] != 'F')
        return reader_reject(in, "the options 'CVF', the only ones known here");
    for (int i = 0; i < env->n_layers; i++)
        if (read_layer(in, &env->layer[i], i ? env->layer[i - 1].depth : 0.0))
            return -1;
    return read_basement(in, env) || read_phones(in, env) ? -1 : 0;
}

int env_read(struct env *env, const char *folder, const char *name)
{
    struct reader in;
    int status;

    if (reader_open(&in, folder, name))
        return -1;
    status = read_body(&in, env);
    reader_close(&in);
    return status;
}

static int read_cast(struct reader *in, struct layer *water)
{
    double v[5];
    int got, n = 0;

    while ((got = reader_next(in)) > 0) {
        size_t columns = text_numbers(in->line, v, 5);

        if (columns == 0 && in->line[0] == '\0')
            continue;
        if (columns < 5 || v[3] < 1300 || v[3] > 1700 || (n ? v[0] <= water->z[n - 1] : v[0] != 0))
            return reader_reject(in, "a CTD sample (depth increasing from 0, temperature, salinity, speed, density)");
        if (v[0] >= water->depth)
            break;
        if (n == MAX_PROFILE - 1)
            return complain("%s line %d: more than %d samples; thin them.", in->path, in->line_no, MAX_PROFILE - 1);
        water->z[n] = v[0];
        water->c[n] = v[3];
        n++;
    }
    if (got < 0)
        return -1;
    if (n < 2)
        return complain("%s holds fewer than two samples; take a complete copy.", in->path);
    water->z[n] = water->depth;
    water->c[n] = water->c[n - 1];
    water->n = n + 1;
    return 0;
}

int env_use_ctd(struct env *env, const char *folder, const char *name)
{
    struct layer *water = &env->layer[0];
    struct reader in;
    int status;

    if (reader_open(&in, folder, name))
        return -1;
    status = read_cast(&in, water);
    reader_close(&in);
    for (int i = 0; i < water->n; i++) {
        water->rho[i] = 1.0;
        water->atten[i] = 0.0;
    }
    return status;
}

double layer_value(const struct layer *layer, const double *column, double z)
{
    int low = 0, high = layer->n - 1;
    double t;

    while (high - low > 1) {
        int middle = (low + high) / 2;

        if (layer->z[middle] <= z)
            low = middle;
        else
            high = middle;
    }
    t = (z - layer->z[low]) / (layer->z[high] - layer->z[low]);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return column[low] + t * (column[high] - column[low]);
}
