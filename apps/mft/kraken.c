/* The check of the normal modes against what KRAKEN printed for the same environment. */
#include "kraken.h"

#include <math.h>
#include <string.h>

#include "modes.h"
#include "text.h"

static const double tolerance = 1e-4; /* relative, of a wavenumber */

struct printed {
    int n;
    double k[MAX_MODES], alpha[MAX_MODES];
};

static int read_rows(struct reader *in, struct printed *printed)
{
    int got;

    while ((got = reader_next(in)) > 0) {
        double v[4];
        size_t columns = text_numbers(in->line, v, 4);

        if (columns == 0)
            break;
        if (columns < 4 || (int)v[0] != printed->n + 1 || v[1] <= 0)
            return reader_reject(in, "a mode (number, wavenumber, attenuation, phase speed)");
        if (printed->n == MAX_MODES)
            return complain("%s lists more than %d modes; use a lower frequency.", in->path, MAX_MODES);
        printed->k[printed->n] = v[1];
        printed->alpha[printed->n] = -v[2];
        printed->n++;
    }
    return got < 0 ? -1 : 0;
}

static int read_print(struct printed *printed, const char *folder, const char *name)
{
    struct reader in;
    int got, status = -1;

    printed->n = 0;
    if (reader_open(&in, folder, name))
        return -1;
    while ((got = reader_next(&in)) > 0)
        if (strstr(in.line, "Phase Speed"))
            break;
    if (got == 0)
        complain("%s holds no mode table (\"Phase Speed\"); take a complete print-out.", name);
    else if (got > 0 && !reader_need(&in, "the units") && !read_rows(&in, printed))
        status = printed->n ? 0 : complain("the mode table of %s is empty; take a complete print-out.", name);
    reader_close(&in);
    return status;
}

static int compare(const struct mode_set *set, const struct printed *printed)
{
    double worst = 0;

    printf(" mode   k here [1/m]   k KRAKEN [1/m]   relative   alpha here   alpha KRAKEN [1/m]\n");
    for (int m = 0; m < set->n && m < printed->n; m++) {
        double error = fabs(set->k[m] - printed->k[m]) / printed->k[m];

        worst = error > worst ? error : worst;
        printf(" %4d   %.9f    %.9f      %.1e    %.2e     %.2e\n", m + 1, set->k[m], printed->k[m], error,
               set->alpha[m], printed->alpha[m]);
    }
    printf("%d modes here, %d in the print-out; greatest relative difference of a wavenumber %.2e, allowed %.0e\n",
           set->n, printed->n, worst, tolerance);
    return set->n == printed->n && worst <= tolerance ? 0 : 1;
}

int kraken_check(const char *folder, const char *env_name, const char *print_name)
{
    static struct env env;
    struct printed printed;
    struct mode_set set = {0};
    int status;

    if (env_read(&env, folder, env_name) || read_print(&printed, folder, print_name))
        return -1;
    status = modes_solve(&set, &env, env.freq);
    if (status == 0)
        status = compare(&set, &printed);
    modes_free(&set);
    return status;
}
