/* Normal modes by finite differences.

   The depth equation rho d/dz(psi'/rho) + (omega^2/c^2 - k^2) psi = 0 (Jensen, Kuperman, Porter, Schmidt,
   Computational Ocean Acoustics, chapter 5) is integrated over a cell about every mesh point. Density jumps then need
   no special case, and the matrix T - lambda M, lambda = k^2, is symmetric and tridiagonal: its positive pivots count
   the eigenvalues above lambda (Sylvester's inertia; Sturm sequence). Bisection on this count cannot miss a mode. The
   vector comes from the twisted factorisation (Parlett and Dhillon, Linear Algebra Appl. 267, 1997, 247), which
   neither overflows nor loses the evanescent tails. lambda is Richardson-extrapolated from two meshes, as KRAKEN
   does. */
#include "modes.h"

#include <math.h>
#include <mpico.h>
#include <stdlib.h>

#include "text.h"

#define PI 3.14159265358979323846
#define NEPER_DB 8.685889638065035 /* dB in one neper: 20 log10(e) */

/* Floating-point operations of one mesh point, counted from the statements below: they tell a simulated machine what the
   modes cost. Building the mesh is little beside the bisections. */
enum {
    COUNT_FLOPS = 5,                        /* shifted 2, the pivot 3; once a bisection */
    VECTOR_FLOPS = 2 * COUNT_FLOPS + 4 + 2, /* two factorisations, their gap, the vector; once a mode */
    NORM_FLOPS = 7                          /* norm 3, loss 3, scale 1 */
};

struct mesh {
    int n;             /* unknowns; the surface point, where psi = 0, is none of them */
    double h_water;    /* m */
    int n_water;       /* unknowns down to the sea bed */
    double *diag;      /* T's diagonal: integral of omega^2/c^2/rho minus stiffness, without the half-space term */
    double *off;       /* off[i] couples i and i + 1 */
    double *mass;      /* integral of 1/rho over the cell */
    double *loss;      /* integral of attenuation * omega/c / rho over the cell */
    double *down, *up; /* pivots from the top and from the bottom */
    double k2_basement, rho_basement, loss_basement;
};

static void mesh_free(struct mesh *mesh)
{
    free(mesh->diag);
    mesh->diag = NULL;
}

static int mesh_alloc(struct mesh *mesh, int n)
{
    double *block = calloc((size_t)n * 6, sizeof *block);

    mesh->diag = block;
    if (!block)
        return complain("no memory for a mesh of %d points; ask for fewer mesh points in the environment file.", n);
    mesh->n = n;
    mesh->off = block + n;
    mesh->mass = block + 2 * (size_t)n;
    mesh->loss = block + 3 * (size_t)n;
    mesh->down = block + 4 * (size_t)n;
    mesh->up = block + 5 * (size_t)n;
    return 0;
}

static void mesh_add_half_cell(struct mesh *mesh, int i, const struct layer *layer, double z, double half_h,
                               double omega)
{
    double rho = layer_value(layer, layer->rho, z);
    double k = omega / layer_value(layer, layer->c, z);
    double nepers = layer_value(layer, layer->atten, z) * omega / (2 * PI * 1000) / NEPER_DB;

    mesh->diag[i] += half_h / rho * k * k;
    mesh->mass[i] += half_h / rho;
    mesh->loss[i] += half_h / rho * k * nepers;
}

/* `first` is the index of the unknown at the layer's top; -1 is the surface. */
static void mesh_add_layer(struct mesh *mesh, int first, int cells, const struct layer *layer, double z_top,
                           double omega)
{
    double h = (layer->depth - z_top) / cells;

    for (int i = 0; i < cells; i++) {
        double z = z_top + h * i;
        double stiffness = 1.0 / (layer_value(layer, layer->rho, z + h / 2) * h);
        int upper = first + i, lower = upper + 1;

        if (upper >= 0) {
            mesh_add_half_cell(mesh, upper, layer, z, h / 2, omega);
            mesh->diag[upper] -= stiffness;
            mesh->off[upper] = stiffness;
        }
        mesh_add_half_cell(mesh, lower, layer, i + 1 == cells ? layer->depth : z + h, h / 2, omega);
        mesh->diag[lower] -= stiffness;
    }
}

static int mesh_build(struct mesh *mesh, const struct env *env, double freq, int refine)
{
    double omega = 2 * PI * freq, scale = freq / env->freq, z_top = 0;
    int cells[MAX_LAYERS], total = 0, first = -1;

    scale = (scale < 0.5 ? 0.5 : scale) * refine; /* never coarser than half: the profile needs its points too */
    for (int i = 0; i < env->n_layers; i++) {
        cells[i] = (int)ceil(env->layer[i].n_mesh * scale);
        total += cells[i];
    }
    if (mesh_alloc(mesh, total))
        return -1;
    for (int i = 0; i < env->n_layers; i++) {
        mesh_add_layer(mesh, first, cells[i], &env->layer[i], z_top, omega);
        first += cells[i];
        z_top = env->layer[i].depth;
    }
    mesh->n_water = cells[0];
    mesh->h_water = env->layer[0].depth / cells[0];
    mesh->k2_basement = (omega / env->basement_c) * (omega / env->basement_c);
    mesh->rho_basement = env->basement_rho;
    mesh->loss_basement = omega / env->basement_c * env->basement_atten * freq / 1000 / NEPER_DB;
    return 0;
}

/* The field decays below the last point as exp(-gamma z): its flux there is -gamma/rho psi. */
static double basement_gamma(const struct mesh *mesh, double lambda) { return sqrt(lambda - mesh->k2_basement); }

static double shifted(const struct mesh *mesh, int i, double lambda)
{
    double value = mesh->diag[i] - lambda * mesh->mass[i];

    if (i + 1 == mesh->n)
        value -= basement_gamma(mesh, lambda) / mesh->rho_basement;
    return value;
}

static double guarded(double pivot) { return fabs(pivot) < 1e-300 ? -1e-300 : pivot; }

/* How many eigenvalues exceed lambda. */
static int count_above(const struct mesh *mesh, double lambda)
{
    double pivot = guarded(shifted(mesh, 0, lambda));
    int count = pivot > 0;

    for (int i = 1; i < mesh->n; i++) {
        pivot = guarded(shifted(mesh, i, lambda) - mesh->off[i - 1] * mesh->off[i - 1] / pivot);
        count += pivot > 0;
    }
    mpico_compute((double)COUNT_FLOPS * mesh->n);
    return count;
}

/* The (mode + 1)-th largest eigenvalue, to the last bits. */
static double bisect(const struct mesh *mesh, int mode, double low, double high)
{
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);

        if (middle <= low || middle >= high)
            break;
        if (count_above(mesh, middle) > mode)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

static void pivots(struct mesh *mesh, double lambda)
{
    int last = mesh->n - 1;

    mesh->down[0] = guarded(shifted(mesh, 0, lambda));
    for (int i = 1; i <= last; i++)
        mesh->down[i] = guarded(shifted(mesh, i, lambda) - mesh->off[i - 1] * mesh->off[i - 1] / mesh->down[i - 1]);
    mesh->up[last] = guarded(shifted(mesh, last, lambda));
    for (int i = last - 1; i >= 0; i--)
        mesh->up[i] = guarded(shifted(mesh, i, lambda) - mesh->off[i] * mesh->off[i] / mesh->up[i + 1]);
}

/* The eigenvector grows out of the point where the two factorisations disagree least. */
static void eigenvector(struct mesh *mesh, double lambda, double *psi)
{
    double least = INFINITY;
    int twist = 0;

    pivots(mesh, lambda);
    for (int i = 0; i < mesh->n; i++) {
        double gap = fabs(mesh->down[i] + mesh->up[i] - shifted(mesh, i, lambda));

        if (gap < least) {
            least = gap;
            twist = i;
        }
    }
    psi[twist] = 1.0;
    for (int i = twist - 1; i >= 0; i--)
        psi[i] = -mesh->off[i] * psi[i + 1] / mesh->down[i];
    for (int i = twist + 1; i < mesh->n; i++)
        psi[i] = -mesh->off[i - 1] * psi[i - 1] / mesh->up[i];
}

/* Scales psi to unit norm and returns the attenuation k_i = (1/k) integral of (alpha omega/c) psi^2/rho
   (first-order perturbation, Computational Ocean Acoustics, chapter 5); the half-space's tail is exact. */
static double normalise(const struct mesh *mesh, double lambda, double *psi)
{
    double last = psi[mesh->n - 1];
    double tail = last * last / (2 * basement_gamma(mesh, lambda) * mesh->rho_basement);
    double norm = tail, loss = tail * mesh->loss_basement;
    double scale;

    for (int i = 0; i < mesh->n; i++) {
        norm += mesh->mass[i] * psi[i] * psi[i];
        loss += mesh->loss[i] * psi[i] * psi[i];
    }
    scale = 1.0 / sqrt(norm);
    if (psi[0] < 0)
        scale = -scale;
    for (int i = 0; i < mesh->n; i++)
        psi[i] *= scale;
    return loss / norm / sqrt(lambda);
}

static void store_mode(struct mode_set *set, int mode, const struct mesh *mesh, const double *psi)
{
    for (int row = 0; row < set->n_z; row++) {
        double at = row * set->dz / mesh->h_water;
        int i = (int)at;
        double t, above, below;

        i = i > mesh->n_water - 1 ? mesh->n_water - 1 : i;
        t = at - i;
        above = i == 0 ? 0.0 : psi[i - 1];
        below = psi[i];
        set->psi[(size_t)row * MAX_MODES + (size_t)mode] = above + t * (below - above);
    }
}

static double slowest_speed(const struct env *env)
{
    double c = INFINITY;

    for (int l = 0; l < env->n_layers; l++)
        for (int i = 0; i < env->layer[l].n; i++)
            c = env->layer[l].c[i] < c ? env->layer[l].c[i] : c;
    return c;
}

static int solve_on(struct mode_set *set, const struct env *env, struct mesh *coarse, struct mesh *fine)
{
    double omega = 2 * PI * set->freq;
    double low = omega / env->c_high * (omega / env->c_high);
    double high = omega / slowest_speed(env) * (omega / slowest_speed(env));
    int n_coarse = count_above(coarse, low), n_fine = count_above(fine, low);
    double *psi;

    set->n = n_coarse < n_fine ? n_coarse : n_fine;
    if (set->n < 1 || set->n > MAX_MODES)
        return complain("%d modes at %g Hz; the environment must carry 1 to %d below its highest phase speed.", set->n,
                        set->freq, MAX_MODES);
    psi = malloc((size_t)fine->n * sizeof *psi);
    if (!psi)
        return complain("no memory for a mode of %d points; ask for a coarser mesh.", fine->n);
    for (int m = 0; m < set->n; m++) {
        double lambda_fine = bisect(fine, m, low, high);
        double lambda_coarse = bisect(coarse, m, low, high);

        eigenvector(fine, lambda_fine, psi);
        set->alpha[m] = normalise(fine, lambda_fine, psi);
        set->k[m] = sqrt(lambda_fine + (lambda_fine - lambda_coarse) / 3.0); /* the error is of order h^2 */
        store_mode(set, m, fine, psi);
        mpico_compute((double)(VECTOR_FLOPS + NORM_FLOPS) * fine->n);
    }
    free(psi);
    return 0;
}

int modes_solve(struct mode_set *set, const struct env *env, double freq)
{
    struct mesh coarse = {0}, fine = {0};
    int status = -1;

    set->freq = freq;
    set->n_z = 4 * (int)ceil(env->layer[0].depth) + 1;
    set->dz = env->layer[0].depth / (set->n_z - 1);
    set->psi = calloc((size_t)set->n_z * MAX_MODES, sizeof *set->psi);
    if (!set->psi)
        complain("no memory for the modes at %g Hz; free some.", freq);
    else if (!mesh_build(&coarse, env, freq, 1) && !mesh_build(&fine, env, freq, 2))
        status = solve_on(set, env, &coarse, &fine);
    mesh_free(&coarse);
    mesh_free(&fine);
    return status;
}

void modes_free(struct mode_set *set)
{
    free(set->psi);
    set->psi = NULL;
}

double modes_value(const struct mode_set *set, int mode, double z)
{
    double at = z / set->dz;
    int row = (int)at;
    const double *psi;

    row = row < 0 ? 0 : row > set->n_z - 2 ? set->n_z - 2 : row;
    psi = set->psi + (size_t)row * MAX_MODES + (size_t)mode;
    return psi[0] + (at - row) * (psi[MAX_MODES] - psi[0]);
}
